#include "traces/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>

#include "emulator/device/error.h"
#include "traces/bundle/byte_set.h"
#include "traces/compare/marks.h"
#include "traces/extract/touched.h"

namespace wedjat::traces {
namespace {

// A launch that ran with its exact values.
struct Exact {
  Exact(const Ring& ring, const Bundle& of, const ReplayOptions& options) : marks(ring) {
    marks.attach(hooks);
    device::Device device({.threads = 1,
                           .launch_limits = options.launch_limits,
                           .contract = options.contract,
                           .surroundings = of.surroundings,
                           .hooks = &hooks});
    result = run_bundle(device, of);
    for (const Run& run : result.left) runs[run.address] = &run;
  }
  // What it left from there on without a gap, at most.
  std::span<const std::byte> from(std::uint64_t address) const {
    const auto above = runs.upper_bound(address);
    if (above == runs.begin()) return {};
    const Run& run = *std::prev(above)->second;
    return std::span(run.pattern).subspan(std::min(address - run.address, run.bytes));
  }
  std::uint64_t bits(std::uint64_t address, unsigned count) const {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < count; ++i)
      if (const auto left = from(address + i); !left.empty())
        bits |= std::to_integer<std::uint64_t>(left.front()) << 8 * i;
    return bits;
  }

  Marks marks;
  hooks::Hooks hooks;
  BundleRun result;
  std::map<std::uint64_t, const Run*> runs;  // what it left, by address
};

void check_same_memory(const Bundle& a, const Bundle& b) {
  const auto same = [](const Bundle::Region& x, const Bundle::Region& y) {
    return x.address == y.address && x.bytes == y.bytes;
  };
  for (const Bundle::Region& region : a.memory)
    for (const Bundle::Region& other : b.memory)
      if (region.address < other.address + other.bytes && other.address < region.address + region.bytes &&
          !same(region, other))
        throw device::Refused(
            fmt::format("the launches have other memory: {} bytes at {:#x}, and {} at {:#x}", region.bytes,
                        region.address, other.bytes, other.address));
  if (compare_runs("", a.input, b.input).differing != 0 || a.parameters != b.parameters)
    throw device::Refused("the launches have other inputs: nothing follows from what they leave");
}

void check_size(const Bundle& bundle, std::uint64_t limit) {
  if (const std::uint64_t bytes = bytes_of(bundle.expected); bytes > limit)
    throw device::Refused(
        fmt::format("the launches have {} bytes of memory to compare, and {} are allowed (--memory-limit)",
                    bytes, limit));
}

bool all_hold(const std::vector<Bundle::Region>& regions, std::uint64_t address) {
  return std::ranges::any_of(regions,
                             [&](const Bundle::Region& one) { return address - one.address < one.bytes; });
}

// All memory of both, since one may write where the other does not, and all that either reads there, since
// what only one reads is there for both.
void ask_for_all(Bundle& bundle, const Bundle& other) {
  std::map<std::uint64_t, Bundle::Region> all;
  for (const Bundle* const from : {static_cast<const Bundle*>(&bundle), &other})
    for (const Bundle::Region& region : from->memory) all[region.address] = region;
  Runs everything;
  bundle.memory.clear();
  for (const auto& [address, region] : all) {
    bundle.memory.push_back(region);
    everything.push_back({address, region.bytes, {std::byte{0}}});
  }
  for (const Run& run : bundle.expected)
    if (!all_hold(bundle.memory, run.address)) everything.push_back(run);
  for (const Run& run : other.input)
    if (all_hold(bundle.memory, run.address)) bundle.input.push_back(run);
  bundle.expected = std::move(everything);
  bundle.hardware.reset();
}

// What the second launch leaves in arrays of texels is compared with what the first did.
void expect_texels_of(const Bundle& first, Bundle& second) {
  const auto same = [](const Bundle::Array& x, const Bundle::Array& y) { return x.input == y.input; };
  if (!std::ranges::equal(first.arrays, second.arrays, same))
    throw device::Refused(
        "the launches have other textures or surfaces: nothing follows from what they leave");
  for (std::size_t i = 0; i < first.arrays.size(); ++i) {
    const Bundle::Array& array = first.arrays[i];
    second.arrays[i].expected = array.expected.empty() ? array.input : array.expected;
  }
}

class Comparing {
 public:
  Comparing(const Bundle& bundle, const Ring& ring, const Exact& a, const Exact& b)
      : bundle_(bundle), ring_(ring), a_(a), b_(b) {}

