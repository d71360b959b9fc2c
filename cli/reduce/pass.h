// Ways to make a case smaller.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cli/reduce/candidate.h"

namespace wedjat::reduce {

/// A list of changes of a case, each of which makes it smaller or simpler by itself, so that any number of
/// them comes to an end.
class Pass {
 public:
  virtual ~Pass() = default;
  virtual std::string name() const = 0;
  virtual std::size_t count(const Case& of) const = 0;
  /// False: this change changes nothing.
  virtual bool apply(Case& to, std::size_t change) const = 0;
};

std::vector<std::unique_ptr<Pass>> text_passes(std::size_t pieces);  ///< pieces.cpp's view: what is taken out
std::vector<std::unique_ptr<Pass>> operand_passes();  ///< guards, operands, literals, registers
std::vector<std::unique_ptr<Pass>> input_passes();    ///< launches, dimensions, parameters, bytes

}  // namespace wedjat::reduce
