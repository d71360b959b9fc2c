// Statements that must not become more.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "cli/reduce/candidate.h"

namespace wedjat::reduce {

/// An extended regular expression of POSIX.
class Avoided {
 public:
  /// Throws std::invalid_argument if it is none.
  explicit Avoided(const std::string& text);
  std::size_t matches(const Case& of) const;  ///< how many of its statements have it in them

 private:
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

}  // namespace wedjat::reduce
