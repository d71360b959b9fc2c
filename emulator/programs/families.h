// Which families of instructions programs are made of, and what they need to be well defined.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/kernel/forms/form.h"

namespace wedjat::programs {

enum class Need : std::uint8_t {
  nothing,
  divisor,   ///< of integers: neither 0 nor -1
  byte,      ///< literals up to 255: ptxas refuses others
  rounding,  ///< of floats: written, or multiplications and additions may be fused or not
};

enum class Use : std::uint8_t {
  compute,
  load,
  store,
  update,
  warp,     ///< values of other lanes
  matrix,   ///< products and transpositions of a warp, in registers
  tile,     ///< matrices between registers and shared memory
  barrier,  ///< of the CTA
  fence,
  arrive,       ///< at an mbarrier
  wait,         ///< for it
  copy,         ///< asynchronous, from global to shared memory
  first_carry,  ///< leaves a carry
  carry,        ///< takes one
};
inline constexpr unsigned uses = 14;

struct Family {
  std::string_view opcode;
  unsigned weight = 0;
  Need need = Need::nothing;
  std::vector<const kernel::Form*> forms;
};

/// The families of a use, each with the forms of it that programs may hold.
const std::vector<Family>& families(Use use);

}  // namespace wedjat::programs
