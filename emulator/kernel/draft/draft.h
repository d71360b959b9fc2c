// A function being lowered: steps over values instead of rows. Every register, parameter, immediate and
// temporary is a value; rows come last, when it is known which values live at the same time.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::kernel {

using ValueId = std::uint32_t;
inline constexpr ValueId no_value = ~ValueId{0};

struct Value {
  std::uint8_t bytes = 4;  ///< of one lane; 0: predicate
  bool is_fill = false;    ///< `fill` says what it holds; steps never write it
  RowFill fill;
};

enum class Role : std::uint8_t {
  In,
  Out,
  InOut,
  Number
};  ///< Number: not a value but an entry of Step::row as it stands

struct Use {
  ValueId value = no_value;
  Role role = Role::In;
};

struct DraftStep {
  const Form* form = nullptr;  ///< null: a SystemOp, see flags
  std::uint32_t id = 0;
  std::uint32_t first_use = 0, uses = 0;
  ValueId guard = no_value;
  std::uint16_t flags = 0;
  bool is_own =
      false;  ///< lowering's own, and a function of its inputs alone: it may be moved to where they are known
};

/// As Place.
struct DraftPlace {
  Place::Kind kind = Place::Kind::Row;
  ValueId value = no_value;  ///< Row
  std::uint32_t offset = 0;  ///< Local
  std::uint32_t bytes = 0;
};

struct DraftEnd {
  End kind = End::Fall;
  bool negated = false;
  ValueId guard = no_value;
  std::uint32_t id = 0, target = 0, next = 0;
  ValueId row = no_value;
  std::vector<std::uint32_t> targets;
  std::vector<DraftPlace> arguments, results;
};

/// In source order; DraftEnd counts blocks likewise.
struct DraftBlock {
  std::uint32_t first = 0, count = 0, instructions = 0, first_id = 0;
  bool rolled = false;    ///< `.pragma "nounroll"` stands in it
  bool unrolled = false;  ///< a loop of which ptxas makes several iterations one
  DraftEnd end;
};

/// Calls visit(block) for every block that may run next in the same function.
template <class Visit>
void each_successor(const DraftEnd& end, Visit visit) {
  switch (end.kind) {
    case End::Fall:
      visit(end.target);
      return;
    case End::Branch:
      visit(end.target);
      visit(end.next);
      return;
    case End::IndexedBranch:
      for (std::uint32_t target : end.targets) visit(target);
      if (end.guard != no_value) visit(end.next);
      return;
    case End::Call:
      visit(end.next);
      return;
    case End::Return:
    case End::Exit:
    case End::Trap:
      if (end.guard != no_value) visit(end.next);
      return;
  }
}

class Draft {
 public:
  std::vector<Value> values;
  std::vector<DraftStep> steps;
  std::vector<Use> uses;
  std::vector<DraftBlock> blocks;
  std::vector<DraftPlace> parameters, results;
  std::uint64_t local_bytes = 0;
  /// By element of a register: the value it is, or stands for. Empty: nobody asks for them.
  std::vector<ValueId> registers;
  bool may_hoist = true;

  std::span<const Use> uses_of(const DraftStep& step) const {
    return {uses.data() + step.first_use, step.uses};
  }

  ValueId add(unsigned bytes) {
    values.push_back({static_cast<std::uint8_t>(bytes), false, {}});
    return static_cast<ValueId>(values.size() - 1);
  }
  /// The value that holds this; the same one for the same content.
  ValueId fill(RowFill::Source source, unsigned bytes, std::uint64_t value, std::uint64_t high = 0);

  std::uint32_t local(std::uint64_t bytes, std::uint64_t alignment) {
    local_bytes = (local_bytes + alignment - 1) / alignment * alignment;
    const std::uint64_t offset = local_bytes;
    local_bytes += bytes;
    return static_cast<std::uint32_t>(offset);
  }

 private:
  struct Content {
    std::uint64_t value, high;
    RowFill::Source source;
    std::uint8_t bytes;
    bool operator==(const Content&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Content& content) const {
      return (content.value * 0x9e3779b97f4a7c15u ^ content.high) +
             64 * static_cast<unsigned>(content.source) + content.bytes;
    }
  };
  std::unordered_map<Content, ValueId, Hash> fills_;
};

inline ValueId Draft::fill(RowFill::Source source, unsigned bytes, std::uint64_t value, std::uint64_t high) {
  const auto narrow = static_cast<std::uint8_t>(bytes);
  const auto [at, added] =
      fills_.try_emplace({value, high, source, narrow}, static_cast<ValueId>(values.size()));
  if (added) values.push_back({narrow, true, {0, source, narrow, value, high}});
  return at->second;
}

}  // namespace wedjat::kernel
