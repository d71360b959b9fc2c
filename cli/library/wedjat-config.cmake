# find_package(wedjat): the library libwedjat as wedjat::wedjat.
if(NOT TARGET wedjat::wedjat)
  get_filename_component(wedjat_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(wedjat::wedjat SHARED IMPORTED)
  set_target_properties(wedjat::wedjat PROPERTIES
    IMPORTED_LOCATION "${wedjat_prefix}/lib/libwedjat.so.1" IMPORTED_SONAME libwedjat.so.1
    INTERFACE_INCLUDE_DIRECTORIES "${wedjat_prefix}/include")
  unset(wedjat_prefix)
endif()
