// Lines of a program: random choices, registers by what they hold, instructions by form.
#pragma once
#include <fmt/format.h>

#include <random>
#include <string>

#include "emulator/programs/families.h"
#include "emulator/programs/program.h"

namespace wedjat::programs {

/// Registers that hold the same kind of value. A float never becomes bits but where NaNs are made alike.
struct Pool {
  const char* name;  ///< of its registers, before their number
  const char* type;  ///< of PTX
  unsigned count;
};
inline constexpr Pool bits16{"%h", "b16", 6}, bits32{"%r", "b32", 10}, bits64{"%d", "b64", 6},
    half{"%e", "b16", 4}, brain{"%g", "b16", 4}, single{"%f", "b32", 6}, twice{"%w", "b64", 4},
    halves{"%x", "b32", 3}, brains{"%y", "b32", 3}, truths{"%p", "pred", 4};
inline constexpr const Pool* pools[] = {&bits16, &bits32, &bits64, &half,   &brain,
                                        &single, &twice,  &halves, &brains, &truths};

class Writer {
 public:
  Writer(std::mt19937_64& random, const Options& options) : random_(random), options_(options) {}

  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string any(const Pool& pool) { return fmt::format("{}{}", pool.name, pick(pool.count)); }
  std::string word() { return any(bits32); }
  std::string guard();

  template <class... Parts>
  void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    text += "  " + fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }

  /// An instruction that computes.
  void compute();
  /// One that reads, writes or updates private memory of the thread.
  void access(Use use);
  /// One of a whole warp, all of whose threads are here.
  void exchange_lanes();

  std::string text;

 private:
  const kernel::Form& choose(Use use, Need& need);
  std::string operand(const kernel::OperandSpec& operand, bool may_be_literal, std::string& taken);
  std::string literal(const kernel::OperandSpec& operand);
  std::string instruction(const kernel::Form& form, const std::string& address, Need need);

  std::mt19937_64& random_;
  const Options& options_;
};

}  // namespace wedjat::programs
