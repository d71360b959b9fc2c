// An argument that was written wrongly.
#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace wedjat::cli {

[[noreturn]] inline void wrong(const std::string& text, const std::string& cause) {
  throw std::invalid_argument(fmt::format("'{}': {}", text, cause));
}

}  // namespace wedjat::cli
