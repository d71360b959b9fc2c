// What every reader of a trace throws: the file, where in it, and why.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace wedjat::traces {

class FormatError : public std::runtime_error {
 public:
  FormatError(const std::string& file, const std::string& cause) : std::runtime_error(file + ": " + cause) {}
  FormatError(const std::string& file, std::uint64_t offset, const std::string& cause)
      : std::runtime_error(file + ": offset " + std::to_string(offset) + ": " + cause) {}
};

}  // namespace wedjat::traces
