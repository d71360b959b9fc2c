// Random programs, and every way to run them here, which have to agree.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "cli/expect/runner.h"
#include "emulator/programs/program.h"

namespace wedjat::fuzz {

struct Settings {
  programs::Options program;
  bool tiers = true;  ///< native code against the interpreter
  bool check = true;  ///< checkers find nothing
  bool known = true;  ///< what ptxas is known to do to values changes nothing
  std::string ptxas;  ///< a program that accepts every kernel; empty: none is asked
};

struct Disagreement {
  enum class Kind { failure, finding, tiers, known, ptxas } kind = Kind::failure;
  std::string message;
  std::string signature() const;  ///< the same for what is likely to be the same fault
};
const char* name_of(Disagreement::Kind kind);

/// The program of a seed with its launch as directives, a file for `wedjat expect`.
std::string file_of(const programs::Options& options);
expect::Inputs inputs_of(const programs::Options& options);

/// Nothing if all agree. Throws when the library was interrupted, or ptxas cannot be started.
std::optional<Disagreement> try_seed(const Settings& settings);

}  // namespace wedjat::fuzz
