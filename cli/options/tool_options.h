// `--tool`, `--check` and `--suppress`: the tools of `wedjat replay` and `wedjat run`.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/library/wedjat.h"
#include "cli/options/page_options.h"
#include "emulator/hooks/hooks.h"
#include "emulator/hooks/report/written.h"

namespace wedjat::cli {

struct ToolOptions {
  std::vector<std::string> tools;
  bool check = false, fidelity = false;
  std::string suppressions;

  void add_to(CLI::App& command);
  void add_fidelity_to(CLI::App& command);  ///< --fidelity
  /// The first thing of a run: with tools it goes on in a child process (supervised.h).
  void supervise() const;
  /// Neither a tool nor the page (empty: none is wanted) may write over the input, or one over the other.
  /// Gives what is taken.
  hooks::Written check_files(const std::string& input, const std::string& page) const;
  /// Null without tools. What they print goes to standard output, with `json` to standard error.
  std::unique_ptr<hooks::Hooks> start(bool json) const;
  /// The same for a device of the library (cli/library): `names` keeps what `to` refers to.
  void choose(WedjatRunOptions& to, std::vector<const char*>& names, bool json) const;

 private:
  void check_suppressions() const;
  bool any() const { return !tools.empty() || check || fidelity; }
};

struct ReportTo {
  nlohmann::json* json = nullptr;  ///< null: text on standard output
  hooks::Page* page = nullptr;     ///< null: no page is wanted
  bool mangled = false;            ///< text and page show kernels by the linker's names
};

/// Prints what the tools report, or stores it in `json["tools"]`, and adds it to the page. Returns
/// `exit_code`, or if all else is well: tool_died if a tool did, checker_findings if one found errors,
/// wrong_arguments if one was to watch what there was not.
int report_tools(hooks::Hooks* hooks, const ReportTo& to, int exit_code);

/// After a failure of the run: the tools report all the same, and the page, if one is wanted, says what
/// failed.
void report_failure(hooks::Hooks* hooks, bool json, const PageOptions& options, hooks::Page page,
                    const std::string& error);

}  // namespace wedjat::cli
