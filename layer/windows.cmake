# Windows: the library and its manifest lie side by side, wherever the registry says (README.md).
file(STRINGS ${VKM_VULKAN_INCLUDE}/vulkan/vulkan_core.h header_version
     REGEX "^#define VK_HEADER_VERSION [0-9]+")
string(REGEX REPLACE ".* " "" header_version "${header_version}")
set(VKM_API_VERSION 1.4.${header_version})
set(VKM_LAYER_ARCH 64)
set(VKM_LAYER_LIBRARY_PATH [[.\\VkLayer_vkmeter.dll]])
configure_file(${CMAKE_SOURCE_DIR}/manifest/VkLayer_vkmeter.json.in
               ${CMAKE_BINARY_DIR}/lib/VkLayer_vkmeter.json @ONLY)
set_target_properties(VkLayer_vkmeter PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
                      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
install(FILES ${CMAKE_BINARY_DIR}/lib/VkLayer_vkmeter.json DESTINATION .)
install(FILES $<TARGET_FILE:VkLayer_vkmeter> DESTINATION .)
