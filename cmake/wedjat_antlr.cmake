# wedjat_antlr(TARGET GRAMMAR.g4 NAMESPACE): a static library holding ANTLR's parser of GRAMMAR.
# Debian 12: the tool is 4.7.2, the C++ runtime 4.9; code of the one compiles and runs with the other.
find_program(ANTLR4 antlr4 REQUIRED)
find_library(ANTLR4_RUNTIME antlr4-runtime REQUIRED)
find_path(ANTLR4_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)

# clang 14 refuses a header of runtime 4.9 (a defaulted constructor of a class with const vectors, CWG 253):
# our copy of the headers writes that constructor out.
set(ANTLR4_HEADERS ${CMAKE_BINARY_DIR}/antlr4-headers)
if(NOT EXISTS ${ANTLR4_HEADERS}/done)
  file(COPY ${ANTLR4_INCLUDE}/ DESTINATION ${ANTLR4_HEADERS})
  file(READ ${ANTLR4_HEADERS}/Vocabulary.h vocabulary)
  string(REPLACE "Vocabulary() = default;" "Vocabulary() {}" vocabulary "${vocabulary}")
  file(WRITE ${ANTLR4_HEADERS}/Vocabulary.h "${vocabulary}")
  file(TOUCH ${ANTLR4_HEADERS}/done)
endif()

function(wedjat_antlr target grammar namespace)
  get_filename_component(name ${grammar} NAME_WE)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${target}_antlr)
  set(outputs)
  foreach(part Lexer Parser BaseVisitor Visitor)
    list(APPEND outputs ${dir}/${name}${part}.cpp ${dir}/${name}${part}.h)
  endforeach()
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/${grammar} ${dir}/${name}.g4
    COMMAND ${CMAKE_COMMAND} -E chdir ${dir} ${ANTLR4} -Dlanguage=Cpp -no-listener -visitor -Werror
            -package ${namespace} ${name}.g4
    DEPENDS ${grammar}
    COMMENT "ANTLR ${grammar}" VERBATIM)
  add_library(${target} STATIC ${outputs})
  target_include_directories(${target} SYSTEM PUBLIC ${dir} ${ANTLR4_HEADERS})
  target_link_libraries(${target} PUBLIC ${ANTLR4_RUNTIME} Threads::Threads)
  # Generated code: not ours to lint, and older than C++20's own type for u8"" literals.
  target_compile_options(${target} PRIVATE -w -fno-char8_t)
endfunction()
