// wedjat tools
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/supervised.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/hooks/report/report.h"
#include "emulator/hooks/report/tool_error.h"
#include "emulator/hooks/session/library.h"

namespace wedjat::cli {
namespace {

struct Listed {
  std::string name, summary, options, file;
  bool python, checks;
};

Listed listed(const std::string& path) {
  const auto text = [](const char* from) { return std::string(from != nullptr ? from : ""); };
  if (hooks::is_python(path))
    return {std::filesystem::path(path).stem(), hooks::summary_of_python(path), "", path, true, false};
  const wedjat_tool& tool = hooks::open_library(path);
  return {text(tool.name),
          text(tool.summary),
          text(tool.options),
          path,
          false,
          (tool.capabilities & WEDJAT_CHECKS) != 0};
}

void print_tool(const Listed& tool, bool with_options) {
  fmt::print("{:<20} {}\n", hooks::printable(tool.name), hooks::printable(tool.summary));
  if (with_options && !tool.options.empty()) fmt::print("{:<20}   {}\n", "", hooks::printable(tool.options));
}

nlohmann::json to_json(const std::vector<Listed>& tools) {
  nlohmann::json all = nlohmann::json::array();
  for (const Listed& tool : tools)
    all.push_back({{"name", tool.name},
                   {"summary", tool.summary},
                   {"options", tool.options},
                   {"checks", tool.checks},
                   {"python", tool.python},
                   {"file", tool.file}});
  return all;
}

}  // namespace

void add_tools_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("tools", "List the tools that --tool knows, one a line");
  auto with_options = std::make_shared<bool>(false);
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--options", *with_options, "show the options of each tool too");
  command->add_flag("--json", *as_json, "print all that is known of them as JSON");
  command->callback([with_options, as_json, &exit_code] {
    supervise();  // a tool may end the process that loads it
    std::vector<Listed> tools;
    for (const std::string& path : hooks::all_libraries()) tools.push_back(listed(path));
    if (tools.empty())
      throw hooks::ToolError("no tool is installed beside this command or in $WEDJAT_TOOL_PATH");
    if (*as_json)
      print_json(to_json(tools));
    else
      for (const Listed& tool : tools) print_tool(tool, *with_options);
    exit_code = all_well;
  });
}

}  // namespace wedjat::cli
