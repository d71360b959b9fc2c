// Rows that hold a value before any instruction runs: immediates, kernel parameters, special registers,
// addresses of local variables.
#pragma once
#include <cstdint>

namespace wedjat::kernel {

struct RowFill {
  enum class Source : std::uint8_t {
    Constant,   ///< `value` in all lanes; never written by steps
    Initial,    ///< as Constant, but a register: for those that may be read before they are written (value 0)
    Parameter,  ///< bytes [value, value + element_bytes) of the kernel's parameters in all lanes; never
                ///< written by steps
    ParameterAddress,  ///< address (u64, .param and generic alike) of byte `value` of the kernel's
                       ///< parameters; never written by steps
    Shared,   ///< address in .shared of byte `value` of the CTA's shared memory; never written by steps
    Special,  ///< special register number `value`; never written by steps
    Local,    ///< address (u64) of byte `value` of the function's local frame, in the space .local; never
              ///< written by steps
    LocalGeneric,  ///< the same as a generic address
  };
  std::uint32_t row = 0;
  Source source = Source::Constant;
  std::uint8_t element_bytes = 4;     ///< 1, 2, 4, 8 or 16; 0: a predicate (`value` is the mask of lanes)
  std::uint64_t value = 0, high = 0;  ///< high: upper half of a 16-byte constant
};

}  // namespace wedjat::kernel
