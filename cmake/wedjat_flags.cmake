# Compiler flags every target of ours shares: warnings are errors, floating point means what it says.
add_library(wedjat_flags INTERFACE)
target_compile_options(wedjat_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-unused-parameter -Werror
  # Bit exactness: never fuse, reorder or assume anything about floating point.
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  -fdiagnostics-color=auto)
target_include_directories(wedjat_flags INTERFACE ${CMAKE_SOURCE_DIR})
# Rows are 32 lanes wide: all that touches them is compiled for this processor, the build machine's own unless a package is made.
set(WEDJAT_ARCH native CACHE STRING "processor that rows are compiled for: native, x86-64-v2, x86-64-v3 or x86-64-v4")
# Vectors wider than the processor's registers are passed between functions of one library only, all compiled alike (psabi).
set(WEDJAT_ROW_FLAGS -march=${WEDJAT_ARCH} -mprefer-vector-width=512 -Wno-psabi)
if(WEDJAT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_compile_options(-Wno-pass-failed)  # what they add keeps loops from being vectorised
  add_link_options(-fsanitize=address,undefined)
endif()
# What is loaded into other people's programs cannot bring a sanitizer's runtime along.
function(wedjat_unsanitized target)
  target_compile_options(${target} PRIVATE -fno-sanitize=all)
  target_link_options(${target} PRIVATE -fno-sanitize=all)
endfunction()
# A fuzzer needs to see which way the code went.
if(WEDJAT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(WEDJAT_CCACHE ccache)
if(WEDJAT_CCACHE)
  # Paths count from the checkout, so that several checkouts of this machine share what was compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${WEDJAT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
find_program(WEDJAT_LLD ld.lld)
if(WEDJAT_LLD)
  add_link_options(-fuse-ld=lld)
endif()
# Native code that is kept on disk is good for the program and the compiler that made it: their build ids say which those were.
add_link_options(-Wl,--build-id=sha1)
# wedjat_optimize_little(TARGET...): for what runs once in a build, or asks and reports around the work of a command. It takes a
# sixth less time to compile. What interprets, records, replays or compares is not such. (Not less than -O1: inline functions
# that a program has from several objects are one of them, which is called from everywhere.)
function(wedjat_optimize_little)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -O1)
  endforeach()
endfunction()
