// wedjat_api_extract CUDA_INCLUDE_DIR > api_table.json
#include <cstdio>
#include <exception>
#include <regex>

#include "interposer/api/functions.h"
#include "interposer/api/types.h"

namespace {

// All declarations of all ABI versions, the driver's and the profiler's, with their PFN typedefs.
constexpr const char* kSource =
    "#define __CUDA_API_VERSION_INTERNAL\n"
    "#include <cuda.h>\n"
    "#include <cudaProfiler.h>\n"
    "#include <cudaTypedefs.h>\n"
    "#include <cudaProfilerTypedefs.h>\n"
    "enum { wedjat_cuda_version = CUDA_VERSION };\n";

long long cuda_version(CXCursor root) {
  long long version = 0;
  wedjat::interposer::for_each_child(root, [&](CXCursor cursor) {
    if (clang_getCursorKind(cursor) != CXCursor_EnumDecl) return;
    wedjat::interposer::for_each_child(cursor, [&](CXCursor value) {
      if (wedjat::interposer::spelling(value) == "wedjat_cuda_version")
        version = clang_getEnumConstantDeclValue(value);
    });
  });
  return version;
}

// One entry a line: the table is data, but a change of it should read well in a diff.
void print_array(const char* key, const nlohmann::ordered_json& array, const char* end) {
  std::printf("\"%s\": [\n", key);
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::printf("%s%s\n", array[i].dump().c_str(), i + 1 < array.size() ? "," : "");
  }
  std::printf("]%s\n", end);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: wedjat_api_extract CUDA_INCLUDE_DIR > api_table.json\n");
    return 2;
  }
  try {
    const wedjat::interposer::Unit unit(kSource,
                                        {"-std=c11", std::string("-I") + argv[1], WEDJAT_CLANG_RESOURCES});
    const auto types = wedjat::interposer::describe_types(unit.root());
    const auto functions = wedjat::interposer::describe_functions(unit.root());
    std::printf("{\n\"cuda_version\": %lld,\n", cuda_version(unit.root()));
    print_array("types", types, ",");
    print_array("functions", functions, "");
    std::printf("}\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat_api_extract: %s: %s\n", argv[1], error.what());
    return 1;
  }
}
