#version 450
layout(local_size_x = 64) in;
struct Item { vec3 position; float weight; bool alive; };
shared Item items[4];
shared float lonely;
shared vec3 triple[3];
shared mat3 turn;
shared bool flags[5];
shared uvec2 pair;
layout(push_constant) uniform Push {
  vec3 a;
  float b;
  mat3 m;
  float c[3];
  layout(offset = 112) vec2 tail;
} push;
layout(binding = 0) buffer Out { vec4 value[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  items[i & 3].position = push.a;
  items[i & 3].alive = push.b > 0;
  lonely = push.c[i & 2];
  triple[i % 3] = push.m * push.a;
  turn = push.m;
  flags[i % 5] = push.tail.x > 1;
  pair = uvec2(i);
  barrier();
  value[i] = vec4(turn * triple[0] * lonely, items[1].alive && flags[3] ? items[0].weight : pair.y);
}
