// What an instruction that only computes gives for one lane's numbers, before anything runs.
#pragma once
#include <cstdint>
#include <span>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// The only result of the form's own executor; registers of at most 64 bits. Defined in generated code, which
/// knows the rows that executors work on.
std::uint64_t compute(const Form& form, std::span<const std::uint64_t> inputs);

}  // namespace wedjat::kernel
