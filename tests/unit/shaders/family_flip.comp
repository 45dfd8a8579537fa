#version 450
// An image turned around.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba8) writeonly uniform image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageStore(target, at, texelFetch(source, ivec2(imageSize(target).x - 1 - at.x, at.y), 0));
}
