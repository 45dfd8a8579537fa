#version 450
// A fixed amount of arithmetic for each workgroup, so that time grows with their number alone.
layout(local_size_x = 16) in;
layout(constant_id = 0) const uint SEED = 1;
layout(std430, binding = 0) writeonly buffer Out { uint results[]; };
void main() {
  uint value = gl_GlobalInvocationID.x + SEED;
  for (uint i = 0; i < 2000; i++) {
    value = value * 1664525u + 1013904223u;
  }
  results[gl_GlobalInvocationID.x] = value;
}
