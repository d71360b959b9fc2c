// Which of the code that a program brings a device of compute capability 9.0 runs, and how it was compiled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emulator/kernel/ptxas/contract.h"
#include "traces/read/image.h"

namespace wedjat::interposer {

inline constexpr unsigned device_architecture = 90;

// "PTX for sm_80, machine code for sm_90, sm_100 (kernels a, b and 20 more)"
std::string describe(const std::vector<traces::ImageEntry>& entries);

// As ptxas compiles with these options: a cubin's, or those beside PTX in a fatbin.
kernel::Contract contract_of(const std::string& assembler_options);

// As the driver compiles PTX itself, with these CUjit_options and their values.
kernel::Contract contract_of_driver(const traces::ImageEntry& ptx, std::span<const std::uint64_t> options,
                                    std::span<const std::uint64_t> values);

}  // namespace wedjat::interposer
