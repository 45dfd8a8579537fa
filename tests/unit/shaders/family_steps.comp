#version 450
// A product of a matrix and a vector whose sum is made by a function.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint n; } push;
float add_product(float left, float right, float sum) {
  return fma(left, right, sum);
}
void main() {
  uint row = gl_GlobalInvocationID.x;
  float sum = 0.0;
  for (uint k = 0; k < push.n; k++) {
    sum = add_product(a[row * push.n + k], b[k], sum);
  }
  c[row] = sum;
}
