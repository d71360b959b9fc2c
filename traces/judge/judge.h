// Whose is it, where a result is not the hardware's: the machine code's, or does the PTX leave it open?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/bundle/bundle.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

enum class Judged : std::uint8_t { agrees, open, unknown, machine_code };  // the last is the worst
std::string_view judged_name(Judged judged);  // "agrees", "the PTX leaves it open", ...

struct Evidence {
  std::string cause;  // "race", "contraction", "order of threads" ...: README.md lists them
  std::string text;
  Judged says = Judged::open;
};

struct JudgedStep {  // an instruction of the thread that stored the first wrong byte
  std::uint32_t line = 0;
  std::string text, source, value, remark;  // source: "a.cu:12" or empty
  std::uint64_t address = 0;                // of its first access; 0: it has none
  bool reads_memory = false;
  std::uint32_t bytes = 0;  // that it accesses
};

struct FirstFault {
  std::uint64_t launch = 0, cta = 0, address = 0;
  std::uint32_t thread = 0, line = 0;
  bool floats = false;  // something that may have a part in it (influence.h) computes floating-point numbers
  std::string approximate;  // such an instruction whose result is only near the exact one; or empty
  std::string store, source, hardware, here;  // hardware, here: the bytes of the store as a number
  std::vector<JudgedStep> slice;              // what its value came from, in the order it ran
  std::vector<std::string> instructions;      // the smallest set: each of the slice once, by line
};

struct LaunchJudged {
  Judged verdict = Judged::unknown;
  std::uint64_t compared = 0, differing = 0;
  std::vector<Evidence> evidence;
  std::optional<FirstFault> fault;
};

// One launch with what hardware left of it, any number of times: what does not depend on that is found out
// once. It takes a dozen runs of the launch, and two more for each first byte that differs.
class LaunchJudge {
 public:
  // `bundle` has to live as long. Throws what running it throws.
  LaunchJudge(const Bundle& bundle, const ReplayOptions& options);
  ~LaunchJudge();
  LaunchJudged judge(const Runs& hardware);

 private:
  struct Known;
  std::unique_ptr<Known> known_;
};

struct KernelJudged {
  std::string kernel;
  Judged verdict = Judged::unknown;
  std::uint64_t launches = 0;
  std::vector<Evidence> evidence;
  std::optional<FirstFault> fault;
};

struct Judgement {
  std::vector<KernelJudged> kernels;  // in the order they were first launched
  std::vector<std::string> notes;     // of the whole
  bool unexplained = false;           // bytes differ that no kernel can be tied to
  Judged verdict() const;             // the worst; unknown if there is no kernel
};

// Of a recording. Throws what replay() throws.
Judgement judge_recording(const Trace& trace, const ReplayOptions& options);

}  // namespace wedjat::traces
