#version 450
// One step of Adam.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Parameters { float parameters[]; };
layout(std430, binding = 1) readonly buffer Gradients { float gradients[]; };
layout(std430, binding = 2) buffer First { float first[]; };
layout(std430, binding = 3) buffer Second { float second[]; };
layout(push_constant) uniform Push { float rate, beta1, beta2, epsilon; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  float gradient = gradients[i];
  float m = first[i] * push.beta1 + gradient * (1.0 - push.beta1);
  float v = second[i] * push.beta2 + gradient * gradient * (1.0 - push.beta2);
  first[i] = m;
  second[i] = v;
  parameters[i] -= push.rate * m / (sqrt(v) + push.epsilon);
}
