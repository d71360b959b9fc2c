// Random programs, and every way to run them here, which have to agree.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/expect/runner.h"
#include "cli/gpu/gpu.h"
#include "cli/gpu/judged.h"
#include "emulator/programs/program.h"

namespace wedjat::fuzz {

/// Where the time goes, of all threads together.
struct Spent {
  std::atomic<std::uint64_t> generating = 0, interpreting = 0, others = 0, gpu = 0;  ///< nanoseconds
};

struct Settings {
  programs::Options program;
  bool tiers = true;  ///< native code against the interpreter
  bool check = true;  ///< checkers find nothing
  bool known = true;  ///< what ptxas is known to do to values changes nothing
  std::string ptxas;  ///< accepts every kernel, or compiles it for the GPU; empty: none is asked
  gpu::Gpu* gpu = nullptr;
  unsigned together = 1;         ///< so many kernels are compiled in one file, which saves starts of ptxas
  std::vector<unsigned> levels;  ///< of the driver's compiler, at which the GPU runs each kernel
  gpu::Verdicts* verdicts = nullptr;  ///< what a GPU leaves is judged, and counted here
  /// Programs leave something open (programs::Options): what differs is no disagreement unless the machine
  /// code is blamed for it.
  bool open = false;
};

struct Disagreement {
  enum class Kind { failure, finding, tiers, known, ptxas, gpu, verdict } kind = Kind::failure;
  std::string message;
  unsigned level = 0;             ///< gpu: the first at which it is so
  std::string signature() const;  ///< the same for what is likely to be the same fault
};
const char* name_of(Disagreement::Kind kind);

/// The program of a seed with its launch as directives, a file for `wedjat expect`.
std::string file_of(const programs::Options& options);
expect::Inputs inputs_of(const programs::Options& options);

WedjatRunOptions run_options(std::uint32_t jit);

/// Nothing if all agree. Throws when the library was interrupted, or ptxas or the GPU cannot be asked.
std::optional<Disagreement> try_seed(const Settings& settings, Spent& spent);

/// The same of `count` seeds from that of the program on; by seed, what does not agree.
std::map<std::uint32_t, Disagreement> try_seeds(const Settings& settings, unsigned count, Spent& spent);

}  // namespace wedjat::fuzz
