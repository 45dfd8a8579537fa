#version 450
#extension GL_EXT_control_flow_attributes : enable
// For compilers: holds more values at a time than a lane of 1024 has registers. All of them are
// needed after a store that they all went into, so none can be loaded again.
layout(local_size_x = 1024) in;
layout(std430, binding = 0) buffer Values { float values[]; };
layout(push_constant) uniform Push { uint amount; uint rounds; } push;
void main() {
  const uint lane = gl_GlobalInvocationID.x;
  float held[256];
  float sum = 0.0;
  [[unroll]] for (int i = 0; i < 16; i++) {
    [[unroll]] for (int j = 0; j < 16; j++) {
      held[16 * i + j] = values[lane + push.amount * uint(16 * i + j)];
      sum += held[16 * i + j];
    }
  }
  values[lane] = sum;
  [[unroll]] for (int i = 0; i < 16; i++) {
    [[unroll]] for (int j = 0; j < 16; j++) {
      values[lane + push.rounds * uint(16 * i + j)] = held[16 * i + j] * sum;
    }
  }
}
