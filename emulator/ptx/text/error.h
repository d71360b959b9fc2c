// What is thrown for text that is not PTX: always with file, line, column and the line itself.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace wedjat::ptx {

/// A place in a source file; both count from 1, 0 means unknown.
struct Location {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class Error : public std::runtime_error {
 public:
  /// what() becomes "file:line:column: message", the source line and a caret under the column.
  Error(std::string file, Location where, std::string message, std::string_view source_line = {});

  const std::string& file() const { return file_; }
  Location where() const { return where_; }
  /// The message alone, without place and source line.
  const std::string& message() const { return message_; }

 private:
  std::string file_;
  Location where_;
  std::string message_;
};

}  // namespace wedjat::ptx
