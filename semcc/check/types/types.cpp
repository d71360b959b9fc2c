#include "semcc/check/types/types.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace semcc::check {
namespace {

using ir::Format;
using ir::Kind;
using ir::Type;

struct FloatFormat {
  const char* name;
  Format format;
  unsigned width;
  const char* nan;  // the canonical NaN, hexadecimal; null: the format has none
};
constexpr std::array<FloatFormat, 11> floats{{{"f16", Format::f16, 16, "7fff"},
                                              {"bf16", Format::bf16, 16, "7fff"},
                                              {"tf32", Format::tf32, 32, "7fffffff"},
                                              {"f32", Format::f32, 32, "7fffffff"},
                                              {"f64", Format::f64, 64, "7fffffffffffffff"},
                                              {"e4m3", Format::e4m3, 8, "7f"},
                                              {"e5m2", Format::e5m2, 8, "7f"},
                                              {"ue8m0", Format::ue8m0, 8, "ff"},
                                              {"e2m3", Format::e2m3, 8, nullptr},
                                              {"e3m2", Format::e3m2, 8, nullptr},
                                              {"e2m1", Format::e2m1, 4, nullptr}}};

std::optional<Type> single(const std::string& word) {
  for (const FloatFormat& f : floats)
    if (word == f.name) return Type{Kind::Float, false, false, f.width, 1, f.format};
  if (word == "pred") return pred_type();
  if (word == "integer") return exact_type();
  static const std::set<std::string> widths{"1", "2", "4", "8", "16", "32", "64", "128"};
  if (word.size() < 2 || std::string("bus").find(word[0]) == std::string::npos ||
      !widths.count(word.substr(1)))
    return {};
  return integer_type(static_cast<unsigned>(std::stoi(word.substr(1))), word[0] == 's', word[0] == 'b');
}

}  // namespace

Type integer_type(unsigned width, bool is_signed, bool is_bits) {
  return {Kind::Integer, is_signed, is_bits, width};
}

std::optional<Type> type_named(const std::string& word) {
  if (auto type = single(word)) return type;
  const auto x = word.rfind('x');
  static const std::set<std::string> counts{"2", "4", "8", "32"};
  if (x == std::string::npos || !counts.count(word.substr(x + 1))) return {};
  auto type = single(word.substr(0, x));
  if (!type || type->width == 0 || type->kind == Kind::Pred) return {};
  type->parts = static_cast<unsigned>(std::stoi(word.substr(x + 1)));
  return type;
}

bool is_type_function(const std::string& name) {
  return name == "wide" || name == "half" || name == "part" || name == "packed" || name == "bits" ||
         name == "signed" || name == "unsigned";
}

Type apply_type_function(const std::string& name, const Type& type, Location at) {
  if (type.kind == Kind::Pred || type.width == 0)
    throw Refusal{at, fmt::format("{} has no meaning for {}", name, type.name())};
  Type result = type;
  if (name == "part") {
    result.parts = 1;
    return result;
  }
  if (name == "packed") {
    if (type.width < 32) result.parts = 32 / type.width;
    return result;
  }
  if (name == "bits") return integer_type(type.bits(), false, true);
  if (type.kind != Kind::Integer || type.parts > 1)
    throw Refusal{at, fmt::format("{} needs an integer type, not {}", name, type.name())};
  if (name == "wide") {
    if (type.width > 64) throw Refusal{at, fmt::format("nothing is twice as wide as {}", type.name())};
    result.width *= 2;
  } else if (name == "half") {
    if (type.width < 16) throw Refusal{at, fmt::format("nothing is half as wide as {}", type.name())};
    result.width /= 2;
  } else {
    result.is_bits = false;
    result.is_signed = name == "signed";
  }
  return result;
}

mpz_class canonical_nan(const Type& type, Location at) {
  for (const FloatFormat& f : floats)
    if (type.kind == Kind::Float && f.format == type.format && f.nan) return mpz_class(f.nan, 16);
  throw Refusal{at, fmt::format("{} has no canonical NaN", type.name())};
}

}  // namespace semcc::check
