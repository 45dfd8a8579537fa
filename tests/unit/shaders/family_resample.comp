#version 450
// Each place of the target from the place of the source that it stands for.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba8) writeonly uniform image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageStore(target, at, texture(source, (vec2(at) + 0.5) / vec2(imageSize(target))));
}
