# wedjat_cuda_programs(SUITE NAME...): builds NAME/NAME.cu of the calling folder into build/SUITE/NAME and makes the
# target SUITE. Recordings of the programs are checked in, so nothing else needs nvcc; without it this does nothing.
# NAME_flags may hold further flags of one program. Every header below the calling folder is a dependency.
find_program(WEDJAT_NVCC nvcc PATHS /usr/local/cuda/bin)
if(NOT WEDJAT_NVCC)
  message(STATUS "benchmarks: no nvcc, the CUDA programs are not built")
endif()

function(wedjat_cuda_programs suite)
  if(NOT WEDJAT_NVCC)
    return()
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*.cuh)
  file(GLOB common CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/common/*.h)
  set(directory ${CMAKE_BINARY_DIR}/${suite})
  foreach(program IN LISTS ARGN)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${program}/${program}.cu)
    # The PTX goes into the executable beside the machine code: it is what a replay runs.
    add_custom_command(
      OUTPUT ${directory}/${program}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${directory}
      COMMAND ${WEDJAT_NVCC} -std=c++17 -O3 -gencode arch=compute_90,code=[sm_90,compute_90] -cudart static
              -Xcompiler -ffp-contract=off -Werror all-warnings -I${PROJECT_SOURCE_DIR}/benchmarks
              -o ${directory}/${program} ${source} ${${program}_flags}
      DEPENDS ${source} ${headers} ${common}
      COMMENT "nvcc ${suite}/${program}" VERBATIM)
    list(APPEND outputs ${directory}/${program})
  endforeach()
  add_custom_target(${suite} DEPENDS ${outputs})
endfunction()
