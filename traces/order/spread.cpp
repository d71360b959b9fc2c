#include "traces/order/spread.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace wedjat::traces {

namespace {

// Null: it writes no register, as bulk copies do.
const wedjat_operand* written_by(const wedjat_instruction& writer) {
  const wedjat_operand* found = nullptr;
  for (const wedjat_operand& operand : std::span(writer.operands, writer.operand_count))
    if (operand.in && operand.kind != WEDJAT_ADDRESS && operand.bits >= 8) found = &operand;
  return found;
}

}  // namespace

Spread::Spread(unsigned bytes, wedjat_value value)
    : bytes_(std::has_single_bit(bytes) && bytes <= 8 ? bytes : 1),
      is_float_(value == WEDJAT_FLOAT && bytes_ > 1),
      is_signed_(value == WEDJAT_SIGNED) {}

Spread::Spread(const wedjat_instruction& writer) : Spread() {
  if (const wedjat_operand* from = written_by(writer))
    *this =
        Spread(from->bits / 8u / std::max<unsigned>(from->parts, 1), static_cast<wedjat_value>(from->value));
}

// Floats are ordered as their magnitudes, negative ones backwards.
std::vector<std::uint64_t> Spread::ranks(Bytes value) const {
  std::vector<std::uint64_t> all;
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_ - 1);
  for (std::size_t at = 0; at + bytes_ <= value.size(); at += bytes_) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value[at], bytes_);
    if (is_float_)
      all.push_back(bits & sign ? sign - (bits ^ sign) : bits + sign);
    else
      all.push_back(is_signed_ ? bits ^ sign : bits);
  }
  return all;
}

void Spread::add(Bytes value) {
  const auto now = ranks(value);
  if (least_.empty()) {
    least_ = greatest_ = now;
    return;
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    least_[i] = std::min(least_[i], now[i]);
    greatest_[i] = std::max(greatest_[i], now[i]);
  }
}

bool Spread::holds(Bytes value) const {
  const auto now = ranks(value);
  for (std::size_t i = 0; i < now.size(); ++i)
    if (now[i] < least_[i] || now[i] > greatest_[i]) return false;
  return true;
}

}  // namespace wedjat::traces
