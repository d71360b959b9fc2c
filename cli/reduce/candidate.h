// What is being made smaller: PTX in pieces, and the launches that show the fault.
#pragma once
#include <string>
#include <vector>

#include "cli/expect/case.h"
#include "cli/reduce/pieces.h"

namespace wedjat::reduce {

struct Case {
  std::vector<Piece> pieces;
  std::vector<expect::Launch> launches;

  std::string ptx() const { return join(pieces); }
  std::string text() const;  ///< directives, then PTX: a file for `wedjat expect`
};

}  // namespace wedjat::reduce
