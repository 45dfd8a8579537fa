#version 450
// One sum for each 256 numbers.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer In { uint numbers[]; };
layout(std430, binding = 1) writeonly buffer Out { uint sums[]; };
layout(push_constant) uniform Push { uint count; } push;
shared uint part[256];
void main() {
  uint i = gl_LocalInvocationID.x;
  part[i] = gl_GlobalInvocationID.x < push.count ? numbers[gl_GlobalInvocationID.x] : 0;
  barrier();
  for (uint half_size = 128; half_size > 0; half_size >>= 1) {
    if (i < half_size) {
      part[i] += part[i + half_size];
    }
    barrier();
  }
  if (i == 0) {
    sums[gl_WorkGroupID.x] = part[0];
  }
}
