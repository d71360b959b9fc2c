// What programs are made of: control flow, calls, exchange through shared memory, and plain instructions.
#pragma once
#include "emulator/programs/writer.h"

namespace wedjat::programs {

inline constexpr unsigned functions = 2;  ///< f0, f1 of every program

class Statements {
 public:
  Statements(Writer& writer, const Options& options) : out_(writer), options_(options) {}

  /// `together`: all threads of the CTA are here.
  void statement(unsigned depth, bool together);
  void simple() { out_.compute(); }
  unsigned loops() const { return loops_; }

 private:
  void block(unsigned depth, bool together);
  void choice(unsigned depth);
  void table(unsigned depth);
  void loop(unsigned depth, bool together);
  void exchange();
  void call();
  void indirect_call();
  void collision();

  Writer& out_;
  const Options& options_;
  unsigned labels_ = 0, loops_ = 0;
  /// Predicates of the branches around: in loops they stay what they are, for ptxas takes them for that
  /// (tests/emulator/miscompiles/predicate_in_loop.ptx).
  std::vector<std::string> decided_;
};

}  // namespace wedjat::programs
