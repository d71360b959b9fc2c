# The main function of all of them, compiled once.
add_library(wedjat_test_main OBJECT ${CMAKE_SOURCE_DIR}/tests/doctest_main.cpp)
target_link_libraries(wedjat_test_main PRIVATE wedjat_flags doctest::doctest)

set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_SOURCE_DIR}/cmake/wedjat_test_environment.cmake)

# wedjat_test(NAME SOURCES... LIBS...): one doctest program, registered with ctest under its name.
function(wedjat_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${T_SOURCES} $<TARGET_OBJECTS:wedjat_test_main>)
  target_link_libraries(${name} PRIVATE wedjat_flags doctest::doctest ${T_LIBS})
  target_compile_definitions(${name} PRIVATE WEDJAT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  wedjat_timeout(${T_TIMEOUT} ${name})
endfunction()

# wedjat_timeout(SECONDS TEST...): five times as long under sanitizers.
function(wedjat_timeout seconds)
  if(WEDJAT_SANITIZE)
    math(EXPR seconds "5 * ${seconds}")
  endif()
  set_tests_properties(${ARGN} PROPERTIES TIMEOUT ${seconds})
endfunction()
