// Managed memory that the device has, read without making it move.
#pragma once

#include "interposer/shim/host_range.h"

namespace wedjat::interposer {

// Copies through the driver, on the calling thread; used while the device rests.
ReadDevice managed_reader();

}  // namespace wedjat::interposer
