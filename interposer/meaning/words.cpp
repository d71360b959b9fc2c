#include "interposer/meaning/words.h"

#include "cuda_abi.h"

namespace wedjat::interposer {

bool holds(std::uint64_t now, std::uint64_t value, std::size_t bytes, unsigned flags) {
  const std::uint64_t mask = bytes == 4 ? 0xffffffffu : ~std::uint64_t{0};
  const std::uint64_t difference = (now - value) & mask;
  switch (flags & 3) {
    case CU_STREAM_WAIT_VALUE_GEQ:  // cyclic
      return (difference & (mask ^ mask >> 1)) == 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return difference == 0;
    case CU_STREAM_WAIT_VALUE_AND:
      return (now & value & mask) != 0;
    default:
      return (~(now | value) & mask) != 0;
  }
}

}  // namespace wedjat::interposer
