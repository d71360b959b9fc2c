// The product of a form's sets: every way its text can be written, hints aside.
#pragma once
#include "semcc/check/types/scope.h"
#include "semcc/check/types/since.h"
#include "semcc/check/types/value.h"

namespace semcc::check {

struct Choice {
  Bound bound;
  ir::Since since;
};

// Binds every set of the form's text, narrowed by `with`. Throws Refusal.
std::vector<Choice> choices(const front::FormDecl& form, const Scope& scope);

// Sets that `with` names without their standing in the text.
std::vector<std::string> sets_in(const front::FormDecl& form, const Scope& scope);

}  // namespace semcc::check
