// Lines of a program: random choices, registers by what they hold, instructions by form.
#pragma once
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "emulator/programs/families.h"
#include "emulator/programs/pools.h"
#include "emulator/programs/program.h"

namespace wedjat::programs {

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
  /// One of a whole warp, all of whose threads are here: of `warp` or `matrix`.
  void exchange_lanes(Use use);
  /// A fence, which needs nobody.
  void fence();
  /// A sum, difference or product of several words, with carries.
  void carries();
  /// Floats that may be fused into one instruction, or not.
  void product_and_sum();
  /// From the thread's global to its shared memory.
  void copy();
  /// Matrices from or to the shared memory of a warp's threads, all of which are here.
  void tile();
  /// All threads of the CTA are here, and wait for each other.
  void barrier();
  /// So they do at the mbarrier.
  void phase(unsigned label);

  std::string text;
  unsigned loops_around = 0;      ///< what is written next
  bool in_function = false;       ///< so is that
  std::vector<std::string> kept;  ///< registers that nothing writes now

 private:
  const kernel::Form& choose(Use use, Need& need);
  /// Registers of an instruction, in the order of its text.
  struct Named {
    std::vector<std::string> written, read;
    bool has_literal = false;
  };
  std::string register_of(const kernel::Form& form, const kernel::OperandSpec& operand, Named& named,
                          unsigned place);
  std::string operand(const kernel::Form& form, const kernel::OperandSpec& operand, bool may_be_literal,
                      Named& named);
  const kernel::Form& choose(Use use);
  std::string literal(const kernel::OperandSpec& operand);
  std::string instruction(const kernel::Form& form, const std::string& address, Need need);

  std::mt19937_64& random_;
  const Options& options_;
};

}  // namespace wedjat::programs
