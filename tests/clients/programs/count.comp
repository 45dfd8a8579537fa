#version 450
// Adds `amount` to each of 64 numbers: after n executions each is the sum of their amounts, so that
// a program can see for itself how often it ran.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { uint amount; uint rounds; } push;
void main() {
  uint value = gl_GlobalInvocationID.x;
  for (uint i = 0; i < push.rounds; i++) {
    value = value * 1664525u + 1013904223u;
  }
  counts[gl_GlobalInvocationID.x] += push.amount + (value == 0xffffffffu ? 1u : 0u);
}
