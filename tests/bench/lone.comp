#version 450
// Arithmetic of a length that is given, into 64 numbers of its own: dispatches with other slots are
// independent of each other, and so small that a GPU has room for many at once.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint slot; uint rounds; uint seed; } push;
void main() {
  uint value = gl_GlobalInvocationID.x + push.seed;
  for (uint i = 0; i < push.rounds; i++) {
    value = value * 1664525u + 1013904223u;
  }
  results[push.slot * 64 + gl_GlobalInvocationID.x] = value;
}
