// The text of semantics files, and what is wrong with it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "semcc/ir/expr.h"

namespace semcc::front {

using ir::Location;

struct Source {
  std::string path, text;
};

// Files in the order they were opened; Location::file counts into them.
class Sources {
 public:
  int add(std::string path, std::string text);
  int find(std::string_view path) const;  // -1: not open
  const Source& operator[](int file) const { return files_[static_cast<std::size_t>(file)]; }
  int size() const { return static_cast<int>(files_.size()); }
  std::string_view line(Location at) const;  // without its newline; empty if there is none

 private:
  std::vector<Source> files_;
};

// Thrown where a construct cannot be given a meaning; caught at the nearest statement, which is then
// reported.
struct Refusal {
  Location at;
  std::string message;  // empty: follows from an error that was reported already
};

// All errors of one run: one a location, so that the thousand forms of a family report a mistake once.
class Diagnostics {
 public:
  explicit Diagnostics(const Sources& sources) : sources_(sources) {}

  void error(Location at, std::string message, std::string context = {});
  void error(const Refusal& refusal, const std::string& context = {});
  bool any() const { return !errors_.empty(); }
  std::size_t count() const { return errors_.size(); }

  struct Error {
    Location at;
    std::string message, context;
  };
  std::vector<Error> sorted() const;  // in source order

  // "file:line:col: error: message", the source line and a caret, in source order.
  std::string text() const;

 private:
  const Sources& sources_;
  std::vector<Error> errors_;
};

}  // namespace semcc::front
