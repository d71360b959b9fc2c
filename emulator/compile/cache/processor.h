// Which processor code is made for: whatever the compiler can find out.
#pragma once
#include <string>

namespace wedjat::compile {

/// Bytes that are the same only where model and features are, those that the system saves among them.
std::string processor_identity();

}  // namespace wedjat::compile
