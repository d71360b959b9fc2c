// The memory trace: README.md tells the format. Writer and reader of its records, both over a zstd stream.
#pragma once
#include <zstd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace memory_trace {

inline constexpr char magic[8] = {'W', 'J', 'M', 'T', 'R', 'C', '0', '1'};

struct Access {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0, instruction = 0, mask = 0, bytes = 0;
  std::uint8_t space = 0, kind = 0;  // wedjat_space; 1 reads, 2 writes, 4 atomic
  std::array<std::uint64_t, 32> address{};
};

enum class Tag : std::uint8_t { End, Launch, Listed, Strided };

class Writer {
 public:
  explicit Writer(const std::string& file)
      : file_(std::fopen(file.c_str(), "wb")), stream_(ZSTD_createCStream()) {
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_compressionLevel, 1);
    if (file_ != nullptr) good_ = std::fwrite(magic, 1, sizeof magic, file_) == sizeof magic;
  }
  ~Writer() {
    ZSTD_freeCStream(stream_);
    if (file_ != nullptr) std::fclose(file_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  bool good() const { return file_ != nullptr && good_; }

  void launch(std::uint64_t index, const std::string& kernel) {
    tag(Tag::Launch);
    number(index);
    number(kernel.size());
    bytes_.insert(bytes_.end(), kernel.begin(), kernel.end());
    last_ = {};
  }
  void access(const Access& a) {
    const int first = __builtin_ctz(a.mask);
    const std::uint32_t rest = a.mask & (a.mask - 1);
    const std::uint64_t stride = rest == 0 ? 0
                                           : (a.address[__builtin_ctz(rest)] - a.address[first]) /
                                                 static_cast<unsigned>(__builtin_ctz(rest) - first);
    bool strided = true;
    for (std::uint32_t m = a.mask; m != 0; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      strided = strided && a.address[lane] == a.address[first] + stride * static_cast<unsigned>(lane - first);
    }
    tag(strided ? Tag::Strided : Tag::Listed);
    for (const std::uint64_t n : {a.cta, std::uint64_t{a.warp}, std::uint64_t{a.instruction},
                                  std::uint64_t{a.mask}, std::uint64_t{a.bytes}})
      number(n);
    bytes_.push_back(static_cast<char>(a.space));
    bytes_.push_back(static_cast<char>(a.kind));
    difference(a.address[first] - last_);
    last_ = a.address[first];
    if (strided) {
      difference(stride);
    } else {
      for (std::uint32_t m = rest; m != 0; m &= m - 1) {
        difference(a.address[__builtin_ctz(m)] - last_);
        last_ = a.address[__builtin_ctz(m)];
      }
    }
    if (bytes_.size() > 1 << 16) flush(ZSTD_e_continue);
  }
  /// Whether all of it is in the file.
  bool finish() {
    tag(Tag::End);
    flush(ZSTD_e_end);
    good_ = std::fclose(file_) == 0 && good_;
    file_ = nullptr;
    return good_;
  }

 private:
  void tag(Tag what) { bytes_.push_back(static_cast<char>(what)); }
  void number(std::uint64_t n) {
    for (; n >= 128; n >>= 7) bytes_.push_back(static_cast<char>(n | 128));
    bytes_.push_back(static_cast<char>(n));
  }
  void difference(std::uint64_t d) { number(d << 1 ^ (d >> 63 ? ~std::uint64_t{0} : 0)); }
  void flush(ZSTD_EndDirective how) {
    ZSTD_inBuffer in{bytes_.data(), bytes_.size(), 0};
    for (std::size_t left = 1; left != 0 && good_;) {
      char buffer[1 << 16];
      ZSTD_outBuffer out{buffer, sizeof buffer, 0};
      left = ZSTD_compressStream2(stream_, &out, &in, how);
      if (how == ZSTD_e_continue && in.pos == in.size) left = 0;
      good_ = !ZSTD_isError(left) && std::fwrite(buffer, 1, out.pos, file_) == out.pos;
    }
    bytes_.clear();
  }

  std::FILE* file_;
  ZSTD_CStream* stream_;
  std::string bytes_;
  std::uint64_t last_ = 0;
  bool good_ = false;
};

/// Throws std::runtime_error naming the file if it is no memory trace or is damaged.
class Reader {
 public:
  explicit Reader(std::string file)
      : name_(std::move(file)), file_(std::fopen(name_.c_str(), "rb")), stream_(ZSTD_createDStream()) {
    char head[sizeof magic];
    if (file_ == nullptr) fail("cannot be read");
    if (std::fread(head, 1, sizeof head, file_) != sizeof head ||
        std::string(head, 8) != std::string(magic, 8))
      fail("is no memory trace");
  }
  ~Reader() {
    ZSTD_freeDStream(stream_);
    if (file_ != nullptr) std::fclose(file_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Next access, with launch() and kernel() it belongs to; false at the end.
  bool next(Access& to) {
    for (;;) {
      const auto tag = static_cast<Tag>(byte());
      if (tag == Tag::End) return false;
      if (tag == Tag::Launch) {
        launch_ = number();
        kernel_.assign(length(1 << 16), ' ');
        for (char& c : kernel_) c = static_cast<char>(byte());
        last_ = 0;
        continue;
      }
      if (tag != Tag::Listed && tag != Tag::Strided) fail("holds a record of unknown kind");
      to.cta = number();
      for (std::uint32_t* field : {&to.warp, &to.instruction, &to.mask, &to.bytes})
        *field = static_cast<std::uint32_t>(length(0xffffffffu));
      if (to.mask == 0) fail("holds an access of no lane");
      to.space = byte();
      to.kind = byte();
      last_ += difference();
      const int first = __builtin_ctz(to.mask);
      const std::uint64_t base = last_, stride = tag == Tag::Strided ? difference() : 0;
      to.address.fill(0);
      for (std::uint32_t m = to.mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (tag == Tag::Listed && lane != first) last_ += difference();
        to.address[lane] = tag == Tag::Listed ? last_ : base + stride * static_cast<unsigned>(lane - first);
      }
      return true;
    }
  }
  std::uint64_t launch() const { return launch_; }
  const std::string& kernel() const { return kernel_; }

 private:
  [[noreturn]] void fail(const char* why) const { throw std::runtime_error(name_ + ": " + why); }
  std::uint8_t byte() {
    while (at_ == plain_.size()) {
      if (in_.pos == in_.size) {
        packed_.resize(1 << 16);
        packed_.resize(std::fread(packed_.data(), 1, packed_.size(), file_));
        if (packed_.empty()) fail("is cut short");
        in_ = {packed_.data(), packed_.size(), 0};
      }
      plain_.resize(1 << 18);
      ZSTD_outBuffer out{plain_.data(), plain_.size(), 0};
      if (ZSTD_isError(ZSTD_decompressStream(stream_, &out, &in_))) fail("is damaged");
      plain_.resize(out.pos);
      at_ = 0;
    }
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
  std::uint64_t length(std::uint64_t most) {
    const std::uint64_t n = number();
    if (n > most) fail("holds a number that is too large");
    return n;
  }
  std::uint64_t difference() {
    const std::uint64_t n = number();
    return n >> 1 ^ (n & 1 ? ~std::uint64_t{0} : 0);
  }

  std::string name_;
  std::FILE* file_;
  ZSTD_DStream* stream_;
  std::vector<char> packed_, plain_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::size_t at_ = 0;
  std::uint64_t last_ = 0, launch_ = 0;
  std::string kernel_;
};

}  // namespace memory_trace
