// Runs cases on a GPU. The GPU work happens in a child process: a kernel that kills the context, the driver's
// compiler or the process costs that one form, not the run.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

struct Outcome {
  std::string error;              // empty: it ran
  std::vector<std::byte> output;  // of a case that ran
};

struct RunOptions {
  std::string library = "libcuda.so.1";
  std::size_t module_size = 200;  // kernels compiled together
  int silence_seconds = 90;       // without a result for so long the child counts as hung
  std::string ptxas{};            // assembles the kernels; empty: the compiler of the driver does
  unsigned level = 3;             // of its optimisation
  std::string kept{};             // folder for what ptxas made; empty: none is kept
};

struct Machine {
  std::string device, driver;
};

// One outcome for each case, in order; `progress` is told how many are settled. Each kernel runs twice, over
// different old output bytes; a case whose two outputs differ fails. Throws CudaError if the GPU cannot be
// used at all.
std::vector<Outcome> run_cases(std::span<const Case> cases, const RunOptions& options, Machine& machine,
                               const std::function<void(std::size_t)>& progress);

}  // namespace wedjat::hardware_truth
