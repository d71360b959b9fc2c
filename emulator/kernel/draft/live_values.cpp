#include "emulator/kernel/draft/live_values.h"

#include "emulator/kernel/draft/draft_access.h"

namespace wedjat::kernel {
namespace {

void set(std::vector<std::uint64_t>& bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

}  // namespace

LiveValues::LiveValues(const Draft& draft, const std::vector<std::uint32_t>& blocks) : draft_(draft) {
  find_crossing(blocks);
  solve(blocks);
}

// Values that some block reads before it writes them cross blocks; few do, and only they need data flow.
void LiveValues::find_crossing(const std::vector<std::uint32_t>& blocks) {
  crossing_.assign(draft_.values.size(), no_value);
  std::vector<std::uint32_t> written(draft_.values.size(), no_value);
  for (std::uint32_t block : blocks) {
    each_access(
        draft_, draft_.blocks[block],
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

void LiveValues::solve(const std::vector<std::uint32_t>& blocks) {
  const std::size_t words = (members_.size() + 63) / 64, count = draft_.blocks.size();
  in_.assign(count, Bits(words));
  out_.assign(count, Bits(words));
  std::vector<Bits> kill(count, Bits(words));
  for (std::uint32_t block : blocks) {
    const auto read = [&](ValueId v) {
      const std::uint32_t c = crossing_[v];
      if (c != no_value && !test(kill[block], c)) set(in_[block], c);
    };
    each_access(draft_, draft_.blocks[block], read, [&](ValueId v, bool whole) {
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
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) changed |= flow(*block, kill[*block]);
  }
}

bool LiveValues::flow(std::uint32_t block, const Bits& kill) {
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

}  // namespace wedjat::kernel
