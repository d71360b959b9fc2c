// Functions of the program that streams and graphs call. As on hardware a thread of the driver's own runs
// them, one after the other, and they may not call the driver (CUDA_ERROR_NOT_PERMITTED).
#pragma once

#include <functional>

namespace wedjat::live {

// Returns at once: whoever asks may hold what the function wants.
void call_soon(std::function<void()> function);

// Until all of them have run. Every call that gives a stream work, or waits for it, comes after them.
void wait_for_callbacks();

// The calling thread runs one.
bool inside_callback();

}  // namespace wedjat::live
