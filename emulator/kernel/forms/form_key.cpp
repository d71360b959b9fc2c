#include "emulator/kernel/forms/form_key.h"

#include <algorithm>
#include <vector>

namespace wedjat::kernel {
namespace {

// Takes digits off the front; false if there are none.
bool digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end != 0;
}

bool letter(std::string_view& text, std::string_view any) {
  if (text.empty() || any.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// e4m3, ue8m0: exponent and mantissa widths.
bool small_float(std::string_view& text) {
  std::string_view rest = text;
  letter(rest, "u");
  if (!letter(rest, "e") || !digits(rest) || !letter(rest, "m") || !digits(rest)) return false;
  text = rest;
  return true;
}

bool wide_type(std::string_view& text) {
  std::string_view rest = text;
  for (std::string_view prefix : {"bf", "tf"}) {
    if (!rest.starts_with(prefix)) continue;
    rest.remove_prefix(2);
    text = rest;
    return digits(text);
  }
  if (!letter(rest, "busf") || !digits(rest)) return false;
  text = rest;
  return true;
}

}  // namespace

bool is_type_word(std::string_view word) {
  if (word == "pred" || word == "texref" || word == "surfref" || word == "samplerref") return true;
  if (word.starts_with("L2::evict_")) return true;  // createpolicy: first the primary, then the secondary
  if (word == "row" || word == "col") return true;  // mma: first the layout of a, then that of b
  if (!small_float(word) && !wide_type(word)) return false;
  if (word.empty()) return true;
  return letter(word, "x") && digits(word) && word.empty();
}

bool is_ignored_word(std::string_view word) {
  static constexpr std::string_view ignored[] = {
      "acc::f16",       "b2",        "b4x16_p64",         "b6x16_p32",   "b8x16",          "box_dim",
      "element_stride", "elemtype",  "fill_mode",         "finite",      "global_address", "global_dim",
      "global_stride",  "infinite",  "interleave_layout", "normal",      "notanumber",     "number",
      "rank",           "subnormal", "swizzle_atomicity", "swizzle_mode"};
  return std::binary_search(std::begin(ignored), std::end(ignored), word);
}

std::string form_key(std::string_view opcode, std::span<const std::string_view> words) {
  std::vector<std::string_view> others;
  std::string key(opcode);
  for (std::string_view word : words) {
    if (is_type_word(word)) {
      key.append(1, '.').append(word);
    } else {
      others.push_back(word);
    }
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  for (std::string_view word : others) key.append(1, '.').append(word);
  return key;
}

}  // namespace wedjat::kernel
