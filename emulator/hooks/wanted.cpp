#include "emulator/hooks/wanted.h"

#include <filesystem>
#include <set>

#include "emulator/hooks/report/tool_error.h"
#include "emulator/hooks/session/library.h"

namespace wedjat::hooks {

void add_wanted(Hooks& hooks, const Wanted& wanted) {
  for (const std::string& tool : wanted.tools) hooks.add(tool, wanted.suppressions);
  // A checker that was named has its own options already; another of the same name is not the checker.
  std::set<std::string> named;
  for (const std::string& tool : wanted.tools)
    named.insert(std::filesystem::weakly_canonical(find_library(tool.substr(0, tool.find(',')))));
  bool any_checker = false;
  for (const std::string& path : wanted.check ? all_libraries() : std::vector<std::string>{}) {
    if (is_python(path) || !(open_library(path).capabilities & WEDJAT_CHECKS)) continue;
    any_checker = true;
    if (!named.contains(std::filesystem::weakly_canonical(path))) hooks.add(path, wanted.suppressions);
  }
  if (wanted.check && !any_checker)
    throw ToolError("--check: no checker is installed beside this command or in $WEDJAT_TOOL_PATH");
}

}  // namespace wedjat::hooks
