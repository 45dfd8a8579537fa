#version 450
// Running sums within each 256 numbers, and the total of each 256.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer In { uint numbers[]; };
layout(std430, binding = 1) writeonly buffer Out { uint running[]; };
layout(std430, binding = 2) writeonly buffer Totals { uint totals[]; };
shared uint part[256];
void main() {
  uint i = gl_LocalInvocationID.x;
  part[i] = numbers[gl_GlobalInvocationID.x];
  barrier();
  for (uint step_size = 1; step_size < 256; step_size <<= 1) {
    uint left = i >= step_size ? part[i - step_size] : 0;
    barrier();
    part[i] += left;
    barrier();
  }
  running[gl_GlobalInvocationID.x] = part[i];
  if (i == 255) {
    totals[gl_WorkGroupID.x] = part[255];
  }
}
