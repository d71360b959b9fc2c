// Fragments: the registers of all lanes that stand for a matrix, moved by a table of where each element lies.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace wedjat::exec::matrix {

/// Where the elements of a fragment lie in its matrix: for each element of a lane (register after register,
/// part after part) the 32 lanes, worked out by the compiler of executors.
template <std::uint32_t elements, class Place>
consteval std::array<std::uint16_t, elements * 32> places(const Place& place) {
  std::array<std::uint16_t, elements * 32> table{};
  for (std::uint32_t element = 0; element < elements; ++element)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      table[element * 32 + lane] = static_cast<std::uint16_t>(place(element, lane));
  return table;
}

/// One register of all lanes, `parts` elements of `width` bits in each lane's word, into the matrix. A
/// function and loops of its own: what is known of the table would be unrolled into one instruction for each
/// element.
template <std::uint32_t parts, std::uint32_t width, class Word, class Element>
[[gnu::noinline]] void gather(const Word* from, const std::uint16_t* place, Element* matrix) {
  for (std::uint32_t part = 0; part < parts; ++part, place += 32) {
    alignas(64) Element piece[32];
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const auto element = from[lane] >> (part * width);
      if constexpr (width >= 8)
        piece[lane] = static_cast<Element>(element);
      else if constexpr (std::is_signed_v<Element>)
        piece[lane] =
            static_cast<Element>(static_cast<std::int32_t>(element << (32 - width)) >> (32 - width));
      else
        piece[lane] = static_cast<Element>(element & ((1u << width) - 1));
    }
#pragma clang loop unroll_count(8) vectorize(disable)
    for (std::uint32_t lane = 0; lane < 32; ++lane) matrix[place[lane]] = piece[lane];
  }
}

/// The other way; `Part` is an unsigned word of an element's width.
template <std::uint32_t parts, class Part, class Word, class Element>
[[gnu::noinline]] void scatter(const Element* matrix, const std::uint16_t* place, Word* to) {
  alignas(64) Word words[32] = {};
  for (std::uint32_t part = 0; part < parts; ++part, place += 32) {
    alignas(64) Part piece[32];
#pragma clang loop unroll_count(8) vectorize(disable)
    for (std::uint32_t lane = 0; lane < 32; ++lane) piece[lane] = static_cast<Part>(matrix[place[lane]]);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      words[lane] |= static_cast<Word>(static_cast<Word>(piece[lane]) << (part * sizeof(Part) * 8));
  }
  std::memcpy(to, words, sizeof words);
}

}  // namespace wedjat::exec::matrix
