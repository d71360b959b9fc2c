// Managed memory that the device has, read without making it move.
#pragma once

#include "interposer/shim/ranges/host_range.h"

namespace wedjat::interposer {

// Copies through the driver, on the calling thread, beside whatever the device works at.
ReadDevice managed_reader();

// Asks the driver for what the copies in the current context need, before they are in a hurry.
void prepare_managed_reader();

// Before a context goes, and with it what the copies need.
void managed_reader_ends();

}  // namespace wedjat::interposer
