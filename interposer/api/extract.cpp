// wedjat_api_extract CUDA_INCLUDE_DIR > api_table.json
// wedjat_api_extract CUDA_INCLUDE_DIR runtime > runtime_table.json
#include <cstdio>
#include <exception>
#include <map>
#include <regex>
#include <string_view>

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

// The runtime's. Functions whose default stream is the thread's have other names (_ptds, _ptsz).
constexpr const char* kRuntimeSource =
    "#include <cuda_runtime_api.h>\n"
    "#include <cuda_profiler_api.h>\n"
    "enum { wedjat_cuda_version = CUDART_VERSION };\n";

nlohmann::ordered_json runtime_functions(const std::vector<std::string>& options, CXCursor root) {
  std::map<std::string, nlohmann::ordered_json> all;
  for (auto& function : wedjat::interposer::describe_runtime_functions(root))
    all[function["name"]] = function;
  std::vector<std::string> per_thread = options;
  per_thread.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
  const wedjat::interposer::Unit unit(kRuntimeSource, per_thread);
  for (auto& function : wedjat::interposer::describe_runtime_functions(unit.root()))
    all[function["name"]] = function;
  nlohmann::ordered_json functions = nlohmann::ordered_json::array();
  for (auto& [name, function] : all) functions.push_back(std::move(function));
  return functions;
}

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
  const bool runtime = argc == 3 && std::string_view(argv[2]) == "runtime";
  if (argc != 2 && !runtime) {
    std::fprintf(stderr, "usage: wedjat_api_extract CUDA_INCLUDE_DIR [runtime] > api_table.json\n");
    return 2;
  }
  try {
    const std::vector<std::string> options = {"-std=c11", std::string("-I") + argv[1],
                                              WEDJAT_CLANG_RESOURCES};
    const wedjat::interposer::Unit unit(runtime ? kRuntimeSource : kSource, options);
    const auto types = wedjat::interposer::describe_types(unit.root());
    const auto functions = runtime ? runtime_functions(options, unit.root())
                                   : wedjat::interposer::describe_functions(unit.root());
    std::printf("{\n\"cuda_version\": %lld,\n", cuda_version(unit.root()));
    print_array("types", types, ",");
    print_array("functions", functions, "");
    std::printf("}\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat_api_extract: %s: %s\n", argv[1], error.what());
    return 1;
  }
}
