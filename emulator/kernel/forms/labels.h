// What the memory labels of a form say of its accesses.
#pragma once
#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// Others may wait for it: volatile, relaxed, acquire, release …
inline bool is_strong(const Form& form) { return form.semantics > Semantics::Weak; }

inline bool acquires_and_releases(const Form& form) {
  return form.semantics == Semantics::AcqRel || form.semantics == Semantics::Sc;
}
inline bool acquires(const Form& form) {
  return form.semantics == Semantics::Acquire || acquires_and_releases(form);
}
inline bool releases(const Form& form) {
  return form.semantics == Semantics::Release || acquires_and_releases(form);
}

}  // namespace wedjat::kernel
