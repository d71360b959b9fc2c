// A file made smaller, and the folder that tells of it.
#pragma once
#include <filesystem>
#include <limits>
#include <string>

#include "cli/reduce/reduce.h"
#include "emulator/device/device.h"

namespace wedjat::reduce {

/// How the kernel of a bundle runs here.
struct Running {
  kernel::Contract contract = kernel::Contract::ptxas;
  device::LaunchLimits limits;
};

/// Reduces `best` and writes reduced.ptx, report.md and, unless it was interrupted, the bundle; `name` is
/// that of the original. Throws traces::FormatError, and device::Interrupted once what was reached is
/// written.
void reduce_to(const std::filesystem::path& folder, const Verdict& verdict, const Case& original, Case& best,
               Search& search, const std::string& name, const Running& running);

struct Reduced {
  std::string verdict;
  Sizes before, after;
  std::uint64_t tried = 0;
  bool in_time = true;  ///< false: more might have gone
};

struct FileQuestion {
  Question question;
  std::string directives;  ///< the file that holds them; empty: the PTX file does
  Running running;
  double seconds = std::numeric_limits<double>::infinity();  ///< no candidate is begun after that
};

/// Throws std::invalid_argument if the file does not show what is to stay, and what reduce_to() throws.
Reduced reduce_file(const FileQuestion& asked, const std::string& file, const std::filesystem::path& folder,
                    unsigned threads, const Search::Progress& progress);

}  // namespace wedjat::reduce
