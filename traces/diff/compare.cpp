#include "traces/diff/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace wedjat::traces {
namespace {

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Is this what a program computes with: zero, or a magnitude people use?
bool plausible(double x) { return x == 0 || (std::isfinite(x) && std::abs(x) > 1e-12 && std::abs(x) < 1e12); }

// The floats of a sign-magnitude format lie in order when read this way, so the distance counts representable
// values.
template <class Bits>
std::uint64_t ulps(Bits a, Bits b) {
  constexpr Bits sign = Bits{1} << (sizeof(Bits) * 8 - 1);
  const auto ordered = [](Bits x) -> Bits {
    return x & sign ? static_cast<Bits>(sign - (x & ~sign)) : static_cast<Bits>(sign + x);
  };
  const Bits x = ordered(a), y = ordered(b);
  return x > y ? x - y : y - x;
}

std::uint64_t distance(Element element, std::span<const std::byte> a, std::span<const std::byte> b,
                       std::size_t at) {
  const auto gap = [](auto x, auto y) { return static_cast<std::uint64_t>(x > y ? x - y : y - x); };
  switch (element) {
    case Element::u8:
      return gap(load<std::uint8_t>(a, at), load<std::uint8_t>(b, at));
    case Element::i32:
      return gap(std::int64_t{load<std::int32_t>(a, at)}, std::int64_t{load<std::int32_t>(b, at)});
    case Element::i64: {
      const auto x = load<std::int64_t>(a, at), y = load<std::int64_t>(b, at);
      return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                   : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
    }
    case Element::f32:
      return ulps(load<std::uint32_t>(a, at), load<std::uint32_t>(b, at));
    case Element::f64:
      return ulps(load<std::uint64_t>(a, at), load<std::uint64_t>(b, at));
  }
  return 0;
}

std::string show(Element element, std::span<const std::byte> bytes, std::size_t at) {
  switch (element) {
    case Element::u8:
      return fmt::format("{0} ({0:#04x})", load<std::uint8_t>(bytes, at));
    case Element::i32:
      return fmt::format("{} ({:#010x})", load<std::int32_t>(bytes, at), load<std::uint32_t>(bytes, at));
    case Element::i64:
      return fmt::format("{} ({:#018x})", load<std::int64_t>(bytes, at), load<std::uint64_t>(bytes, at));
    case Element::f32:
      return fmt::format("{} ({:#010x})", load<float>(bytes, at), load<std::uint32_t>(bytes, at));
    case Element::f64:
      return fmt::format("{} ({:#018x})", load<double>(bytes, at), load<std::uint64_t>(bytes, at));
  }
  return {};
}

}  // namespace

std::string_view element_name(Element element) {
  switch (element) {
    case Element::u8:
      return "u8";
    case Element::i32:
      return "i32";
    case Element::i64:
      return "i64";
    case Element::f32:
      return "f32";
    case Element::f64:
      return "f64";
  }
  return "";
}

std::size_t element_size(Element element) {
  switch (element) {
    case Element::u8:
      return 1;
    case Element::i32:
    case Element::f32:
      return 4;
    case Element::i64:
    case Element::f64:
      return 8;
  }
  return 1;
}

Element likely_element(std::span<const std::byte> bytes) {
  constexpr std::size_t sample = 4096;
  if (bytes.size() % 4 != 0 || bytes.empty()) return Element::u8;
  std::size_t words = 0, floats = 0, small = 0;
  for (std::size_t at = 0; at + 4 <= bytes.size() && words < sample; at += 4, ++words) {
    const auto bits = load<std::uint32_t>(bytes, at);
    floats += bits != 0 && plausible(std::bit_cast<float>(bits));
    small += bits < (1u << 20) || bits > 0xfff00000u;
  }
  std::size_t doubles_seen = 0, doubles = 0;
  if (bytes.size() % 8 == 0)
    for (std::size_t at = 0; at + 8 <= bytes.size() && doubles_seen < sample; at += 8, ++doubles_seen) {
      const auto bits = load<std::uint64_t>(bytes, at);
      // A pair of plausible floats is no double, though its bits may read as one.
      doubles += bits != 0 && plausible(std::bit_cast<double>(bits)) &&
                 (static_cast<std::uint32_t>(bits) == 0 || !plausible(load<float>(bytes, at)));
    }
  if (doubles_seen && doubles * 10 > doubles_seen * 6) return Element::f64;
  if (small * 10 > words * 9) return Element::i32;
  if (floats * 10 > words * 5) return Element::f32;
  return bytes.size() % 8 == 0 && small * 10 > words * 4 ? Element::i64 : Element::i32;
}

Difference compare(std::span<const std::byte> expected, std::span<const std::byte> got) {
  Difference result;
  result.bytes = expected.size();
  if (expected.empty() || std::memcmp(expected.data(), got.data(), expected.size()) == 0) return result;
  result.element = likely_element(expected);
  const std::size_t size = element_size(result.element);
  bool first = true;
  for (std::size_t at = 0; at < expected.size(); at += size) {
    if (std::memcmp(expected.data() + at, got.data() + at, size) == 0) continue;
    for (std::size_t i = at; i < at + size; ++i) {
      if (expected[i] == got[i]) continue;
      if (first) result.first_offset = i;
      first = false;
      ++result.differing_bytes;
    }
    if (!result.differing_elements++) {
      result.element_offset = at;
      result.expected = show(result.element, expected, at);
      result.got = show(result.element, got, at);
    }
    if (!result.ranges.empty() && result.ranges.back().second + 1 == at)
      result.ranges.back().second = at + size - 1;
    else
      result.ranges.emplace_back(at, at + size - 1);
    result.largest_ulps = std::max(result.largest_ulps, distance(result.element, expected, got, at));
  }
  return result;
}

}  // namespace wedjat::traces
