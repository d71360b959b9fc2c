// How a form lets threads wait for each other, read off its body.
#pragma once
#include "semcc/ir/form.h"

namespace semcc::emit {

struct Synchronization {
  bool arrives = false;  ///< at a barrier
  bool waits = false;    ///< at a barrier, or for a phase of an mbarrier
  bool cluster = false;  ///< the barrier is that of the cluster
};

Synchronization synchronization_of(const ir::Form& form);

}  // namespace semcc::emit
