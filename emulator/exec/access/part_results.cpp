#include "emulator/exec/access/part_results.h"

#include <algorithm>
#include <cstring>

namespace wedjat::exec {

namespace {

void fill(std::byte* words, std::uint64_t count, std::uint64_t value, unsigned bytes) {
  for (std::uint64_t i = 0; i < count; ++i) std::memcpy(words + i * bytes, &value, bytes);
}

}  // namespace

std::optional<memory::Extent> PartResults::stand_in(const memory::Extent& extent, const UpdateRunner& runner,
                                                    const UpdateAlgebra& algebra) {
  const unsigned bytes = runner.element_bytes();
  if (!algebra.neutral || extent.address % bytes != 0) return std::nullopt;
  const auto [place, is_new] = parts_.try_emplace(extent.address);
  Part& part = place->second;
  if (is_new) {
    part = {extent, memory::HostPages(extent.size), runner, *algebra.neutral};
    fill(part.words.data(), extent.size / bytes, *algebra.neutral, bytes);
  }
  return memory::Extent{extent.address, extent.size, part.words.data()};
}

void PartResults::deliver() {
  for (const auto& each : parts_) {
    const Part& part = each.second;
    const unsigned bytes = part.runner->element_bytes();
    const std::uint64_t count = part.extent.size / bytes;
    alignas(64) std::byte none[lanes * sizeof(std::uint64_t)];
    fill(none, lanes, part.neutral, bytes);
    const auto is_none = [&](std::uint64_t first) {
      return std::memcmp(part.words.data() + first * bytes, none,
                         std::min<std::uint64_t>(lanes, count - first) * bytes) == 0;
    };
    for (std::uint64_t first = 0, end = 0; first < count; first = end + lanes) {
      for (end = first; end < count && !is_none(end);) end += lanes;
      end = std::min(end, count);
      if (end != first)
        part.runner->apply(part.extent.host + first * bytes, part.words.data() + first * bytes, end - first);
    }
  }
  parts_.clear();
}

}  // namespace wedjat::exec
