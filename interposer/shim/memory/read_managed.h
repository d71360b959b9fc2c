// Managed memory that the device has, read without making it move.
#pragma once

#include "interposer/shim/memory/host_range.h"

namespace wedjat::interposer {

// Copies through the driver, on the calling thread, beside whatever the device works at.
ReadDevice managed_reader();

// Before a context goes, and with it what the copies need.
void managed_reader_ends();

}  // namespace wedjat::interposer
