#version 450
// For compilers: 8 KiB of memory that the workgroup shares, and few registers.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Values { uint values[]; };
layout(push_constant) uniform Push { uint amount; uint rounds; } push;
shared uint shelf[2048];
void main() {
  const uint lane = gl_LocalInvocationIndex;
  for (uint i = lane; i < 2048u; i += 64u) {
    shelf[i] = values[i] + push.amount;
  }
  barrier();
  values[gl_GlobalInvocationID.x] = shelf[(lane * push.rounds) % 2048u];
}
