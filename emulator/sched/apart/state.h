// What is known at a place of a kernel, whichever thread comes there.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/sched/apart/value.h"

namespace wedjat::sched::apart {

/// What follows from a predicate.
struct Condition {
  std::vector<Fact> when_true, when_false;
  std::optional<bool> always;  ///< it is that in every thread

  Condition negated() const;
};

/// By row of the frame; rows that overlap one that is written are forgotten.
class State {
 public:
  explicit State(std::uint32_t frame_bytes) : slots_(frame_bytes / 64) {}

  std::size_t slots() const { return slots_.size(); }
  Known value(std::uint32_t row, unsigned bytes) const;
  /// Null: nothing is known.
  const Condition* condition(std::uint32_t row) const;
  void set(std::uint32_t row, unsigned bytes, Known value);
  void set(std::uint32_t row, Condition condition);

  /// Nothing is known of conditions that depend on the symbol, and of values a range.
  void forget(std::uint8_t symbol, const Symbols& symbols);
  /// What holds whether it came from here or there.
  State or_else(const State& other, const Symbols& symbols) const;
  /// Whether all that this says of rows is so in the other; what is not it forgets.
  bool give_up_what_is_not_in(const State& other, const Symbols& symbols);
  /// Symbol s is now what was s + 1: a round later.
  void next_round(std::uint8_t symbol);
  /// As `first` found it, before the first round, and `second` after it: what grows by the same each time is
  /// a multiple of the symbol, what else differs is not known.
  static State of_rounds(const State& first, const State& second, std::uint8_t symbol);

  Facts facts;

 private:
  struct Slot {
    std::uint8_t bytes = 0;  ///< of an element of the row that begins here; 0: none does
    std::shared_ptr<const Value> value;
    std::shared_ptr<const Condition> condition;
    bool is_empty() const { return value == nullptr && condition == nullptr; }
  };
  void clear(std::uint32_t row, unsigned bytes);

  std::vector<Slot> slots_;
};

}  // namespace wedjat::sched::apart
