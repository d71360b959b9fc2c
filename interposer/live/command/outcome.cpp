#include "interposer/live/command/outcome.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace wedjat::live {
namespace {

using nlohmann::json;

constexpr int watched_nothing = 2, found_errors = 6, tool_died = 7;

bool any_of_tools(const json& process, const char* key) {
  for (const json& tool : process.value("tools", json::array())) {
    const json& value = tool.value(key, json(false));
    if (value.is_boolean() ? value.get<bool>() : value != 0) return true;
  }
  return false;
}

}  // namespace

Outcome outcome_of(const std::string& folder, int code, bool any_tool) {
  std::map<std::string, json> processes;  // by name: the same order at every run of the same numbers
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    processes[entry.path().filename()] = json::parse(file, nullptr, false);
  }
  json summary{{"exit_code", code}, {"processes", json::array()}};
  bool died = false, errors = false, nothing = false;
  for (const auto& [name, process] : processes) {
    summary["processes"].push_back(process);
    if (process.is_discarded() || !process.value("ended", false)) {
      std::fprintf(stderr, "wedjat: process %s: its end was not seen%s\n", name.c_str(),
                   any_tool ? ", so there is no report of its tools" : "");
      died = died || any_tool;
      continue;
    }
    died = died || any_of_tools(process, "died");
    errors = errors || any_of_tools(process, "errors");
    nothing = nothing || any_of_tools(process, "chose_nothing");
  }
  if (processes.empty() && any_tool) std::fprintf(stderr, "wedjat: the program never called the driver\n");
  if (code == 0) code = died ? tool_died : errors ? found_errors : nothing ? watched_nothing : 0;
  summary["wedjat_exit_code"] = code;
  return {code, summary.dump(2, ' ', true)};
}

}  // namespace wedjat::live
