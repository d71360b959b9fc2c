// What an access does to memory.
#pragma once
#include <cstdint>

namespace wedjat::exec {

enum class Use : std::uint8_t { read, write, update };

}  // namespace wedjat::exec
