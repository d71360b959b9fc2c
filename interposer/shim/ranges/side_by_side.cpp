#include "interposer/shim/ranges/side_by_side.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace wedjat::interposer {
namespace {

constexpr std::size_t kBlock = 64 << 10;
// Waking threads takes longer than copying less.
constexpr std::size_t kMany = 128 << 10;
// Of so much the caches keep nothing until it is needed again: it is written past them, and what it replaces
// is not read first.
constexpr std::size_t kPastCaches = std::size_t{32} << 20;

void copy_past_caches(const std::byte* from, std::byte* to, std::size_t size) {
  constexpr std::size_t line = 64, word = sizeof(__m128i);
  const std::size_t head = std::min(size, -reinterpret_cast<std::uintptr_t>(to) % line);
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; at + line <= size; at += line) {
    for (std::size_t i = at; i < at + line; i += word)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
  _mm_sfence();
  std::memcpy(to + at, from + at, size - at);
}

}  // namespace

void copy_side_by_side(std::span<const Move> moves, traces::Workers& workers) {
  struct Block {
    const std::byte* from;
    std::byte* to;
    std::size_t size;
  };
  std::vector<Block> blocks;
  std::size_t bytes = 0;
  for (const auto& [from, to] : moves) {
    bytes += from.size();
    for (std::size_t at = 0; at < from.size(); at += kBlock)
      blocks.push_back({from.data() + at, to + at, std::min(kBlock, from.size() - at)});
  }
  const bool past_caches = bytes >= kPastCaches;
  const auto copy = [&](std::size_t i) {
    const auto& [from, to, size] = blocks[i];
    if (past_caches)
      copy_past_caches(from, to, size);
    else
      std::memcpy(to, from, size);
  };
  if (bytes < kMany)
    for (std::size_t i = 0; i < blocks.size(); ++i) copy(i);
  else
    workers.each(blocks.size(), copy);
}

}  // namespace wedjat::interposer
