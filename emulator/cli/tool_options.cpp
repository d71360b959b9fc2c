#include "emulator/cli/tool_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "emulator/cli/exit_codes.h"
#include "emulator/cli/fidelity_tool.h"
#include "emulator/cli/terminal.h"
#include "emulator/hooks/library.h"
#include "emulator/hooks/session.h"

namespace wedjat::cli {

void ToolOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "--tool", tools,
          "NAME[,key=value...][,isolated]: watch with this tool (`wedjat tools` lists them); again for more")
      ->allow_extra_args(false)
      ->take_all();
  command.add_flag("--check", check, "watch with every checker; exit code 6 if one finds errors");
  command.add_option("--suppress", suppressions,
                     "file of findings not to report: 'kind' or 'kind kernel' a line");
}

void ToolOptions::add_fidelity_to(CLI::App& command) {
  command.add_flag("--fidelity", fidelity,
                   "say which executed instructions were not exact, and whether their results reached a "
                   "branch or an address");
}

std::unique_ptr<hooks::Hooks> ToolOptions::start() const {
  if (tools.empty() && !check && !fidelity) return nullptr;
  auto hooks = std::make_unique<hooks::Hooks>();
  if (fidelity) hooks->add(fidelity_tool());
  for (const std::string& tool : tools) hooks->add(tool, suppressions);
  // A checker that was named has its own options already.
  const auto named = [&](const std::string& name) {
    return std::ranges::any_of(tools, [&](const std::string& tool) {
      return std::filesystem::path(tool.substr(0, tool.find(','))).stem() == name;
    });
  };
  bool any_checker = false;
  for (const std::string& path : check ? hooks::all_libraries() : std::vector<std::string>{}) {
    const wedjat_tool& tool = hooks::open_library(path);
    if (!(tool.capabilities & WEDJAT_CHECKS)) continue;
    any_checker = true;
    if (!named(tool.name)) hooks->add(path, suppressions);
  }
  if (check && !any_checker)
    throw hooks::ToolError("--check: no checker is installed beside this command or in $WEDJAT_TOOL_PATH");
  return hooks;
}

int report_tools(hooks::Hooks* hooks, nlohmann::json* json, int exit_code) {
  if (hooks == nullptr) return exit_code;
  std::uint64_t errors = 0;
  for (const hooks::Report& report : hooks->finish()) {
    errors += report.errors;
    if (json != nullptr)
      (*json)["tools"].push_back(to_json(report));
    else
      fmt::print("\n{}", to_text(report));
  }
  return exit_code == all_well && errors != 0 ? static_cast<int>(checker_findings) : exit_code;
}

void report_failure(hooks::Hooks* hooks, bool json) {
  nlohmann::json out;
  report_tools(hooks, json ? &out : nullptr, all_well);
  if (json && hooks != nullptr) print_json(out);
}

}  // namespace wedjat::cli
