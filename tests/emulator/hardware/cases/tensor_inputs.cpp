#include "tests/emulator/hardware/cases/tensor_inputs.h"

#include <algorithm>
#include <cstring>

#include "tests/emulator/hardware/forms/inputs.h"
#include "tests/emulator/hardware/forms/random.h"

namespace wedjat::hardware_truth {
namespace {

constexpr unsigned type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2};  // as the map numbers them
constexpr unsigned first_float = 6;

class Maker {
 public:
  Maker(const TensorUse& use, Random& random) : use_(use), random_(random) {}

  // A map's fields are drawn until the tensor fits in its memory.
  TensorBox make() {
    do {
      draw();
    } while (end_of_tensor() > kTensorBytes);
    TensorBox box{};
    encode(box);
    place(box);
    box.bytes = inner_ * rows();
    return box;
  }

 private:
  std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>(random_.below(limit)); }
  std::int32_t between(std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(below(static_cast<std::uint64_t>(high - low + 1)));
  }

  std::uint32_t draw_type() {
    static const std::vector<std::uint32_t> any = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                                            sums = {2, 3, 4, 6, 7, 8, 9, 10}, ends = {2, 3, 4, 5, 6, 10},
                                            steps = {2}, patterns = {2, 3, 4};
    const std::string& op = use_.reduction;
    const auto& types = op.empty()                   ? any
                        : op == "add"                ? sums
                        : op == "min" || op == "max" ? ends
                        : op == "inc" || op == "dec" ? steps
                                                     : patterns;
    return types[below(types.size())];
  }

  // The dimensions that lead from row to row; of an interleaved tensor all but the last but one, which
  // numbers groups of channels.
  unsigned walked(unsigned number) const {
    return number + (interleave_ == 0 || number + 2 == use_.rank ? 1 : 0);
  }
  unsigned slice() const { return 8u << interleave_; }

  void draw() {
    type_ = draw_type();
    const bool tf32 = use_.reduction.empty() && (type_ == 7 || type_ == 8);
    tf32_ = tf32 && below(2) != 0;
    fill_nan_ = type_ >= first_float && below(3) == 0;
    interleave_ = use_.rank >= 3 && below(4) == 0 ? 1 + below(2) : 0;
    if (interleave_ == 0)
      draw_rows();
    else
      draw_slices();
    const bool thin = below(4) == 0;
    std::uint32_t left = left_;
    for (unsigned d = 0; d < 5; ++d) {
      const bool used = d < use_.rank, row = d == 0 && interleave_ == 0;
      step_[d] = used && thin && !row ? 1 + below(3) : 1;
      if (d == 0) continue;
      size_[d] = used ? 1 + below(8) : 1;
      box_[d] = used ? 1 + below(std::min(left, 9u)) : 1;
      if (interleave_ == 0 || d + 2 != use_.rank) left /= box_[d];
    }
    for (unsigned k = 0; use_.im2col && k + 2 < use_.rank; ++k) draw_corners(k);
    pixels_ = 1 + below(left_);
    std::uint64_t stride = (row_bytes() + 15) / 16 * 16 + unit() * below(3);
    for (unsigned d = 1; d < use_.rank; ++d) {
      stride_[d] = stride;
      stride = stride * size_[d] + unit() * below(2);
    }
  }

  void draw_rows() {
    const unsigned bytes = type_bytes[type_];
    swizzle_ = below(2) * below(4);
    const unsigned pieces = swizzle_ == 0 ? 8 : 1u << swizzle_;
    inner_ = 16 * (1 + below(pieces));
    if (swizzle_ != 0 && below(2) != 0) inner_ = 16 * pieces;
    left_ = kBoxBytes / (swizzle_ == 0 ? inner_ : 16 * pieces);
    box_[0] = inner_ / bytes;
    size_[0] = 1 + below(2 * box_[0]);
  }

  // Slices of 16 or 32 bytes; a box has as many along dimension 0 as fill whole 16
  // bytes with elements.
  void draw_slices() {
    const unsigned units = 16 / type_bytes[type_];
    swizzle_ = below(4);
    inner_ = slice();
    left_ = kBoxBytes / inner_;
    box_[0] = units * (1 + below(std::max(16 / units, 1u)));
    size_[0] = 1 + below(2 * box_[0]);
    if (!use_.im2col) left_ /= box_[0];
  }

  // Bytes from the tensor's first row to the end of dimension 0.
  std::uint64_t row_bytes() const {
    return std::uint64_t{size_[0]} * (interleave_ == 0 ? type_bytes[type_] : slice());
  }
  // What strides are multiples of.
  std::uint64_t unit() const { return interleave_ == 0 ? 16 : slice(); }

  // Of the dimensions between rows and images: the pixels a box begins at lie in [lower, size + upper).
  void draw_corners(unsigned k) {
    const unsigned d = walked(k);
    size_[d] = 2 + below(7);
    do {
      lower_[k] = between(use_.writes ? 0 : -3, 2);
      upper_[k] = between(-3, use_.writes ? 0 : 2);
    } while (lower_[k] >= static_cast<std::int32_t>(size_[d]) + upper_[k]);
  }

