// Addresses and handles in a manifest are text: many readers of JSON round numbers of 64 bits.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace wedjat::traces {

inline std::string hex(std::uint64_t number) { return fmt::format("{:#x}", number); }
// Throws std::exception if it is none.
inline std::uint64_t number(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>(), nullptr, 16);
}

}  // namespace wedjat::traces
