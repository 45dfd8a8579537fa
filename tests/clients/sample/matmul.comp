#version 450
// c = a * b for n x n matrices, by tiles in shared memory whose side is a specialization constant.
layout(constant_id = 0) const uint TILE = 8;
layout(local_size_x_id = 1, local_size_y_id = 2) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint n; } push;
shared float tile_a[TILE * TILE];
shared float tile_b[TILE * TILE];
void main() {
  uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
  uint y = gl_LocalInvocationID.y, x = gl_LocalInvocationID.x;
  float sum = 0.0;
  for (uint at = 0; at < push.n; at += TILE) {
    tile_a[y * TILE + x] = a[row * push.n + at + x];
    tile_b[y * TILE + x] = b[(at + y) * push.n + column];
    barrier();
    for (uint k = 0; k < TILE; k++) {
      sum += tile_a[y * TILE + k] * tile_b[k * TILE + x];
    }
    barrier();
  }
  c[row * push.n + column] = sum;
}
