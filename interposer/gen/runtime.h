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
  std::set<std::string> own, plain;
};

// Throws std::runtime_error that names what the yaml says wrong.
RuntimeModel load_runtime(const std::filesystem::path& api, const std::filesystem::path& folder,
                          const Model& driver);

std::string emit_runtime_abi(const std::filesystem::path& api);  // runtime_abi.h: its types
std::string emit_runtime_calls(const RuntimeModel& model);       // runtime_calls.h: own and plain ones
std::string emit_runtime_entries(const RuntimeModel& model);     // what is exported
std::string emit_runtime_error_names(const std::filesystem::path& api);
std::string emit_runtime_exports(const RuntimeModel& model, const std::string& version);

}  // namespace wedjat::interposer
