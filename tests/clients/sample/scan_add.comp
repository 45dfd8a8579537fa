#version 450
// Adds to each 256 running sums what came before them.
layout(local_size_x = 256) in;
layout(std430, binding = 0) buffer Running { uint running[]; };
layout(std430, binding = 1) readonly buffer Before { uint before[]; };
void main() {
  if (gl_WorkGroupID.x > 0) {
    running[gl_GlobalInvocationID.x] += before[gl_WorkGroupID.x - 1];
  }
}
