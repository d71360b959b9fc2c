// What steps and block ends of a draft read and write.
#pragma once
#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

/// Calls read(value) and write(value, whole) in the order an instruction does; a guarded write leaves lanes
/// as they were.
template <class Read, class Write>
void each_access(const Draft& draft, const DraftStep& step, Read read, Write write) {
  for (const Use& use : draft.uses_of(step)) {
    if (use.role == Role::In || use.role == Role::InOut) read(use.value);
  }
  if (step.guard != no_value) read(step.guard);
  for (const Use& use : draft.uses_of(step)) {
    if (use.role == Role::Out || use.role == Role::InOut) write(use.value, step.guard == no_value);
  }
}

template <class Read, class Write>
void each_access(const Draft& draft, const DraftEnd& end, Read read, Write write) {
  if (end.guard != no_value) read(end.guard);
  if (end.row != no_value) read(end.row);
  for (const DraftPlace& place : end.arguments) {
    if (place.kind == Place::Kind::Row) read(place.value);
  }
  for (const DraftPlace& place : end.results) {
    if (place.kind == Place::Kind::Row) write(place.value, end.guard == no_value);
  }
  if (end.kind == End::Return) {
    for (const DraftPlace& place : draft.results) {
      if (place.kind == Place::Kind::Row) read(place.value);
    }
  }
}

/// Those of all steps of a block and of its end.
template <class Read, class Write>
void each_access(const Draft& draft, const DraftBlock& block, Read read, Write write) {
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
    each_access(draft, draft.steps[i], read, write);
  each_access(draft, block.end, read, write);
}

}  // namespace wedjat::kernel
