#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { layout(row_major) mat4x2 m; } push;
layout(binding = 0) buffer Out { vec2 value[]; };
void main() { value[0] = push.m[2]; }
