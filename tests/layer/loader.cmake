# The tests of the door and of creation; see loader_direct.h and the scripts beside.
target_sources(layer_test PRIVATE loader_direct.cpp ${CMAKE_SOURCE_DIR}/layer/handles.c)
target_link_libraries(layer_test PRIVATE vkm_src)
target_include_directories(layer_test PRIVATE ${CMAKE_SOURCE_DIR}/layer)
target_compile_definitions(layer_test PRIVATE VKM_TEST_LAYER="$<TARGET_FILE:VkLayer_vkmeter>")

if(CMAKE_CROSSCOMPILING) # the scripts start programs without an emulator
  return()
endif()
add_executable(loader_addresses loader_addresses.c)
target_link_libraries(loader_addresses PRIVATE vkm_options vkm_vulkan_headers ${CMAKE_DL_LIBS})
set_target_properties(loader_addresses PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME LoaderRegistry
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/loader_registry.py
          ${VKM_VULKAN_REGISTRY}/vk.xml ${CMAKE_SOURCE_DIR}/layer/work.def
          ${CMAKE_SOURCE_DIR}/layer/intercept.def ${CMAKE_BINARY_DIR}/layer/generated_hooks.inc)
add_test(NAME LoaderAddresses
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/loader_addresses.py
          ${CMAKE_BINARY_DIR} ${VKM_VULKAN_REGISTRY}/vk.xml)
set_tests_properties(LoaderAddresses PROPERTIES TIMEOUT 600 COST 20)

add_library(loader_preload MODULE loader_preload.c)
set_target_properties(loader_preload PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
add_dependencies(loader_addresses VkLayer_vkmeter)
add_test(NAME LoaderManifest
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/loader_manifest.py
          ${CMAKE_BINARY_DIR} $<TARGET_FILE:loader_preload>
          ${VKM_VULKAN_INCLUDE}/vulkan/vulkan_core.h)
set_tests_properties(LoaderManifest PROPERTIES TIMEOUT 300)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
  set(VKM_WIDE_BUILD "" CACHE PATH "a build of 64 bits, to be installed beside this one in a test")
  add_test(NAME LoaderWidths
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/loader_widths.py
            "${VKM_WIDE_BUILD}" ${CMAKE_BINARY_DIR})
  set_tests_properties(LoaderWidths PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
else() # vulkaninfo is of 64 bits
  add_test(NAME LoaderVulkaninfo
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/loader_vulkaninfo ${CMAKE_BINARY_DIR})
  set_tests_properties(LoaderVulkaninfo PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
