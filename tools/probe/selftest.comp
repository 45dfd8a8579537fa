#version 450
// A linear congruential generator, stepped as often as the push constants say: 4096 steps are the
// heavy load, 1 is the light one. Each invocation leaves its last number behind.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
  uint seed;
  uint steps;
  uint first;
} push;
layout(std430, binding = 0) buffer Results { uint results[]; };

void main() {
  uint number = push.seed ^ gl_GlobalInvocationID.x;
  for (uint i = 0; i < push.steps; i++) {
    number = number * 1664525u + 1013904223u;
  }
  results[push.first + gl_GlobalInvocationID.x] = number;
}
