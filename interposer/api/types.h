// The types half of the API table: typedefs, enums, records and opaque handles in the order the headers
// declare them.
#pragma once

#include <nlohmann/json.hpp>

#include "interposer/api/clang_index.h"

namespace wedjat::interposer {

// An array of
//   {"typedef": NAME, "type": SPELLING}                        a function pointer is {"typedef", "callback":
//   SPELLING}
//   {"enum": TAG, "values": [[NAME, VALUE]...]}
//   {"struct"|"union": TAG, "size", "align", "fields": [...]}  {"struct": TAG} alone is an opaque type
// A field is {"name", "type", "offset"}, or {"name" or "", "struct"|"union": "", "fields"} for one declared
// in place.
nlohmann::ordered_json describe_types(CXCursor root);

}  // namespace wedjat::interposer
