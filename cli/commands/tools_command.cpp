// wedjat tools
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/options/supervised.h"
#include "cli/terminal/exit_codes.h"
#include "emulator/hooks/report/report.h"
#include "emulator/hooks/report/tool_error.h"
#include "emulator/hooks/session/library.h"

namespace wedjat::cli {

void add_tools_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("tools", "List the tools that --tool knows, one a line");
  auto with_options = std::make_shared<bool>(false);
  command->add_flag("--options", *with_options, "show the options of each tool too");
  command->callback([with_options, &exit_code] {
    supervise();  // a tool may end the process that loads it
    const std::vector<std::string> libraries = hooks::all_libraries();
    if (libraries.empty())
      throw hooks::ToolError("no tool is installed beside this command or in $WEDJAT_TOOL_PATH");
    for (const std::string& path : libraries) {
      if (hooks::is_python(path)) {
        fmt::print("{:<20} {}\n", std::filesystem::path(path).stem().string(),
                   hooks::printable(hooks::summary_of_python(path)));
        continue;
      }
      const wedjat_tool& tool = hooks::open_library(path);
      const auto shown = [](const char* text) { return hooks::printable(text ? text : ""); };
      fmt::print("{:<20} {}\n", shown(tool.name), shown(tool.summary));
      if (const std::string options = shown(tool.options); *with_options && !options.empty())
        fmt::print("{:<20}   {}\n", "", options);
    }
    exit_code = all_well;
  });
}

}  // namespace wedjat::cli
