#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 16) in;
shared First { uint words[20]; } first;
shared Second { layout(offset = 64) vec4 tail; } second;
layout(binding = 0) buffer Out { vec4 value[]; };
void main() {
  first.words[gl_LocalInvocationIndex] = 1;
  barrier();
  value[gl_LocalInvocationIndex] = second.tail;
}
