// The register trace: README.md says the format. Writer and reader of its records.
#pragma once
#include <bit>

#include "utilities/trace_file/launches.hpp"

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

using Kernel = trace_file::Kernel<Site>;

struct Step : trace_file::Place {
  /// By row: a predicate's mask in 4 bytes; else 32 values of Row::bytes() each, zero outside of the mask.
  std::vector<std::vector<unsigned char>> values;
};

inline constexpr unsigned step = 8;  // tag of its record
inline constexpr trace_file::PlaceBits place_bits{.elsewhere = 1, .masked = 2};
enum Shape : std::uint8_t { even, listed };

class Writer : public trace_file::LaunchPacker {
 public:
  explicit Writer(const std::string& file) : LaunchPacker(file, magic, place_bits) {}

  void add(std::uint64_t number, const Kernel& what) {
    add_kernel(number, what, [&](const Site& site) {
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
    });
  }
  /// Its rows must follow.
  void begin_step(const trace_file::Place& at) {
    begin_record(step, at);
    mask_ = at.mask;
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

 private:
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

  std::uint32_t mask_ = 0;
};

/// Throws std::runtime_error naming the file if it is no register trace or is damaged.
class Reader : public trace_file::LaunchUnpacker<Site> {
 public:
  explicit Reader(std::string file) : LaunchUnpacker(std::move(file), magic, "register trace", place_bits) {}

  /// Next step, with launch_index() and running() it belongs to; false at the end.
  bool next(Step& to) {
    const std::uint8_t tag = next_record([&](Site& site) { read_site(site); }, [] {});
    if (tag == trace_file::end) return false;
    if (tag < step || tag >= step + 4) in_.fail("holds a record of unknown kind");
    read_place(tag, to);
    to.values.clear();
    for (const Row& row : site(to).rows) read_row(row, to.mask, to.values.emplace_back());
    return true;
  }

 private:
  void read_site(Site& site) {
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
};

}  // namespace register_trace
