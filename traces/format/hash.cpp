#include "traces/format/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>

// For processors with AVX2 (hash_wide.c).
extern "C" void wj_hash_wide(const void* bytes, std::size_t size, std::uint64_t seed, std::uint64_t* high,
                             std::uint64_t* low);

namespace wedjat::traces {
namespace {

// What is shorter takes the same time either way.
constexpr std::size_t kWideBytes = 1024;

bool wide_processor() {
  static const bool wide = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
  }();
  return wide;
}

}  // namespace

Hash hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  if (bytes.size() >= kWideBytes && wide_processor()) {
    Hash hash;
    wj_hash_wide(bytes.data(), bytes.size(), seed, &hash.high, &hash.low);
    return hash;
  }
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.high64, hash.low64};
}

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

struct HashStream::State {
  XXH3_state_t xxh3;
};

HashStream::HashStream() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh3); }
HashStream::~HashStream() = default;

void HashStream::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

Hash HashStream::value() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return {hash.high64, hash.low64};
}

std::string to_hex(const Hash& hash) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high),
                static_cast<unsigned long long>(hash.low));
  return text;
}

std::optional<Hash> hash_from_hex(std::string_view digits) {
  if (digits.size() != 32) return std::nullopt;
  std::uint64_t halves[2] = {0, 0};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const char c = digits[i];
    std::uint64_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint64_t>(c) - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<std::uint64_t>(c) - 'a' + 10;
    } else {
      return std::nullopt;
    }
    halves[i / 16] = halves[i / 16] << 4 | digit;
  }
  return Hash{halves[0], halves[1]};
}

}  // namespace wedjat::traces
