#include "emulator/kernel/liveness.h"

#include <algorithm>

namespace wedjat::kernel {
namespace {

// Calls read(value) and write(value, whole) in the order an instruction does; a guarded write leaves lanes as
// they were.
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

using Bits = std::vector<std::uint64_t>;
bool test(const Bits& bits, std::uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }
void set(Bits& bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

class Analysis {
 public:
  Analysis(const Draft& draft, const std::vector<std::uint32_t>& order) : draft_(draft), order_(order) {
    result_.intervals.resize(draft.values.size());
  }

  Liveness run() {
    find_crossing();
    solve();
    measure();
    return std::move(result_);
  }

 private:
  template <class Read, class Write>
  void each_in_block(std::uint32_t block, Read read, Write write) const {
    const DraftBlock& b = draft_.blocks[block];
    for (std::uint32_t i = b.first; i < b.first + b.count; ++i)
      each_access(draft_, draft_.steps[i], read, write);
    each_access(draft_, b.end, read, write);
  }

  // Values that some block reads before it writes them cross blocks; few do, and only they need data flow.
  void find_crossing() {
    crossing_.assign(draft_.values.size(), no_value);
    std::vector<std::uint32_t> written(draft_.values.size(), no_value);
    for (std::uint32_t block : order_) {
      each_in_block(
          block,
          [&](ValueId v) {
            if (draft_.values[v].is_fill || written[v] == block || crossing_[v] != no_value) return;
            crossing_[v] = static_cast<std::uint32_t>(members_.size());
            members_.push_back(v);
          },
          [&](ValueId v, bool whole) {
            if (whole)
              written[v] = block;
            else if (written[v] != block && crossing_[v] == no_value) {
              crossing_[v] = static_cast<std::uint32_t>(members_.size());
              members_.push_back(v);
            }
          });
    }
  }

  void solve() {
    const std::size_t words = (members_.size() + 63) / 64, blocks = draft_.blocks.size();
    in_.assign(blocks, Bits(words));
    out_.assign(blocks, Bits(words));
    std::vector<Bits> kill(blocks, Bits(words));
    for (std::uint32_t block : order_) {
      const auto read = [&](ValueId v) {
        const std::uint32_t c = crossing_[v];
        if (c != no_value && !test(kill[block], c)) set(in_[block], c);
      };
      each_in_block(block, read, [&](ValueId v, bool whole) {
        const std::uint32_t c = crossing_[v];
        if (c == no_value) return;
        if (whole)
          set(kill[block], c);
        else
          read(v);  // lanes outside the guard keep what they have
      });
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = order_.rbegin(); block != order_.rend(); ++block)
        changed |= flow(*block, kill[*block]);
    }
  }

  bool flow(std::uint32_t block, const Bits& kill) {
    bool changed = false;
    const auto join = [&](std::uint32_t successor) {
      for (std::size_t w = 0; w < kill.size(); ++w) {
        const std::uint64_t more = in_[successor][w] & ~out_[block][w];
        out_[block][w] |= more;
        in_[block][w] |= more & ~kill[w];
        changed |= more != 0;
      }
    };
    each_successor(draft_.blocks[block].end, join);
    return changed;
  }

  void extend(ValueId v, std::uint32_t at) {
    if (draft_.values[v].is_fill) return;
    LiveInterval& interval = result_.intervals[v];
    interval.first = std::min(interval.first, at);
    interval.last = std::max(interval.last, at);
  }

  void measure() {
    std::uint32_t position = 0;
    for (std::uint32_t block : order_) {
      const DraftBlock& b = draft_.blocks[block];
      const std::uint32_t begin = 2 * position, end = 2 * (position + b.count) + 1;
      for (std::uint32_t c = 0; c < members_.size(); ++c) {
        if (test(in_[block], c)) extend(members_[c], begin);
        if (test(out_[block], c)) extend(members_[c], end);
      }
      const auto visit = [&](const auto& what) {
        each_access(
            draft_, what, [&](ValueId v) { extend(v, 2 * position); },
            [&](ValueId v, bool) { extend(v, 2 * position + 1); });
        ++position;
      };
      for (std::uint32_t i = b.first; i < b.first + b.count; ++i) visit(draft_.steps[i]);
      visit(b.end);
    }
    const std::size_t entry = order_.front();
    std::vector<bool> given(draft_.values.size());
    for (const DraftPlace& place : draft_.parameters) {
      if (place.kind != Place::Kind::Row) continue;
      given[place.value] = true;
      extend(place.value, 0);
    }
    for (const DraftPlace& place : draft_.results) {
      if (place.kind == Place::Kind::Row) extend(place.value, 2 * position);
    }
    for (std::uint32_t c = 0; c < members_.size(); ++c) {
      if (test(in_[entry], c) && !given[members_[c]]) result_.read_before_written.push_back(members_[c]);
    }
  }

  const Draft& draft_;
  const std::vector<std::uint32_t>& order_;
  std::vector<std::uint32_t> crossing_;  // by value: its bit
  std::vector<ValueId> members_;         // by bit
  std::vector<Bits> in_, out_;
  Liveness result_;
};

}  // namespace

Liveness liveness(const Draft& draft, const std::vector<std::uint32_t>& order) {
  return Analysis(draft, order).run();
}

}  // namespace wedjat::kernel
