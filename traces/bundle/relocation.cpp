#include "traces/bundle/relocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <unordered_map>

#include "emulator/device/error.h"

namespace wedjat::traces {
namespace {

constexpr std::uint64_t word_bytes = 8;

// Allocations that are touched, and variables, their ends too.
class Ranges {
 public:
  explicit Ranges(const Bundle& bundle) {
    for (const auto* const regions : {&bundle.memory, &bundle.variables})
      for (const Bundle::Region& region : *regions)
        ranges_.emplace_back(region.address, region.address + region.bytes);
    std::ranges::sort(ranges_);
  }
  bool hold(std::uint64_t value) const {
    const auto above =
        std::ranges::upper_bound(ranges_, value, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
    return above != ranges_.begin() && value <= std::prev(above)->second;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

Bundle::Pointers candidates(const Bundle& bundle, const Ranges& ranges, bool in_memory) {
  Bundle::Pointers found;
  for (std::uint64_t at = 0; at + word_bytes <= bundle.parameters.size(); at += word_bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bundle.parameters.data() + at, word_bytes);
    const bool is_handle =
        std::ranges::any_of(bundle.handles, [&](const auto& handle) { return handle.offset == at; });
    if (!is_handle && ranges.hold(value)) found.parameters.push_back(at);
  }
  if (in_memory)
    each_word(bundle.input, [&](std::uint64_t address, std::uint64_t value) {
      if (ranges.hold(value)) found.input.push_back(address);
    });
  return found;
}

// What a launch elsewhere left: words that moved as their values do are addresses.
void find_written(Bundle& bundle, const BundleRun& moved, const Places& places, const Ranges& ranges) {
  std::unordered_map<std::uint64_t, std::uint64_t> suspects;
  each_word(bundle.expected, [&](std::uint64_t address, std::uint64_t value) {
    if (ranges.hold(value)) suspects[address] = value;
  });
  each_word(moved.left, [&](std::uint64_t address, std::uint64_t value) {
    const auto suspect = suspects.find(address);
    if (suspect != suspects.end() && value == places.now(suspect->second))
      bundle.pointers->expected.push_back(address);
  });
}

std::string difference_of(const BundleRun& run) {
  for (const BundleDifference& one : run.compared)
    if (one.what != "hardware" && one.differing != 0)
      return fmt::format("{}: {} of {} bytes, the first at {:#x}", one.what, one.differing, one.bytes,
                         one.first);
  return {};
}

// Empty: proved.
std::string prove_with(Bundle& bundle, const Ranges& ranges, bool in_memory, const RunElsewhere& run) {
  bundle.pointers = candidates(bundle, ranges, in_memory);
  std::string cause;
  try {
    for (unsigned way = 0; way < 3 && cause.empty(); ++way) {
      const Places places = Places::elsewhere(bundle, way);
      const BundleRun moved = run(bundle, places);
      if (way == 0)
        find_written(bundle, moved, places, ranges);
      else
        cause = difference_of(moved);
    }
  } catch (const device::Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    cause = error.what();
    cause = cause.substr(0, cause.find('\n'));
  }
  if (!cause.empty()) bundle.pointers.reset();
  return cause;
}

}  // namespace

void each_word(const Runs& runs, const std::function<void(std::uint64_t, std::uint64_t)>& visit) {
  std::vector<const Run*> order;
  for (const Run& run : runs) order.push_back(&run);
  std::ranges::sort(order, {}, &Run::address);
  std::uint64_t value = 0, next = 0;  // of the word that is being read: the byte that is missing first
  unsigned have = 0;
  for (const Run* const run : order) {
    const std::vector<std::byte>& pattern = run->pattern;
    for (std::uint64_t i = 0; i < run->bytes;) {
      const std::uint64_t address = run->address + i, in_pattern = i % pattern.size();
      if (address % word_bytes == 0 && run->bytes - i >= word_bytes &&
          pattern.size() - in_pattern >= word_bytes) {
        std::memcpy(&value, pattern.data() + in_pattern, word_bytes);
        visit(address, value);
        i += word_bytes;
        have = 0;
        continue;
      }
      if (address % word_bytes == 0 || address != next) have = 0;
      const auto in_word = static_cast<unsigned>(address % word_bytes);
      if (have == in_word) {
        if (have == 0) value = 0;
        value |= std::to_integer<std::uint64_t>(pattern[in_pattern]) << 8 * in_word;
        if (++have == word_bytes) visit(address - (word_bytes - 1), value);
      }
      next = address + 1;
      ++i;
    }
  }
}

void find_pointers(Bundle& bundle, const RunElsewhere& run) {
  const Ranges ranges(bundle);
  const std::string cause = prove_with(bundle, ranges, true, run);
  if (cause.empty()) return;
  const auto all = candidates(bundle, ranges, true).input.size();
  // Numbers in memory may look like addresses by chance.
  if (all != 0 && prove_with(bundle, ranges, false, run).empty()) return;
  bundle.notes.push_back(
      fmt::format("it runs at the addresses of the recording only: which of its words are addresses could "
                  "not be proved ({})",
                  cause));
}

}  // namespace wedjat::traces
