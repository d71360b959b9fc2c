// How many CTAs of a kernel a multiprocessor holds at once. PTX does not say how many registers a kernel
// takes: they are no limit here.
#pragma once

#include <cstdint>

#include "interposer/live/state/driver.h"

namespace wedjat::live {

/// Behind so many bytes of shared memory, what a CTA of the hardware has besides: it gets whole units.
std::uint32_t room_behind(std::uint64_t shared_bytes);

/// Dynamic shared memory that a launch may ask for: CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES. All that
/// the device has, where the kernel's own is more than what every device has.
std::uint64_t most_dynamic_shared(CUfunc_st& function);

/// CTAs that a cluster of the kernel may have.
std::uint64_t most_cluster_ctas(const CUfunc_st& function);

/// Of shared memory, what a multiprocessor has for CTAs: as little as the kernel prefers, but `least` if it
/// has that.
std::uint64_t shared_for_ctas(const CUfunc_st& function, std::uint64_t least);

/// With `dynamic` bytes of dynamic shared memory a CTA; 0 if not even one fits.
std::uint64_t resident_ctas(CUfunc_st& function, std::uint64_t threads, std::uint64_t dynamic);

}  // namespace wedjat::live
