# The shaders of a target: FILE.comp becomes the header FILE_spv.h with the array FILE_spv.
function(vkm_client_shaders target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_shaders)
  file(MAKE_DIRECTORY ${folder})
  foreach(shader ${ARGN})
    get_filename_component(name ${shader} NAME_WE)
    get_filename_component(path ${shader} ABSOLUTE)
    set(header ${folder}/${name}_spv.h)
    add_custom_command(OUTPUT ${header}
      COMMAND ${VKM_GLSLANG} --quiet -V --target-env vulkan1.1 --vn ${name}_spv -o ${header}
              ${path}
      DEPENDS ${path} VERBATIM)
    target_sources(${target} PRIVATE ${header})
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
