// How much memory a device has: an H200's (cuDeviceTotalMem, driver 580.159.04).
#pragma once
#include <cstdint>

namespace wedjat::memory {

inline constexpr std::uint64_t capacity = 150109880320;

}  // namespace wedjat::memory
