#version 450
// Sorts 128 keys by comparing and exchanging them.
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Keys { uint keys[]; };
shared uint part[128];
void main() {
  uint i = gl_LocalInvocationID.x;
  part[i] = keys[gl_GlobalInvocationID.x];
  barrier();
  for (uint size = 2; size <= 128; size <<= 1) {
    for (uint step_size = size >> 1; step_size > 0; step_size >>= 1) {
      uint other = i ^ step_size;
      uint mine = part[i], theirs = part[other];
      bool rising = (i & size) == 0;
      if (other > i && (mine > theirs) == rising) {
        part[i] = theirs;
        part[other] = mine;
      }
      barrier();
    }
  }
  keys[gl_GlobalInvocationID.x] = part[i];
}
