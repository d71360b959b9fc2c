#include "emulator/sched/turns.h"

namespace wedjat::sched {

void Turns::pass(bool finished) {
  if (finished)
    round_.erase(current_);
  else
    round_.insert(current_);
  if (const auto next = round_.upper_bound(current_); next != round_.end())
    current_ = *next;
  else if (next_new_ < ctas_ && round_.size() < window_)
    current_ = next_new_++;
  else
    current_ = round_.empty() ? nobody : *round_.begin();
}

}  // namespace wedjat::sched
