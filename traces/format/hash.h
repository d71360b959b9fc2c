// The 128-bit key of a blob: XXH3-128 of its raw contents.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wedjat::traces {

struct Hash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash&) const = default;
};

Hash hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);
std::uint64_t checksum(std::span<const std::byte> bytes);  // XXH3-64, for headers

// hash_bytes of contents that come in pieces.
class HashStream {
 public:
  HashStream();
  ~HashStream();
  HashStream(const HashStream&) = delete;
  HashStream& operator=(const HashStream&) = delete;
  void add(std::span<const std::byte> bytes);
  Hash value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string to_hex(const Hash& hash);                        // 32 digits, high half first
std::optional<Hash> hash_from_hex(std::string_view digits);  // nothing unless exactly 32 hex digits

}  // namespace wedjat::traces

template <>
struct std::hash<wedjat::traces::Hash> {
  std::size_t operator()(const wedjat::traces::Hash& hash) const noexcept { return hash.low; }
};
