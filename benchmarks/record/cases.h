// Programs that move data in the ways that make recording expensive.
#pragma once

#include <string>
#include <vector>

namespace wedjat::benchmarks {

struct Case {
  const char* name;
  const char* what;
  unsigned rounds;   // unless told otherwise
  double megabytes;  // that a round moves; 0 if calls are what counts
  unsigned calls;    // of a round
};
const std::vector<Case>& cases();

// Runs a case against the driver of that name and returns its seconds, without initialisation. Throws
// std::runtime_error with the call that failed.
double run_case(const std::string& driver, const std::string& name, unsigned rounds);

}  // namespace wedjat::benchmarks
