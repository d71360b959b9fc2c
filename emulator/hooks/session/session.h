// One tool's dealings with its host: options, what it subscribed to, counters, report.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "emulator/hooks/report/report.h"
#include "emulator/hooks/report/suppressions.h"
#include "emulator/hooks/report/tool_error.h"
#include "emulator/hooks/session/definition.h"
#include "utilities/include/wedjat/tool.h"

struct wedjat_session {};
struct wedjat_table {
  wedjat::hooks::Table content;
};

namespace wedjat::hooks {

struct Replacement {
  std::uint32_t instruction;
  std::uint32_t needs;
  wedjat_handler handler;
  void* user;
};

/// What a tool subscribed to in one kernel.
struct Plan {
  std::vector<wedjat_probe> probes;
  std::vector<wedjat_count> counts;
  std::vector<Replacement> replacements;
  std::vector<wedjat_edge> edges;
  std::vector<wedjat_inlined> inlined;
  bool registers = false;  ///< something needs WEDJAT_REGISTERS
  bool guards = false;     ///< registers are kept for the guards of instructions that have no step
  bool empty() const {
    return probes.empty() && counts.empty() && replacements.empty() && edges.empty() && inlined.empty();
  }
};

/// The tool refused, or was refused, with this text; what the process of an isolated one says names it
/// already.
[[nodiscard]] inline ToolError refusal(const std::string& tool, const std::string& why) {
  const std::string name = "tool " + tool + ": ";
  return ToolError(why.starts_with(name) ? why : name + why);
}

class Session : public wedjat_session {
 public:
  static constexpr std::size_t most_findings = 100;  ///< kept; the others are counted

  std::map<std::string, std::string> options;
  std::shared_ptr<Suppressions> suppressions;  ///< null: none
  bool mutates = false;
  bool parallel = false;                       ///< its findings may come from several threads
  bool isolated = false;                       ///< in a process apart from the kernel's state
  bool creating = false;                       ///< inside wedjat_tool.create
  bool one_at_a_time = false;                  ///< the launch at hand
  const wedjat_kernel* subscribing = nullptr;  ///< the kernel at hand, inside wedjat_tool.kernel
  Plan plan;                                   ///< for it
  std::deque<Definition> definitions;
  std::shared_ptr<const std::string> bitcode;                 ///< of its functions; null: there is none
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sets;  ///< counters it set, for its host to know
  std::set<std::uint32_t> resets;  ///< kernels whose subscriptions it wants to make anew
  /// The first is the host's: accesses to memory that a checker looked at.
  static constexpr std::uint32_t accesses = 0;
  std::vector<std::uint64_t> counters = {0};
  std::deque<wedjat_table> tables;
  Report report;
  std::string refused;  ///< what the tool said when it refused
  /// For wedjat_host.allocation; empty where there is no memory to see.
  std::function<bool(std::size_t index, wedjat_allocation&)> allocation;

  void add(const wedjat_finding& finding);
  void launch_begins() { one_at_a_time = false, settled_ = report.findings.size(); }
  /// A launch is over: findings in the order of CTAs, whichever thread they came from.
  void settle();
  /// The report with its tables; throws ToolError if the tool refused.
  Report finished() const;
  /// The same, refused or not. A table whose cells fill no rows is left out, and the tool given up.
  Report with_tables() const;
  void check() const;

 private:
  void drop_excess();
  std::size_t settled_ = 0;                                             ///< findings of earlier launches
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  ///< a session moves
};

/// The functions tools call; `session` is a Session.
const wedjat_host& host_functions();

}  // namespace wedjat::hooks
