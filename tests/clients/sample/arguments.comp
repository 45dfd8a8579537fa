#version 450
// Writes the group counts of an indirect dispatch that covers `count` numbers.
layout(local_size_x = 1) in;
layout(std430, binding = 0) writeonly buffer Arguments { uint groups[3]; };
layout(push_constant) uniform Push { uint count; } push;
void main() {
  groups[0] = (push.count + 63) / 64;
  groups[1] = 1;
  groups[2] = 1;
}
