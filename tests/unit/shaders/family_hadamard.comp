#version 450
// Sums and differences of pairs, exchanged between invocations after each step.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { float data[]; };
shared float part[128];
void main() {
  uint i = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 128;
  float a = data[base + i], b = data[base + i + 64];
  part[i] = a + b;
  part[i + 64] = a - b;
  barrier();
  for (uint step_size = 32; step_size > 0; step_size >>= 1) {
    uint at = (i / step_size) * 2 * step_size + i % step_size;
    float left = part[at], right = part[at + step_size];
    barrier();
    part[at] = left + right;
    part[at + step_size] = left - right;
    barrier();
  }
  data[base + i] = part[i];
  data[base + i + 64] = part[i + 64];
}
