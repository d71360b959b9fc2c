// Builds fatbin containers the way nvcc does, for tests.
#pragma once
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <string>

#include "traces/read/event.h"

namespace fatbin {

enum class Packing { stored, lz4, zstd };

template <class T>
void put(wedjat::traces::Bytes& bytes, std::size_t offset, T value) {
  if (bytes.size() < offset + sizeof value) bytes.resize(offset + sizeof value);
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// One entry: kind 1 PTX, 2 ELF.
inline wedjat::traces::Bytes entry(int kind, unsigned architecture, const std::string& payload,
                                   Packing packing, std::uint64_t flags = 0) {
  std::string packed = payload;
  if (packing == Packing::zstd) {
    packed.resize(ZSTD_compressBound(payload.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), payload.data(), payload.size(), 1));
    flags |= 0x8000;
  } else if (packing == Packing::lz4) {
    packed.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(payload.size()))));
    packed.resize(static_cast<std::size_t>(LZ4_compress_default(
        payload.data(), packed.data(), static_cast<int>(payload.size()), static_cast<int>(packed.size()))));
    flags |= 0x2000;
  }
  wedjat::traces::Bytes bytes(64);
  put<std::uint16_t>(bytes, 0, static_cast<std::uint16_t>(kind));
  put<std::uint16_t>(bytes, 2, 0x101);
  put<std::uint32_t>(bytes, 4, 64);
  put<std::uint64_t>(bytes, 8, (packed.size() + 7) / 8 * 8);
  put<std::uint32_t>(bytes, 16, packing == Packing::stored ? 0 : static_cast<std::uint32_t>(packed.size()));
  put<std::uint16_t>(bytes, 24, 0);
  put<std::uint16_t>(bytes, 26, 9);
  put<std::uint32_t>(bytes, 28, architecture);
  put<std::uint64_t>(bytes, 40, flags | 0x11);
  put<std::uint64_t>(bytes, 56, packing == Packing::stored ? 0 : payload.size());
  for (char c : packed) bytes.push_back(static_cast<std::byte>(c));
  bytes.resize(64 + (packed.size() + 7) / 8 * 8);
  return bytes;
}

inline wedjat::traces::Bytes container(const std::vector<wedjat::traces::Bytes>& entries) {
  wedjat::traces::Bytes bytes(16);
  put<std::uint32_t>(bytes, 0, 0xBA55ED50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  for (const auto& e : entries) bytes.insert(bytes.end(), e.begin(), e.end());
  put<std::uint64_t>(bytes, 8, bytes.size() - 16);
  return bytes;
}

}  // namespace fatbin
