#version 450
// out = in * factor + offset
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint numbers[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint count, factor, offset; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < push.count) {
    results[i] = numbers[i] * push.factor + push.offset;
  }
}
