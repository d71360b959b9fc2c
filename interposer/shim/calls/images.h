// Code handed to the driver: fatbins, cubins, PTX.
#pragma once

#include <cstddef>

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

void image_data(const Call& call, const void* image);  // size and kind from its own header
void image_bytes(const Call& call, const void* data, std::size_t size, const char* origin);
void image_file(const Call& call, const char* path);

}  // namespace wedjat::interposer
