// Numbers as people read them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace wedjat::text {

/// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number);

/// "1 launch", "1,234 launches".
std::string counted(std::uint64_t number, std::string_view one, std::string_view several);

}  // namespace wedjat::text
