// Programs that move data in the ways that make recording expensive.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wedjat::benchmarks {

class Driver;
// A round of a case; what is made with it is made before the clock starts.
using Round = std::function<void(unsigned)>;

struct Case {
  std::string_view name;
  const char* what;
  std::function<Round(Driver&)> make;
  unsigned rounds;   // unless told otherwise
  double megabytes;  // that a round moves; 0 if calls are what counts
  unsigned calls;    // of a round
};
const std::vector<Case>& cases();

// Runs a case against the driver of that name and returns its seconds, without initialisation. Throws
// std::runtime_error with the call that failed.
double run_case(const std::string& driver, const std::string& name, unsigned rounds);

}  // namespace wedjat::benchmarks