  Comparison done() {
    ByteSet addresses;
    for (const auto* const run : {&a_, &b_})
      for (const auto& [address, left] : run->runs) addresses.add(address, left->bytes);
    addresses.each_run([&](std::uint64_t first, std::uint64_t bytes) {
      result_.bytes += bytes;
      compare(first, first + bytes);
    });
    for (const auto* const run : {&a_, &b_}) {
      result_.decisions += run->marks.decisions;
      for (const std::string& form : run->marks.not_followed)
        if (std::ranges::find(result_.not_followed, form) == result_.not_followed.end())
          result_.not_followed.push_back(form);
    }
    texels();
    result_.equality = result_.bytes == 0             ? Equality::undecided
                       : result_.differing == 0       ? Equality::bits
                       : result_.different == 0       ? Equality::rounding
                       : result_.not_followed.empty() ? Equality::different
                                                      : Equality::undecided;
    return result_;
  }

 private:
  void compare(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t address = first; address != end;) {
      const auto in_a = a_.from(address), in_b = b_.from(address);
      const auto both = std::min<std::uint64_t>({in_a.size(), in_b.size(), end - address});
      const auto differs = std::mismatch(in_a.begin(), in_a.begin() + both, in_b.begin()).first;
      const auto same = static_cast<std::uint64_t>(differs - in_a.begin());
      address += same;
      if (both != 0 && same == both) continue;
      ++result_.differing;
      if (address >= done_) done_ = both != 0 ? number(address) : different(address, 1, false);
      ++address;
    }
  }

  // Texels have no exact values: where only they differ, it is undecided.
  void texels() {
    const bool is_decided = result_.different != 0 && result_.not_followed.empty();
    for (const BundleDifference& array : b_.result.compared) {
      if (!array.what.starts_with("array ")) continue;
      result_.bytes += array.bytes;
      result_.differing += array.differing;
      result_.different += array.differing != 0;
      if (array.differing != 0 && !is_decided) result_.not_followed.push_back("texels of " + array.what);
    }
  }

  // A number that holds this byte; none where something else was written since.
  static const Part* part_at(const Exact& run, std::uint64_t address, std::uint64_t& begin) {
    for (std::uint64_t back = 0; back < 8; ++back) {
      const Marks::Held* const held = run.marks.at(address - back);
      if (held == nullptr || bytes_of(held->part.format) <= back) continue;
      begin = address - back;
      if (held->any_bits || run.bits(begin, bytes_of(held->part.format)) == held->part.bits)
        return &held->part;
    }
    return nullptr;
  }

  std::uint64_t number(std::uint64_t address) {
    std::uint64_t at_a = 0, at_b = 0;
    const Part *a = part_at(a_, address, at_a), *b = part_at(b_, address, at_b);
    if ((a == nullptr && b == nullptr) ||
        (a != nullptr && b != nullptr && (at_a != at_b || a->format != b->format)))
      return different(address, 1, true);
    const FloatFormat format = a != nullptr ? a->format : b->format;
    const std::uint64_t begin = a != nullptr ? at_a : at_b;
    const unsigned bytes = bytes_of(format);
    const std::uint64_t bits_a = a_.bits(begin, bytes), bits_b = b_.bits(begin, bytes);
    const Mark mark_a = a != nullptr ? a->mark : ring_.of(format, bits_a),
               mark_b = b != nullptr ? b->mark : ring_.of(format, bits_b);
    const double x = number_of(format, bits_a), y = number_of(format, bits_b);
    const bool same = mark_a == mark_b;
    const double size = std::max(std::abs(x), std::abs(y));
    if (same && size > 0) result_.largest = std::max(result_.largest, std::abs(x - y) / size);
    ++(same ? result_.rounded : result_.different);
    if (!same && result_.different == 1) result_.first.reset();
    if (!result_.first)
      note(begin, fmt::format("{:.9g} ({:#x})", x, bits_a), fmt::format("{:.9g} ({:#x})", y, bits_b));
    return begin + bytes;
  }

