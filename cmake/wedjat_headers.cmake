# wedjat_use_headers(LIBRARY TARGET...): what nearly every file includes from libraries is compiled once for all of these, and
# not again with each file. Not for executables (their code is not the same kind,
# unless they ask for -fPIC) nor for code with flags of its own.
function(wedjat_header_library name header)
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/headers/headers.cpp)
  target_link_libraries(${name} PRIVATE wedjat_flags fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
  target_compile_options(${name} PRIVATE ${ARGN} -Xclang -fno-pch-timestamp)
  target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/headers/${header})
endfunction()

function(wedjat_use_headers library)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      target_precompile_headers(${target} REUSE_FROM ${library})
    endif()
  endforeach()
endfunction()

if(WEDJAT_HEADERS)
  wedjat_header_library(wedjat_plain_headers headers.h)
  wedjat_header_library(wedjat_row_headers headers.h ${WEDJAT_ROW_FLAGS})  # of what links wedjat_exec
  wedjat_header_library(wedjat_command_headers command_line.h ${WEDJAT_ROW_FLAGS})
  wedjat_header_library(wedjat_executor_headers executors.h ${WEDJAT_ROW_FLAGS})
endif()
