#version 450
layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
layout(binding = 0) buffer Out { uint value[]; };
void main() { value[gl_GlobalInvocationID.x] = 1; }
