#include "traces/replay/state/host_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace wedjat::traces {

void HostRange::Free::operator()(std::byte* bytes) const { std::free(bytes); }

HostRange::HostRange(std::uint64_t host_address, std::uint64_t device_address, std::uint64_t bytes)
    : host(host_address), device(device_address), size(bytes) {
  // calloc: pages that nobody touches cost nothing.
  recorded_.reset(static_cast<std::byte*>(std::calloc(std::max<std::uint64_t>(bytes, 1), 1)));
  if (!recorded_) throw std::bad_alloc();
}

HostRange& HostMemory::begin(std::uint64_t host, std::uint64_t device, std::uint64_t size) {
  ranges_.erase(host);
  return ranges_.emplace(host, HostRange(host, device, size)).first->second;
}

HostRange* HostMemory::find(std::uint64_t address) {
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return nullptr;
  HostRange& range = std::prev(next)->second;
  return address - range.host < range.size ? &range : nullptr;
}

void HostMemory::recorded(std::uint64_t address, std::span<const std::byte> bytes) {
  HostRange* range = find(address);
  if (!range) return;
  const std::uint64_t offset = address - range->host;
  const std::uint64_t size = std::min<std::uint64_t>(bytes.size(), range->size - offset);
  std::memcpy(range->recorded().data() + offset, bytes.data(), size);
}

void HostMemory::host_wrote(std::uint64_t address, const Bytes& bytes) {
  const HostRange* range = find(address);
  if (!range) return;
  const std::uint64_t offset = address - range->host;
  device_.write(range->device + offset,
                std::span(bytes).first(std::min<std::uint64_t>(bytes.size(), range->size - offset)));
  recorded(address, bytes);
}

void HostMemory::someone_wrote(std::uint64_t address, const Bytes& bytes, Seen seen) {
  HostRange* range = find(address);
  if (!range) return;
  const std::uint64_t offset = address - range->host;
  const std::uint64_t size = std::min<std::uint64_t>(bytes.size(), range->size - offset);
  std::vector<bool> of_device(size, seen == Seen::after_wait && range->managed);
  if (seen == Seen::after_wait) range->uncompared.emplace_back(offset, size);
  for (const auto& [begin, length] : range->given) {
    if (seen == Seen::by_work || begin >= offset + size || begin + length <= offset) continue;
    const auto from = static_cast<std::ptrdiff_t>(std::max(begin, offset) - offset);
    const auto to = static_cast<std::ptrdiff_t>(std::min(begin + length, offset + size) - offset);
    std::fill(of_device.begin() + from, of_device.begin() + to, true);
    if (seen == Seen::by_wait)
      range->uncompared.emplace_back(offset + static_cast<std::uint64_t>(from), to - from);
  }
  Bytes ours(size);
  device_.read(range->device + offset, ours);
  const std::byte* before = range->recorded().data() + offset;
  // Byte runs that the host wrote: who watches writes hears of no others.
  const auto of_host = [&](std::uint64_t i) {
    return !of_device[i] && ours[i] == before[i] && ours[i] != bytes[i];
  };
  for (std::uint64_t i = 0; i < size; ++i) {
    std::uint64_t end = i;
    while (end < size && of_host(end)) ++end;
    if (end == i) continue;
    device_.write(range->device + offset + i, std::span(bytes).subspan(i, end - i));
    i = end;
  }
  recorded(address, bytes);
}

HostRange* HostMemory::find_either(std::uint64_t address) {
  if (HostRange* range = find(address)) return range;
  for (auto& [host, range] : ranges_)
    if (range.device != host && address - range.device < range.size) return &range;
  return nullptr;
}

void HostMemory::given(const Bytes& parameters) {
  if (ranges_.empty()) return;
  for (std::size_t at = 0; at + 8 <= parameters.size(); at += 4) {
    std::uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, sizeof word);
    if (HostRange* range = find_either(word)) range->given = {{0, range->size}};
  }
}

void HostMemory::given(std::uint64_t address, std::uint64_t size) {
  HostRange* range = find_either(address);
  if (!range) return;
  const std::uint64_t offset = address - (find(address) ? range->host : range->device);
  if (range->given != std::vector{std::pair{std::uint64_t{0}, range->size}})
    range->given.emplace_back(offset, std::min(size, range->size - offset));
}

void HostMemory::taken(std::uint64_t address, std::uint64_t size) {
  HostRange* range = find_either(address);
  if (!range) return;
  const std::uint64_t offset = address - (find(address) ? range->host : range->device);
  const auto one = std::ranges::find(range->given, std::pair{offset, std::min(size, range->size - offset)});
  if (one != range->given.end() && one->second != range->size) range->given.erase(one);
}

void HostMemory::rest() {
  for (auto& [host, range] : ranges_) range.given.clear();
}

std::optional<Bytes> HostMemory::difference(HostRange& range) const {
  constexpr std::uint64_t chunk = std::uint64_t{1} << 20;
  Bytes ours(std::min(chunk, range.size));
  for (std::uint64_t done = 0; done < range.size; done += chunk) {
    const std::uint64_t now = std::min(chunk, range.size - done);
    device_.read(range.device + done, std::span(ours).first(now));
    if (std::memcmp(ours.data(), range.recorded().data() + done, now) == 0) continue;
    Bytes whole(range.size);
    device_.read(range.device, whole);
    return whole;
  }
  return std::nullopt;
}

}  // namespace wedjat::traces
