// What each instruction form computes, counted in the bodies of the semantics.
#pragma once
#include <cstdint>
#include <span>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// Sums, differences, products, quotients and roots of floats, a fused multiply-add as two; of matrices the
/// products and sums of the whole multiplication. What comes from a table (ex2.approx) and what only rounds
/// (cvt) is none.
struct FormWork {
  const char* format;        // of the results, of matrices of the factors: "f32"; "integer": of such matrices
  std::uint32_t operations;  // of one lane, or of one warp
  bool of_warp;
};

/// `form` must be one of all_forms(). Defined in generated code.
std::span<const FormWork> work_of(const Form& form);

}  // namespace wedjat::kernel
