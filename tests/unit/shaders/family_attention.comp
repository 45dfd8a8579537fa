#version 450
// One row of attention: a softmax over scores that is built up while the values are summed.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Q { float q[]; };
layout(std430, binding = 1) readonly buffer K { float k[]; };
layout(std430, binding = 2) readonly buffer V { float v[]; };
layout(std430, binding = 3) writeonly buffer O { float o[]; };
layout(push_constant) uniform Push { uint count, width; } push;
void main() {
  uint row = gl_GlobalInvocationID.x;
  float most = -1e30, sum = 0.0, result = 0.0;
  for (uint i = 0; i < push.count; i++) {
    float score = 0.0;
    for (uint j = 0; j < push.width; j++) {
      score += q[row * push.width + j] * k[i * push.width + j];
    }
    float larger = max(most, score);
    float weight = exp(score - larger);
    float scale = exp(most - larger);
    sum = sum * scale + weight;
    result = result * scale + weight * v[i];
    most = larger;
  }
  o[row] = result / sum;
}
