// A tool that cannot be loaded, that refuses its options, or that was asked for what there is not.
#pragma once
#include <stdexcept>

namespace wedjat::hooks {

class ToolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file named for a tool cannot be read or written, or is not what it should be.
class ToolFileError : public ToolError {
 public:
  using ToolError::ToolError;
};

}  // namespace wedjat::hooks
