#version 450
// Texels around each place, weighted and added up.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba8) writeonly uniform image2D target;
layout(std430, binding = 2) readonly buffer Weights { float weights[]; };
layout(push_constant) uniform Push { int radius; } push;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec4 sum = vec4(0.0);
  for (int i = -push.radius; i <= push.radius; i++) {
    sum += texelFetch(source, at + ivec2(i, 0), 0) * weights[i + push.radius];
  }
  imageStore(target, at, sum);
}
