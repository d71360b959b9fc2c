// The register trace: README.md tells the format. Writer and reader of its records.
#pragma once
#include <bit>
#include <limits>

#include "utilities/trace_file/trace_file.hpp"

namespace register_trace {

inline constexpr trace_file::Magic magic = {'W', 'J', 'R', 'G', 'T', 'R', '0', '1'};

struct Row {
  std::string operand;  // as written
  std::uint32_t element = 0, bits = 0;
  std::size_t bytes() const { return bits / 8; }
  bool is_predicate() const { return bits == 1; }
};

/// One instruction: what it writes.
struct Site {
  std::uint32_t instruction = 0, ptx_line = 0;
  std::string text;
  std::vector<Row> rows;
};

struct Kernel {
  std::string name;
  std::vector<Site> sites;
};

struct Step {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0, mask = 0;
  std::size_t site = 0;
  /// By row: a predicate's mask in 4 bytes; else 32 values of Row::bytes() each, zero outside of the mask.
  std::vector<std::vector<unsigned char>> values;
};

enum Tag : std::uint8_t { end, kernel, launch, step = 8, elsewhere = 1, masked = 2 };
enum Shape : std::uint8_t { even, listed };

class Writer {
 public:
  explicit Writer(const std::string& file) : out_(file, magic) {}
  bool good() const { return out_.good(); }

  void add(std::uint64_t number, const Kernel& what) {
    out_.begin();
    out_.byte(kernel);
    out_.number(number);
    out_.text(what.name);
    out_.number(what.sites.size());
    for (const Site& site : what.sites) {
      out_.begin();
      out_.number(site.instruction);
      out_.number(site.ptx_line);
      out_.text(site.text);
      out_.number(site.rows.size());
      for (const Row& row : site.rows) {
        out_.begin();
        out_.text(row.operand);
        out_.number(row.element);
        out_.number(row.bits);
      }
    }
  }
  void begin(std::uint64_t index, std::uint64_t kernel) {
    out_.begin();
    out_.byte(launch);
    out_.number(index);
    out_.number(kernel);
    cta_ = warp_ = nowhere;
  }
  /// Its rows must follow.
  void begin_step(std::uint64_t cta, std::uint32_t warp, std::size_t site, std::uint32_t mask) {
    const bool moved = cta != cta_ || warp != warp_;
    out_.begin();
    out_.byte(step | (moved ? elsewhere : 0u) | (mask != ~0u ? masked : 0u));
    if (moved) {
      out_.number(cta_ = cta);
      out_.number(warp_ = warp);
    }
    out_.number(site);
    if (mask != ~0u) out_.number(mask);
    mask_ = mask;
  }
  /// `values` as wedjat_event.rows has them.
  void add(const Row& row, const void* values) {
    out_.begin();
    switch (row.bits) {
      case 1: {
        std::uint32_t predicate;
        std::memcpy(&predicate, values, sizeof predicate);
        return out_.number(predicate & mask_);
      }
      case 8:
        return add(static_cast<const std::uint8_t*>(values));
      case 16:
        return add(static_cast<const std::uint16_t*>(values));
      case 32:
        return add(static_cast<const std::uint32_t*>(values));
      case 64:
        return add(static_cast<const std::uint64_t*>(values));
      default:
        list(static_cast<const char*>(values), row.bytes());
    }
  }
  /// Whether all of it is in the file.
  bool finish() {
    out_.begin();
    out_.byte(end);
    return out_.finish();
  }

 private:
  static constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();

