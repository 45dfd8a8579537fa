#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z = 2) in;
layout(constant_id = 2) const uint COUNT = 16;
layout(constant_id = 3) const bool WIDE = false;
layout(constant_id = 4) const int SHIFT = 1;
layout(constant_id = 9) const float SCALE = 1.0;
const uint TILE = WIDE ? COUNT * 4 : COUNT + 1;
shared float tile[TILE];
shared uint rows[gl_WorkGroupSize.x * gl_WorkGroupSize.y];
shared int bits[1 << SHIFT];
layout(binding = 0) buffer Out { float value[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i % TILE] = SCALE;
  rows[i % (gl_WorkGroupSize.x * gl_WorkGroupSize.y)] = i;
  bits[0] = SHIFT;
  barrier();
  value[i] = tile[0] + rows[0] + bits[0];
}