  std::uint64_t different(std::uint64_t address, unsigned bytes, bool both) {
    ++result_.different;
    if (result_.different == 1) result_.first.reset();
    const auto text = [&](const Exact& run) {
      const bool left = !run.from(address).empty();
      return left ? fmt::format("{:#04x}", run.bits(address, 1)) : std::string("not written");
    };
    if (!result_.first) note(address, text(a_), text(b_));
    return address + (both ? bytes : 1);
  }

  void note(std::uint64_t address, std::string a, std::string b) {
    result_.first = {.address = address, .memory = {}, .offset = 0, .a = std::move(a), .b = std::move(b)};
    for (const auto* const regions : {&bundle_.memory, &bundle_.variables})
      for (const Bundle::Region& region : *regions)
        if (address - region.address < region.bytes) {
          result_.first->memory = region.label;
          result_.first->offset = address - region.address;
        }
  }

  const Bundle& bundle_;
  const Ring& ring_;
  const Exact &a_, &b_;
  Comparison result_;
  std::uint64_t done_ = 0;  // the end of the last number
};

}  // namespace

const char* name_of(Equality equality) {
  switch (equality) {
    case Equality::bits:
      return "the same bits";
    case Equality::rounding:
      return "the same but for rounding";
    case Equality::undecided:
      return "undecided";
    case Equality::different:
      break;
  }
  return "different";
}

Comparison compare(const Bundle& a, const Bundle& b, const ReplayOptions& options, std::uint64_t seed) {
  check_same_memory(a, b);
  const Ring ring(seed);
  Bundle first = a, second = b;
  ask_for_all(first, b);
  ask_for_all(second, a);
  check_size(first, options.memory_limit);
  expect_texels_of(first, second);
  const Exact one(ring, first, options), other(ring, second, options);
  return Comparing(first, ring, one, other).done();
}

Bundle with_ptx(const Bundle& launch, const device::PtxSource& source, const std::string& kernel,
                const device::LaunchConfig& config, const ReplayOptions& options) {
  Bundle other = launch;
  other.sources = {source};
  other.kernel = kernel;
  other.config = config;
  other.variables.clear();
  const auto in_memory = [&](const Run& run) { return all_hold(launch.memory, run.address); };
  std::erase_if(other.input, [&](const Run& run) { return !in_memory(run); });
  std::erase_if(other.expected, [&](const Run& run) { return !in_memory(run); });
  TouchLog log;
  log.begin = [](const wedjat_launch&) { return true; };
  log.end = [](const wedjat_launch&) {};
  log.changed = [](std::uint64_t, std::uint64_t) {};
  hooks::Hooks hooks;
  log.attach(hooks);
  device::Device device({.threads = 1,
                         .launch_limits = options.launch_limits,
                         .contract = options.contract,
                         .surroundings = launch.surroundings,
                         .hooks = &hooks});
  run_bundle(device, other);
  ByteSet& missing = log.touched.read;
  log.touched.written.each_run([&](std::uint64_t at, std::uint64_t bytes) { missing.remove(at, bytes); });
  for (const Run& run : launch.input) missing.remove(run.address, run.bytes);
  missing.each_run([&](std::uint64_t at, std::uint64_t bytes) {
    if (all_hold(launch.memory, at))
      throw device::Refused(
          fmt::format("{} reads {} bytes at {:#x} that {} does not read, so nothing is known of them", kernel,
                      bytes, at, launch.kernel));
  });
  return other;
}

}  // namespace wedjat::traces
