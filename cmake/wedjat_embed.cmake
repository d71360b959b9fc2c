# wedjat_embed(TARGET NAMESPACE NAME FILE...): the text of the files, one after the other, as `extern const char* const NAME` of the target.
function(wedjat_embed target namespace name)
  set(text)
  foreach(file IN LISTS ARGN)
    file(READ ${file} part)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    string(APPEND text "${part}")
  endforeach()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT "namespace ${namespace} {
extern const char* const ${name};
const char* const ${name} = R\"EMBEDDED(@text@)EMBEDDED\";
}  // namespace ${namespace}
")
  target_sources(${target} PRIVATE ${out})
endfunction()
