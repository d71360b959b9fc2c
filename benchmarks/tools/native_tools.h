// What tools cost where kernels are native code.
#pragma once
#include <string>
#include <vector>

struct Watching {
  std::string name, spec;
  double goal;
};

/// Prints, by tool and kernel of benchmarks/kernels, the ratio of processor time to that of native code that
/// nobody watches. Returns whether all goals were met.
bool native_tools(const std::vector<Watching>& tools, const std::vector<std::string>& kernels,
                  unsigned rounds);
