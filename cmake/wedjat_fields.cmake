# wedjat_fields(HEADER OUT NAMESPACE STRUCT...): for each struct of a C header a function each_field(of, visit), which calls
# visit("name", of.name) for every member that is a number or a text. Pointers to several, their counts and the size of the
# struct are left to the caller.
function(wedjat_fields header out namespace)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  string(REGEX REPLACE "/\\*([^*]|\\*[^/])*\\*/" "" text "${text}")
  set(functions)
  foreach(struct IN LISTS ARGN)
    if(NOT text MATCHES "typedef struct ${struct} {([^}]*)} ${struct};")
      message(FATAL_ERROR "${header} has no struct ${struct}")
    endif()
    set(visits)
    string(REPLACE ";" "\n" members "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "[^\n]+" members "${members}")
    foreach(member IN LISTS members)
      if(member MATCHES "^ *(const char\\*|u?int[0-9]+_t) +([a-z_0-9, ]+)$")
        string(REGEX MATCHALL "[a-z_0-9]+" names "${CMAKE_MATCH_2}")
        foreach(name IN LISTS names)
          if(NOT name MATCHES "_count$")
            string(APPEND visits "  visit(\"${name}\", of.${name});\n")
          endif()
        endforeach()
      elseif(NOT member MATCHES "^ *(size_t size|const [a-z_0-9]+\\*( const\\*)? [a-z_]+)? *$")
        message(FATAL_ERROR "${header}: ${struct}: not understood: ${member}")
      endif()
    endforeach()
    string(APPEND functions "template <class Struct, class Visit>
  requires std::is_same_v<std::remove_const_t<Struct>, ${struct}>
void each_field(Struct& of, Visit visit) {
${visits}}

")
  endforeach()
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT "// The members of the structs in tool.h that are numbers and texts.
#pragma once
#include <type_traits>

#include \"utilities/include/wedjat/tool.h\"

namespace ${namespace} {

${functions}}  // namespace ${namespace}
")
endfunction()
