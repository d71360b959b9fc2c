// A cuda.h for programs that are built without a toolkit: types, functions by the names that programs use.
#include <fmt/format.h>

#include <map>

#include "interposer/gen/emit.h"

namespace wedjat::interposer {
namespace {

// What cuda.h means by a base's name is its newest ABI, but for these.
const std::map<std::string, std::string> other_meaning = {
    {"cuCtxGetDevice", "cuCtxGetDevice"},
    {"cuCtxSynchronize", "cuCtxSynchronize"},
    {"cuGraphInstantiate", "cuGraphInstantiateWithFlags"},
    {"cuStreamGetCtx", "cuStreamGetCtx"}};

}  // namespace

std::string emit_header(const Model& model) {
  std::string out =
      "// Generated from interposer/api/api_table.json: what a program of the driver API includes as "
      "cuda.h.\n"
      "#pragma once\n\n#include \"cuda_abi.h\"\n\n"
      "#define CU_LAUNCH_PARAM_END ((void*)0)\n#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void*)1)\n"
      "#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void*)2)\n#define CU_STREAM_LEGACY ((CUstream)1)\n"
      "#define CU_STREAM_PER_THREAD ((CUstream)2)\n#define CU_MEMHOSTALLOC_PORTABLE 1\n"
      "#define CU_MEMHOSTALLOC_DEVICEMAP 2\n#define CU_TRSF_READ_AS_INTEGER 1\n"
      "#define CU_TRSF_NORMALIZED_COORDINATES 2\n#define CUDA_ARRAY3D_LAYERED 1\n"
      "#define CUDA_ARRAY3D_SURFACE_LDST 2\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  std::map<std::string, const Function*> newest;  // by base
  for (const Function& function : model.functions) {
    std::string parameters;
    for (const Parameter& parameter : function.parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter.spelling + " " + parameter.name;
    out += fmt::format("CUresult {}({});\n", function.name, parameters.empty() ? "void" : parameters);
    const Function*& best = newest[function.base];
    if (function.flavour.empty() && (best == nullptr || best->version < function.version)) best = &function;
  }
  out += "\n#ifdef __cplusplus\n}\n#endif\n\n";
  for (const auto& [base, function] : newest) {
    const auto other = other_meaning.find(base);
    const std::string name = other == other_meaning.end() ? function->name : other->second;
    if (name != base) out += fmt::format("#define {} {}\n", base, name);
  }
  return out;
}

}  // namespace wedjat::interposer
