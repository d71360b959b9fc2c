// The runtime API as the generator sees it: runtime_table.json and interposer/runtime/calls.yaml.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interposer/gen/model.h"

namespace wedjat::interposer {

struct RuntimeFunction {
  std::string name, base;  // base: without _ptds, _ptsz
  std::string result;
  std::vector<std::pair<std::string, std::string>> parameters;  // type, name
  bool per_thread() const { return name != base; }
};

struct RuntimeModel {
  std::vector<RuntimeFunction> functions;          // sorted by name
  std::map<std::string, const Function*> forward;  // by base: the driver's function
  std::map<std::string, std::string> own, plain;   // by base: the function of wedjat::runtime::calls
  std::set<std::string> declared;                  // of these, what the model's own calls.yaml lists
  int version = 0;                                 // as CUDA_VERSION
};

// Throws std::runtime_error that names what the yaml says wrong.
RuntimeModel load_runtime(const std::filesystem::path& api, const std::filesystem::path& folder,
                          const Model& driver);
// libcudart.so.12: the same but for runtime_12.json and calls_12.yaml.
RuntimeModel load_runtime_12(const std::filesystem::path& api, const std::filesystem::path& folder,
                             const Model& driver);

std::string emit_runtime_abi(const std::filesystem::path& api);         // runtime_abi.h: its types
std::string emit_runtime_12_types(const std::filesystem::path& api);    // those that differ
std::string emit_runtime_12_members(const std::filesystem::path& api);  // of cudaDeviceProp, common to both
// Own and plain functions, over the header `types`.
std::string emit_runtime_calls(const RuntimeModel& model, const std::string& types);
// What is exported; `headers` are lines that include the declarations.
std::string emit_runtime_entries(const RuntimeModel& model, const std::string& headers);
// Declarations for programs, over the header `types`.
std::string emit_runtime_header(const RuntimeModel& model, const std::string& types);
std::string emit_runtime_error_names(const std::filesystem::path& api);
std::string emit_runtime_exports(const RuntimeModel& model, const std::string& version);

}  // namespace wedjat::interposer
