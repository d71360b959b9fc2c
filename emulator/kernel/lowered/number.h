// Numbers of lowered kernels.
#pragma once
#include <atomic>
#include <cstdint>

namespace wedjat::kernel {

/// For Kernel::number: nobody in this process has had it.
inline std::uint64_t new_number() {
  static std::atomic<std::uint64_t> numbers{0};
  return ++numbers;
}

}  // namespace wedjat::kernel
