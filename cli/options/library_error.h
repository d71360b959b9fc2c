// What the library (cli/library) says went wrong, thrown.
#pragma once
#include <stdexcept>

#include "cli/library/wedjat.h"

namespace wedjat::cli {

class LibraryError : public std::runtime_error {
 public:
  explicit LibraryError(const WedjatError& error) : std::runtime_error(error.message), status(error.status) {}
  WedjatStatus status;
};

/// Throws LibraryError unless all is well.
inline void must(WedjatStatus status) {
  if (status != WEDJAT_OK) throw LibraryError(*wedjat_last_error());
}

}  // namespace wedjat::cli
