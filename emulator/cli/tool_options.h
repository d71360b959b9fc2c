// `--tool`, `--check` and `--suppress`: the tools of `wedjat replay` and `wedjat run`.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "emulator/hooks/hooks.h"

namespace wedjat::cli {

struct ToolOptions {
  std::vector<std::string> tools;
  bool check = false, fidelity = false;
  std::string suppressions;

  void add_to(CLI::App& command);
  void add_fidelity_to(CLI::App& command);  ///< --fidelity
  /// Null without tools.
  std::unique_ptr<hooks::Hooks> start() const;
};

/// Prints what the tools report, or stores it in `json["tools"]`. Returns `exit_code`, or checker_findings if
/// all else is well but a tool found errors.
int report_tools(hooks::Hooks* hooks, nlohmann::json* json, int exit_code);

/// After a failure of the run: the tools report all the same.
void report_failure(hooks::Hooks* hooks, bool json);

}  // namespace wedjat::cli
