#include "traces/order/spread.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace wedjat::traces {

Spread::Spread(std::string_view form) {
  const std::string_view type = form.substr(form.rfind('.') + 1);
  unsigned bits = 0;
  if (type.size() > 1) std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  bytes_ = bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 1;
  is_float_ = type.starts_with('f') && bytes_ > 1;
  is_signed_ = type.starts_with('s');
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
