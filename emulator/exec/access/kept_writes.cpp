#include "emulator/exec/access/kept_writes.h"

#include <algorithm>
#include <cstring>

#include "emulator/exec/access/fault.h"

namespace wedjat::exec {

namespace {

// A thread's share of what is kept is some of these.
constexpr std::size_t piece_bytes = 32 * 1024;

std::byte* end_of(KeptWrites::Bytes bytes) { return bytes.data() + bytes.size(); }

std::vector<KeptWrites::Bytes> joined(std::vector<KeptWrites::Bytes> ranges) {
  std::ranges::sort(ranges, {}, [](KeptWrites::Bytes range) { return range.data(); });
  std::vector<KeptWrites::Bytes> result;
  for (const KeptWrites::Bytes range : ranges) {
    if (range.empty()) continue;
    if (result.empty() || end_of(result.back()) < range.data())
      result.push_back(range);
    else
      result.back() = {result.back().data(), std::max(end_of(result.back()), end_of(range))};
  }
  return result;
}

}  // namespace

KeptWrites::KeptWrites(std::vector<Bytes> written, std::vector<bool> indirect)
    : written_(joined(std::move(written))), indirect_(std::move(indirect)) {
  for (Bytes rest : written_)
    while (!rest.empty()) {
      const Bytes piece = rest.first(std::min(rest.size(), piece_bytes));
      pieces_.push_back({piece, arena_.take(piece.size())});
      rest = rest.subspan(piece.size());
    }
}

void KeptWrites::keep(std::size_t piece) {
  const auto& [from, copy] = pieces_[piece];
  std::memcpy(copy, from.data(), from.size());
}

void KeptWrites::restore() const {
  for (const auto& [from, copy] : pieces_) std::memcpy(from.data(), copy, from.size());
}

memory::Extent KeptWrites::readable(std::uint32_t step_id, const memory::Extent& allocation,
                                    std::uint64_t address, std::uint64_t bytes) {
  if (!indirect_[step_id]) return allocation;
  std::byte* const at = allocation.host + (address - allocation.address);
  std::byte *first = allocation.host, *end = allocation.host + allocation.size;
  const auto behind = std::ranges::upper_bound(written_, at, {}, end_of);
  if (behind != written_.end()) {
    if (behind->data() < at + bytes) {
      were_read_ = true;
      throw Abandoned{};
    }
    end = std::min(end, behind->data());
  }
  if (behind != written_.begin()) first = std::max(first, end_of(*std::prev(behind)));
  return {address - static_cast<std::uint64_t>(at - first), static_cast<std::uint64_t>(end - first), first};
}

}  // namespace wedjat::exec
