// Asks a program of somebody else about a file.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace wedjat::foreign {

/// A folder that goes with it. Throws std::runtime_error if none can be made.
struct Scratch {
  std::filesystem::path path;
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
};

/// What ptxas has for a file of small kernels, which take it less than a second: it does not end on some.
constexpr double ptxas_seconds = 20;

/// Of a process of ours, which is still to be waited for then.
bool ends_within(pid_t process, double seconds);

/// Runs the command with `case.ptx` behind it in a fresh folder that holds `text` under that name, in a
/// process group of its own. True if it ends with 0 in time; `said`, unless it is null, gets what it printed,
/// or that it was not done in time, and `made` what the file `case.made` holds then.
/// Throws std::runtime_error if it cannot be started.
bool says_yes(const std::vector<std::string>& command, const std::string& text, double seconds,
              std::string* said = nullptr, std::string* made = nullptr);

}  // namespace wedjat::foreign
