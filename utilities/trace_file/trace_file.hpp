// Files of numbers over a zstd stream: README.md says the format.
#pragma once
#include <zstd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace trace_file {

using Magic = char[8];

inline std::uint64_t zigzag(std::uint64_t d) { return d << 1 ^ (0 - (d >> 63)); }
inline std::uint64_t unzigzag(std::uint64_t n) { return n >> 1 ^ (0 - (n & 1)); }

// Closed and freed also when a constructor throws.
struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
  void operator()(ZSTD_CCtx* stream) const { ZSTD_freeCCtx(stream); }
  void operator()(ZSTD_DCtx* stream) const { ZSTD_freeDCtx(stream); }
};
template <class T>
using Owned = std::unique_ptr<T, Closer>;

class Packer {
 public:
  Packer(const std::string& file, const Magic& magic)
      : file_(std::fopen(file.c_str(), "wb")), stream_(ZSTD_createCStream()), block_(block_bytes) {
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, -3);
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
    if (file_ != nullptr) good_ = std::fwrite(magic, 1, sizeof magic, file_.get()) == sizeof magic;
  }
  bool good() const { return file_ != nullptr && good_; }

  /// Room for what one record may take: before its first number.
  void begin() {
    if (used_ > block_bytes - record_bytes) flush(ZSTD_e_continue);
  }
  void byte(unsigned b) { block_[used_++] = static_cast<char>(b); }
  void number(std::uint64_t n) {
    for (; n >= 128; n >>= 7) byte(static_cast<unsigned>(n) | 128u);
    byte(static_cast<unsigned>(n));
  }
  void difference(std::uint64_t d) { number(zigzag(d)); }
  /// Cut to what fits into a record.
  void text(std::string_view text) {
    text = text.substr(0, longest_text);
    number(text.size());
    bytes(text.data(), text.size());
  }
  void bytes(const void* from, std::size_t count) {
    std::memcpy(block_.data() + used_, from, count);
    used_ += count;
  }
  /// Whether all of it is in the file.
  bool finish() {
    flush(ZSTD_e_end);
    good_ = std::fclose(file_.release()) == 0 && good_;
    return good_;
  }

  static constexpr std::size_t longest_text = 1 << 12;
  static constexpr std::size_t record_bytes = 1 << 13;

 private:
  static constexpr std::size_t block_bytes = 1 << 16;
  void flush(ZSTD_EndDirective how) {
    ZSTD_inBuffer in{block_.data(), used_, 0};
    for (std::size_t left = 1; left != 0 && good_;) {
      char buffer[1 << 16];
      ZSTD_outBuffer out{buffer, sizeof buffer, 0};
      left = ZSTD_compressStream2(stream_.get(), &out, &in, how);
      if (how == ZSTD_e_continue && in.pos == in.size) left = 0;
      good_ = !ZSTD_isError(left) && std::fwrite(buffer, 1, out.pos, file_.get()) == out.pos;
    }
    used_ = 0;
  }

  Owned<std::FILE> file_;
  Owned<ZSTD_CCtx> stream_;
  std::vector<char> block_;
  std::size_t used_ = 0;
  bool good_ = false;
};

class Unpacker {
 public:
  /// Throws std::runtime_error naming the file, as everything here does; `kind`: "memory trace".
  Unpacker(std::string file, const Magic& magic, const char* kind)
      : name_(std::move(file)), file_(std::fopen(name_.c_str(), "rb")), stream_(ZSTD_createDStream()) {
    char head[sizeof magic];
    if (file_ == nullptr) fail("cannot be read");
    if (std::fread(head, 1, sizeof head, file_.get()) != sizeof head ||
        std::memcmp(head, magic, sizeof head) != 0)
      fail(std::string("is no ") + kind);
  }

  [[noreturn]] void fail(const std::string& why) const { throw std::runtime_error(name_ + ": " + why); }
  std::uint8_t byte() {
    while (at_ == size_) refill();
    return static_cast<std::uint8_t>(plain_[at_++]);
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t b = byte();
      n |= std::uint64_t{b & 127u} << shift;
      if (b < 128) return n;
    }
    fail("holds a number that is too long");
  }
  std::uint64_t number_below(std::uint64_t end) {
    const std::uint64_t n = number();
    if (n >= end) fail("holds a number that is too large");
    return n;
  }
  std::uint32_t number32() { return static_cast<std::uint32_t>(number_below(std::uint64_t{1} << 32)); }
  std::uint64_t difference() { return unzigzag(number()); }
  std::string text() {
    std::string text(number_below(Packer::longest_text + 1), ' ');
    for (char& c : text) c = static_cast<char>(byte());
    return text;
  }

 private:
  void refill() {
    if (in_.pos == in_.size) {
      in_ = {packed_.data(), std::fread(packed_.data(), 1, packed_.size(), file_.get()), 0};
      if (in_.size == 0) fail("is cut short");
    }
    ZSTD_outBuffer out{plain_.data(), plain_.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(stream_.get(), &out, &in_))) fail("is damaged");
    size_ = out.pos;
    at_ = 0;
  }

  std::string name_;
  Owned<std::FILE> file_;
  Owned<ZSTD_DCtx> stream_;
  std::vector<char> packed_ = std::vector<char>(1 << 16), plain_ = std::vector<char>(1 << 18);
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::size_t at_ = 0, size_ = 0;
};

}  // namespace trace_file
