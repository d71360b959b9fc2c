// A driver library that has every function and can do nothing: weak, so that a test driver overrides what it
// can do.
#include <fmt/format.h>

#include "interposer/gen/emit.h"

namespace wedjat::interposer {

std::string emit_stubs(const Model& model) {
  std::string out =
      "// Generated from interposer/api/api_table.json.\n#include \"cuda_abi.h\"\n\nextern \"C\" {\n";
  for (const Function& function : model.functions) {
    std::string types;
    for (const Parameter& parameter : function.parameters)
      types += (types.empty() ? "" : ", ") + parameter.spelling;
    out += fmt::format(
        "__attribute__((weak, visibility(\"default\"))) CUresult {}({}) {{ return CUDA_ERROR_NOT_SUPPORTED; "
        "}}\n",
        function.name, types);
  }
  return out + "}\n";
}

}  // namespace wedjat::interposer
