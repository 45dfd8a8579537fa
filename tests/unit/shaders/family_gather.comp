#version 450
// Elements by a list of their places, widened.
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { float16_t values[]; };
layout(std430, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, binding = 2) writeonly buffer Out { float results[]; };
layout(push_constant) uniform Push { uint count; } push;
void main() {
  for (uint i = gl_GlobalInvocationID.x; i < push.count; i += 4096) {
    results[i] = float(values[places[i]]);
  }
}
