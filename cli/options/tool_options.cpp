#include "cli/options/tool_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/options/supervised.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "emulator/fidelity/fidelity_tool.h"
#include "emulator/hooks/report/names.h"
#include "emulator/hooks/report/suppressions.h"
#include "emulator/hooks/report/tool_error.h"
#include "emulator/hooks/wanted.h"

namespace wedjat::cli {
namespace {

void print_of_tool(bool to_error, std::string_view text) {
  if (is_terminal(STDERR_FILENO)) fmt::print(stderr, "\r\033[K");  // over a progress bar
  hooks::print_here(to_error, text);
}

}  // namespace

void ToolOptions::add_to(CLI::App& command) {
  command
      .add_option("--tool", tools,
                  "NAME[,key=value...][,isolated[,timeout=SECONDS]]: watch with this tool (`wedjat tools` "
                  "lists them); "
                  "again for more")
      ->allow_extra_args(false)
      ->take_all();
  command.add_flag("--check", check,
                   "watch with every checker; exit code 6 if one finds errors, 7 if one died");
  command.add_option("--suppress", suppressions,
                     "file of findings not to report: 'kind' or 'kind kernel' a line");
}

void ToolOptions::add_fidelity_to(CLI::App& command) {
  command.add_flag("--fidelity", fidelity,
                   "say which executed instructions were not exact, and whether their results reached a "
                   "branch or an address");
}

void ToolOptions::supervise() const {
  if (any()) cli::supervise();
}

hooks::Written ToolOptions::check_files(const std::string& input, const std::string& page) const {
  hooks::Written written;
  written.claim(input, "the input");
  if (!page.empty()) written.claim(page, "--html");
  for (const std::string& tool : tools) written.claim_of_tool(tool);
  return written;
}

void ToolOptions::check_suppressions() const {
  if (suppressions.empty()) return;
  const hooks::Suppressions must_be_one(suppressions);
  if (tools.empty() && !check)
    throw hooks::ToolError("--suppress: there are no findings without --check or --tool");
}

std::unique_ptr<hooks::Hooks> ToolOptions::start(bool json) const {
  check_suppressions();
  if (!any()) return nullptr;
  auto hooks = std::make_unique<hooks::Hooks>();
  hooks->print_to([json](bool is_error, std::string_view text) { print_of_tool(is_error || json, text); });
  if (fidelity) hooks->add(fidelity::fidelity_tool());
  hooks::add_wanted(*hooks, {tools, check, suppressions});
  return hooks;
}

void ToolOptions::choose(WedjatRunOptions& to, std::vector<const char*>& names, bool json) const {
  check_suppressions();
  for (const std::string& tool : tools) names.push_back(tool.c_str());
  to.tools = names.data();
  to.tool_count = names.size();
  to.check = check;
  to.fidelity = fidelity;
  if (!suppressions.empty()) to.suppressions = suppressions.c_str();
  if (json)
    to.tool_print = [](void*, const char* text, std::size_t bytes) { print_of_tool(true, {text, bytes}); };
}

int report_tools(hooks::Hooks* hooks, const ReportTo& to, int exit_code) {
  if (hooks == nullptr) return exit_code;
  std::fflush(stdout);  // a tool may end the process
  bool died = false, found = false, watched_nothing = false;
  std::vector<hooks::Report> reports = hooks->finish();
  for (hooks::Report& report : reports) {
    died = died || !report.detached.empty();
    found = found || report.errors != 0;
    watched_nothing = watched_nothing || !report.chose_nothing.empty();
    if (to.json != nullptr) (*to.json)["tools"].push_back(to_json(report));
    if (!to.mangled) demangle(report);
    if (to.json == nullptr) fmt::print("\n{}", to_text(report));
  }
  if (to.page != nullptr) hooks->add_to(*to.page, std::move(reports), to.mangled);
  const std::vector<std::string> unused = hooks->unused_suppressions();
  if (to.json != nullptr)
    (*to.json)["unused_suppressions"] = unused;
  else
    for (const std::string& line : unused)
      fmt::print("\n--suppress: {} covered no finding\n", hooks::printable(line));
  if (exit_code != all_well) return exit_code;
  return died ? tool_died : found ? checker_findings : watched_nothing ? wrong_arguments : all_well;
}

void report_failure(hooks::Hooks* hooks, bool json, const PageOptions& options, hooks::Page page,
                    const std::string& error) {
  nlohmann::json out;
  report_tools(
      hooks,
      {.json = json ? &out : nullptr, .page = options.wanted() ? &page : nullptr, .mangled = options.mangled},
      all_well);
  if (json && hooks != nullptr) print_json(out);
  if (!options.wanted()) return;
  page.facts.emplace_back("failed", options.mangled ? error : hooks::demangled_in(error));
  try {
    options.write(std::move(page));
  } catch (const std::exception& unwritten) {  // what failed is told, too
    std::fputs(fmt::format("wedjat: error: {}\n", unwritten.what()).c_str(), stderr);
  }
}

}  // namespace wedjat::cli
