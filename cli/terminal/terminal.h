// Output for people: colour and progress only where a terminal looks.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "emulator/text/numbers.h"

namespace wedjat::cli {

bool is_terminal(int descriptor);

// ANSI colour around text if `standard output` is a terminal and NO_COLOR is unset.
std::string good(std::string_view text);
std::string bad(std::string_view text);

// A bar on standard error, redrawn at most ten times a second; silent if that is no terminal. Erased at the
// end.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  void update(std::uint64_t done, std::uint64_t all);

 private:
  std::string label_;
  bool shown_;
  double last_ = 0;
};

// In ASCII, with two spaces of indentation; what is not UTF-8 in it (a file's name may be anything) is shown
// as U+FFFD.
void print_json(const nlohmann::json& object);

using text::counted;
using text::grouped;

}  // namespace wedjat::cli
