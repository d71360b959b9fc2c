// Kernels to carry to a GPU, with the program that runs them there.
#pragma once
#include <cstdint>
#include <string>

#include "emulator/programs/program.h"

namespace wedjat::fuzz {

/// Hash of what a program leaves in memory: the same as batch.c computes.
std::uint64_t result_hash(const programs::Options& options);

/// Begins a folder: batch.c, Makefile, README. Throws std::runtime_error.
void begin_batch(const std::string& folder);
/// Adds the kernel of a seed; its line for list.txt is returned.
std::string add_to_batch(const std::string& folder, const programs::Options& options);
/// Writes list.txt.
void end_batch(const std::string& folder, const std::string& list);

}  // namespace wedjat::fuzz
