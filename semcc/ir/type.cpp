#include "semcc/ir/type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace semcc::ir {
namespace {

constexpr std::array<std::pair<Format, const char*>, 12> formats{{{Format::None, ""},
                                                                  {Format::e4m3, "e4m3"},
                                                                  {Format::e5m2, "e5m2"},
                                                                  {Format::e2m3, "e2m3"},
                                                                  {Format::e3m2, "e3m2"},
                                                                  {Format::e2m1, "e2m1"},
                                                                  {Format::ue8m0, "ue8m0"},
                                                                  {Format::f16, "f16"},
                                                                  {Format::bf16, "bf16"},
                                                                  {Format::tf32, "tf32"},
                                                                  {Format::f32, "f32"},
                                                                  {Format::f64, "f64"}}};

unsigned magnitude_bits(const mpz_class& value) {
  return value == 0 ? 0 : static_cast<unsigned>(mpz_sizeinbase(value.get_mpz_t(), 2));
}

}  // namespace

const char* format_name(Format format) {
  return std::find_if(formats.begin(), formats.end(), [&](const auto& f) { return f.first == format; })
      ->second;
}

std::string Type::name() const {
  std::string base;
  switch (kind) {
    case Kind::None:
      return "none";
    case Kind::Pred:
      return "pred";
    case Kind::Real:
      return "real";
    case Kind::Float:
      base = format_name(format);
      break;
    case Kind::Integer:
      if (width == 0) return "integer";
      base = (is_bits ? "b" : is_signed ? "s" : "u") + std::to_string(width);
  }
  return parts > 1 ? base + "x" + std::to_string(parts) : base;
}

unsigned Interval::bits() const {
  const unsigned up = magnitude_bits(high > 0 ? high : mpz_class(0));
  if (low >= 0) return up;
  return std::max(up, magnitude_bits(-low - 1)) + 1;
}

Interval range_of(const Type& type) {
  if (type.kind == Kind::Pred) return {0, 1};
  const mpz_class count = mpz_class(1) << type.width;
  if (type.kind == Kind::Integer && type.is_signed) return {-(count / 2), count / 2 - 1};
  return {0, count - 1};
}

}  // namespace semcc::ir
