// The front door: the tools of a run, and what the device and the replayer tell them.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/cta/launch.h"
#include "emulator/hooks/clients/child_output.h"
#include "emulator/hooks/page/page.h"
#include "emulator/hooks/report/report.h"
#include "emulator/hooks/report/suppressions.h"
#include "emulator/hooks/session/threads.h"
#include "emulator/kernel/lower.h"
#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

class Client;

/// The kernel at hand, lowered so.
using Lowered = std::function<const kernel::Kernel&(kernel::Registers)>;

class Hooks {
 public:
  Hooks();
  ~Hooks();

  /// Where isolated tools print; standard output and standard error if nothing is said.
  void print_to(Print print) { print_ = std::move(print); }

  /// `NAME[,key=value…][,isolated]`; a file of findings not to report. Throws ToolError.
  void add(const std::string& spec, const std::string& suppressions = {});

  /// A tool of the caller's own program.
  void add(const wedjat_tool& tool);

  /// All instructions, and those that tools define.
  const kernel::FormTable& forms() const { return *forms_; }
  void module(const std::string& name, const std::vector<std::string>& kernels);

  /// The kernel to run instead of `kernel` (lowered with names), which lives as long as this; also sets
  /// observer and threads. Returns null if nobody watches: then nothing changes. end() must follow.
  const kernel::Kernel* begin(const kernel::Kernel& kernel, const exec::Launch& launch,
                              const Lowered& lowered, exec::Observer*& observer, Threads& threads);
  /// `failure`: null, or why the kernel failed.
  void end(std::uint64_t warp_instructions, std::uint64_t thread_instructions,
           const exec::Fault* failure = nullptr);
  /// What a recording says of the launch that comes next: how long the hardware took, registers of a thread;
  /// 0: nothing.
  void recorded(std::uint64_t nanoseconds, std::uint32_t registers);
  void call(const wedjat_call& call);
  void graph_node(const wedjat_graph_node& node);
  void memory(std::uint32_t what, std::uint64_t address, std::uint64_t bytes, const char* label = "");

  /// What the tools reported, by finish(), and the code of the kernels that were watched.
  void add_to(Page& page, std::vector<Report> reports, bool mangled = false) const;
  /// Ends all tools: from then on nobody watches. `html=FILE` of a tool is written here.
  std::vector<Report> finish();
  /// After that: lines of the files of suppressions that covered no finding.
  std::vector<std::string> unused_suppressions() const;

 private:
  struct Tool;
  struct KernelState;
  struct Current;
  KernelState& state_of(const kernel::Kernel& kernel);
  void add_code(Page& page, bool mangled) const;
  void claim(const std::string& file, const std::string& spec);

  Print print_ = print_here;
  std::map<std::string, std::shared_ptr<Suppressions>> suppressions_;  ///< by file
  std::map<std::string, std::string> claimed_;  ///< files that tools write, and the spec that says so
  std::unique_ptr<kernel::FormTable> forms_;
  std::vector<std::unique_ptr<Tool>> tools_;
  std::map<std::uint64_t, std::unique_ptr<KernelState>> kernels_;  ///< by Kernel::number
  struct Allocation {
    std::uint64_t bytes;
    std::string label;
  };
  std::map<std::uint64_t, Allocation> allocations_;  ///< live ones of the program, by address
  std::unique_ptr<Current> current_;
  std::uint64_t launches_ = 0, recorded_nanoseconds_ = 0;
  std::uint32_t recorded_registers_ = 0;
  bool finished_ = false;
};

}  // namespace wedjat::hooks
