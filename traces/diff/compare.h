// What the emulator produced against what the hardware produced: which bytes differ, and how a person would
// read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wedjat::traces {

enum class Element : std::uint8_t { u8, i32, i64, f32, f64 };
std::string_view element_name(Element element);
std::size_t element_size(Element element);

struct Difference {
  std::uint64_t bytes = 0;  // compared
  std::uint64_t differing_bytes = 0;
  std::uint64_t first_offset = 0;  // of the first differing byte; only if differing_bytes
  Element element = Element::u8;   // likely type of the contents
  std::uint64_t differing_elements = 0;
  std::uint64_t element_offset = 0;  // of the element that holds the first differing byte
  std::string expected, got;         // that element, as text: "1.5 (0x3fc00000)"
  std::uint64_t largest_ulps =
      0;  // floats: largest distance among differing elements (saturates); integers: largest |difference|

  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // differing elements: first and last byte

  bool same() const { return differing_bytes == 0; }
};

// Both spans have the same length.
Difference compare(std::span<const std::byte> expected, std::span<const std::byte> got);

// The element type the bytes most likely hold, judged from the values alone.
Element likely_element(std::span<const std::byte> bytes);

}  // namespace wedjat::traces
