// What somebody likely meant who wrote a name that there is not.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace wedjat::text {

/// The name that is nearest to `written`, if it differs in two letters at most (left out, added, changed),
/// and in less than half of them; else empty.
std::string near_miss(std::string_view written, std::span<const std::string> names);

/// "; did you mean NAME?", or nothing.
std::string did_you_mean(std::string_view written, std::span<const std::string> names);

}  // namespace wedjat::text