  std::uint64_t end_of_tensor() const {
    std::uint64_t end = row_bytes();
    for (unsigned d = 1; d < use_.rank; ++d) end += stride_[d] * (size_[d] - 1);
    return end;
  }

  std::uint32_t rows() const {
    if (use_.im2col) return pixels_;
    std::uint32_t rows = 1;
    for (unsigned k = 0; k + 1 < use_.rank; ++k)
      rows *= (box_[walked(k)] + step_[walked(k)] - 1) / step_[walked(k)];
    return rows;
  }

  void encode(TensorBox& box) {
    std::uint32_t* const map = box.map;
    map[2] = (use_.im2col ? 1u : 0u) | (use_.rank - 1) << 4 | type_ << 7 | interleave_ << 11 |
             swizzle_ << 13 | (fill_nan_ ? 1u << 15 : 0u) | (tf32_ ? 1u << 16 : 0u) | below(4) << 17;
    for (unsigned d = 0; d < use_.rank; ++d) {
      map[8 + d] = size_[d] - 1;
      map[13] |= (step_[d] - 1) << 3 * d;
      if (d == 0) continue;
      map[2 + d] = static_cast<std::uint32_t>(stride_[d] >> 4);
      if (!use_.im2col) map[14] |= (box_[d] - 1) << 8 * (d - 1);
    }
    map[13] |= (box_[0] - 1) << 24;
    if (!use_.im2col) return;
    const unsigned width = use_.rank == 3 ? 16 : use_.rank == 4 ? 8 : 5;
    const std::uint32_t field = (1u << width) - 1;
    for (unsigned d = 0; d < use_.rank - 2; ++d)
      map[14] |= (static_cast<std::uint32_t>(lower_[d]) & field) << d * width |
                 (static_cast<std::uint32_t>(upper_[d]) & field) << (16 + d * width);
    map[15] = pixels_ - 1;
  }

  void place(TensorBox& box) {
    const auto units = static_cast<std::int32_t>(16 / type_bytes[type_]);
    for (unsigned d = 0; d < use_.rank; ++d) {
      const auto size = static_cast<std::int32_t>(size_[d]), reach = static_cast<std::int32_t>(box_[d]) + 1;
      box.at[d] = below(4) == 0   ? 0
                  : below(3) == 0 ? between(-reach, 0)
                  : below(2) == 0 ? between(size - reach, size)
                                  : between(0, size - 1);
    }
    for (unsigned k = 0; use_.im2col && k + 1 < use_.rank; ++k) {
      const auto size = static_cast<std::int32_t>(size_[walked(k)]);
      box.at[walked(k)] =
          k + 2 == use_.rank ? between(0, size - 1) : between(lower_[k], size + upper_[k] - 1);
    }
    if (use_.writes)
      for (std::int32_t& at : box.at) at = std::max(at, 0);
    if (interleave_ == 0) box.at[0] = box.at[0] / units * units;
    for (std::uint16_t& offset : box.offset) offset = use_.offsets ? static_cast<std::uint16_t>(below(4)) : 0;
  }

  const TensorUse& use_;
  Random& random_;
  std::uint32_t type_ = 0, interleave_ = 0, swizzle_ = 0, inner_ = 0, left_ = 0, pixels_ = 0;
  bool tf32_ = false, fill_nan_ = false;
  std::uint32_t size_[5]{}, box_[5]{}, step_[5]{1, 1, 1, 1, 1};
  std::uint64_t stride_[5]{};
  std::int32_t lower_[3]{}, upper_[3]{};
};

}  // namespace

std::vector<TensorBox> make_boxes(const TensorUse& use) {
  std::uint64_t seed = use.rank + (use.im2col ? 10 : 0) + (use.offsets ? 20 : 0) + (use.writes ? 40 : 0);
  for (const char c : use.reduction) seed = seed * 31 + static_cast<unsigned char>(c);
  Random random(seed);
  Maker maker(use, random);
  std::vector<TensorBox> boxes(std::size_t{kBlocks} * kBoxes);
  std::generate(boxes.begin(), boxes.end(), [&] { return maker.make(); });
  return boxes;
}

std::vector<std::byte> make_tensor_memory() {
  static const std::uint32_t corners[] = {0x7fc00000, 0x7f800001, 0xff812345, 0x00000001,
                                          0x807fffff, 0x7f800000, 0xff800000, 0x80000000,
                                          0x3f800000, 0x00800000, 0x7c017e00, 0x00018001};
  Random random(7);
  std::vector<std::uint32_t> words(std::size_t{kBlocks} * kTensorBytes / 4);
  for (std::uint32_t& word : words) {
    const auto bits = static_cast<std::uint32_t>(random.bits());
    const std::uint64_t kind = random.below(16);
    word = kind == 0 ? corners[random.below(std::size(corners))]
           : kind < 6
               ? (bits & 0x83ffffff) | 0x3c000000  // of exponents near to each other, as f16, bf16, f32
           : kind < 9 ? (bits & 0x83ff83ff) | 0x3c003c00
                      : bits;
  }
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace wedjat::hardware_truth
