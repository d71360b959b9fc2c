// One `instruction` of a file -> its legal forms.
#pragma once
#include "semcc/check/family/legal.h"
#include "semcc/check/family/traits.h"
#include "semcc/ir/form.h"

namespace semcc::check {

class FamilyChecker {
 public:
  FamilyChecker(const front::Instruction& instruction, Scope scope, front::Diagnostics& diagnostics)
      : instruction_(instruction),
        scope_(std::move(scope)),
        diagnostics_(diagnostics),
        legality_(instruction, scope_, mentioned_),
        traits_(instruction, scope_, mentioned_) {}

  ir::Family run();

 private:
  void check_heading();  // what a reader sees first
  void check_shape();    // what must be there at all
  void check_bodies();
  void expand(const front::FormDecl& declaration, ir::Family& family);
  void spell(const front::FormDecl& declaration, const Bound& bound, ir::Form& form);
  void fill(const front::FormDecl& declaration, const Bound& bound, ir::Form& form);
  void prove(const front::ProveDecl& claim, ir::Family& family);
  void report_unused();
  void want_evidence(const ir::Family& family);
  void want_reason(const ir::Family& family);

  const front::Instruction& instruction_;
  Scope scope_;
  front::Diagnostics& diagnostics_;
  Mentioned mentioned_;
  Legality legality_;
  Traits traits_;
};

}  // namespace semcc::check