  template <class T>
  void add(const T* values) {
    const int first = std::countr_zero(mask_);
    const std::uint32_t rest = mask_ & (mask_ - 1);
    const T stride = rest == 0 ? T{0} : static_cast<T>(values[std::countr_zero(rest)] - values[first]);
    bool is_even = true;
    if (mask_ == ~0u) {
      T uneven = 0;
      for (unsigned l = 0; l < 32; ++l)
        uneven |= static_cast<T>(values[l] ^ static_cast<T>(values[0] + static_cast<T>(l * stride)));
      is_even = uneven == 0;
    } else {
      T expected = values[first];
      for (std::uint32_t m = mask_; m != 0; m &= m - 1, expected = static_cast<T>(expected + stride))
        is_even = is_even && values[std::countr_zero(m)] == expected;
    }
    if (!is_even) return list(reinterpret_cast<const char*>(values), sizeof(T));
    out_.byte(even);
    out_.number(values[first]);
    out_.difference(
        static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(stride))));
  }
  void list(const char* values, std::size_t bytes) {
    out_.byte(listed);
    if (mask_ == ~0u) return out_.bytes(values, 32 * bytes);
    for (std::uint32_t m = mask_; m != 0; m &= m - 1)
      out_.bytes(values + bytes * static_cast<unsigned>(std::countr_zero(m)), bytes);
  }

  trace_file::Packer out_;
  std::uint64_t cta_ = nowhere, warp_ = nowhere;
  std::uint32_t mask_ = 0;
};

/// Throws std::runtime_error naming the file if it is no register trace or is damaged.
class Reader {
 public:
  explicit Reader(std::string file) : in_(std::move(file), magic, "register trace") {}

  /// Next step, with launch_index() and running() it belongs to; false at the end.
  bool next(Step& to) {
    for (;;) {
      const std::uint8_t tag = in_.byte();
      if (tag == end) return false;
      if (tag == kernel) {
        read_kernel();
      } else if (tag == launch) {
        launch_ = in_.number();
        running_ = in_.number_below(kernels_.size());
        to.cta = to.warp = 0;
      } else if (tag >= step && tag < step + 4) {
        read_step(tag, to);
        return true;
      } else {
        in_.fail("holds a record of unknown kind");
      }
    }
  }
  std::uint64_t launch_index() const { return launch_; }
  const Kernel& running() const { return kernels_[running_]; }
  const Site& site(const Step& of) const { return running().sites[of.site]; }

 private:
  void read_kernel() {
    if (in_.number() != kernels_.size()) in_.fail("names its kernels out of order");
    Kernel& to = kernels_.emplace_back();
    to.name = in_.text();
    for (std::uint64_t left = in_.number(); left != 0; --left) {
      Site& site = to.sites.emplace_back();
      site.instruction = in_.number32();
      site.ptx_line = in_.number32();
      site.text = in_.text();
      for (std::uint64_t rows = in_.number(); rows != 0; --rows) {
        Row& row = site.rows.emplace_back();
        row.operand = in_.text();
        row.element = in_.number32();
        row.bits = static_cast<std::uint32_t>(in_.number_below(1025));
        if (row.bits != 1 && (row.bits == 0 || row.bits % 8 != 0)) in_.fail("holds a row of odd width");
      }
    }
  }
  void read_step(unsigned tag, Step& to) {
    if (kernels_.empty()) in_.fail("holds a step before any launch");
    if (tag & elsewhere) {
      to.cta = in_.number();
      to.warp = in_.number32();
    }
    to.site = in_.number_below(running().sites.size());
    to.mask = tag & masked ? in_.number32() : ~0u;
    if (to.mask == 0) in_.fail("holds a step of no lane");
    to.values.clear();
    for (const Row& row : site(to).rows) read_row(row, to.mask, to.values.emplace_back());
  }
  void read_row(const Row& row, std::uint32_t mask, std::vector<unsigned char>& to) {
    to.assign(row.is_predicate() ? 4 : 32 * row.bytes(), 0);
    if (row.is_predicate()) {
      const std::uint32_t predicate = in_.number32();
      std::memcpy(to.data(), &predicate, sizeof predicate);
      return;
    }
    const std::uint8_t shape = in_.byte();
    if (shape > listed || (shape == even && row.bits > 64)) in_.fail("holds a row of unknown shape");
    std::uint64_t value = shape == even ? in_.number() : 0;
    const std::uint64_t stride = shape == even ? in_.difference() : 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1, value += stride) {
      unsigned char* const lane = to.data() + row.bytes() * static_cast<unsigned>(std::countr_zero(m));
      for (std::size_t b = 0; b < row.bytes(); ++b)
        lane[b] = shape == even ? static_cast<unsigned char>(value >> (8 * b)) : in_.byte();
    }
  }

  trace_file::Unpacker in_;
  std::vector<Kernel> kernels_;
  std::uint64_t launch_ = 0, running_ = 0;
};

}  // namespace register_trace
