#version 450
// For devices that cannot run it: is compiled, and never dispatched.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { uint amount; uint rounds; } push;
void main() {
  counts[gl_GlobalInvocationID.x] += push.amount * push.rounds;
}
