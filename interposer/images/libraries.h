// Device code inside the files that host linkers read: objects, and archives of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interposer/images/linked.h"

namespace wedjat::interposer {

// The fatbins in an object or archive, named after it; of libcudadevrt.a, which holds machine code alone, our
// own PTX of its functions. None where it holds no device code.
std::vector<LinkedPart> code_of_library(const std::string& name, std::span<const std::byte> file);

// Our PTX of libcudadevrt.a, and whether some text wants a function of it, which the driver knows too.
extern const char* const device_runtime;
bool wants_device_runtime(std::string_view ptx);

bool is_archive(std::span<const std::byte> file);

}  // namespace wedjat::interposer
