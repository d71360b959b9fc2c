// The text of one file and where its lines begin.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/text/error.h"

namespace wedjat::ptx {

class Source {
 public:
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return *text_; }
  std::size_t offset_of(const char* at) const { return static_cast<std::size_t>(at - text_->data()); }

  Location location(std::size_t offset) const;
  /// Of a known place.
  std::size_t offset_of(Location where) const { return line_starts_[where.line - 1] + where.column - 1; }
  /// The line (from 1) without its end.
  std::string_view line(std::uint32_t number) const;
  /// Throws Error.
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
  [[noreturn]] void fail(Location where, const std::string& message) const;

 private:
  std::string name_;
  std::unique_ptr<const std::string> text_;  ///< on the heap: string_views into it survive a move
  std::vector<std::uint32_t> line_starts_;
};

}  // namespace wedjat::ptx
