#version 450
// Nothing but atomics: where their values go cannot be followed.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) buffer Bins { uint bins[256]; };
void main() {
  atomicAdd(bins[values[gl_GlobalInvocationID.x] & 255], 1);
}
