// What happens to unmarked floating-point multiplications and additions (those without .rn, .rz, .rm or .rp).
#pragma once
#include <cstdint>

namespace wedjat::kernel {

enum class Contract : std::uint8_t {
  none,       ///< each is rounded by itself
  constants,  ///< so, but quotients by literals and functions of them are as with ptxas -fmad false
  ptxas,      ///< those that ptxas fuses are fused, see contraction.h
};

}  // namespace wedjat::kernel
