// What a family asks of whoever uses it, what it leaves open, and what it touches.
#pragma once
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

// Each an entry of a list; in the order of first use.
struct Rules {
  std::vector<std::string> rules;    // who executes it and how it is written
  std::vector<std::string> faults;   // values with which it fails
  std::vector<std::string> effects;  // what it does beside its results
};
Rules rules_of(const ir::Family& family);

}  // namespace semcc::emit
