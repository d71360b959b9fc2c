#include "emulator/text/foreign_text.h"

#include <cstdint>

namespace wedjat::text {
namespace {

void show_bytes(std::string_view bytes, std::string& to) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    to += "\\x";
    to += digits[byte >> 4];
    to += digits[byte & 15];
  }
}

// How many bytes a character that begins so has; 0 if none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

std::uint32_t code_point(std::string_view bytes) {
  constexpr unsigned of_first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t value = static_cast<unsigned char>(bytes[0]) & of_first[bytes.size()];
  for (const char c : bytes.substr(1)) value = value << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return value;
}

bool is_harmless(std::string_view bytes) {
  const std::uint32_t c = code_point(bytes);
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < least[bytes.size()] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return false;
  if (c == '\n' || c == '\t') return true;
  const bool control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
  // They turn the direction of writing, so that a text reads otherwise than it is.
  const bool turning = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                       (c >= 0x2066 && c <= 0x2069);
  const bool line = c == 0x2028 || c == 0x2029;
  return !control && !turning && !line;
}

}  // namespace

std::string Neutralizer::pass(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!begun_.empty() && (byte & 0xc0) != 0x80) out += rest();
    begun_ += c;
    const std::size_t length = length_of(static_cast<unsigned char>(begun_[0]));
    if (begun_.size() < length) continue;
    if (length != 0 && is_harmless(begun_))
      out += begun_;
    else
      show_bytes(begun_, out);
    begun_.clear();
  }
  return out;
}

std::string Neutralizer::rest() {
  std::string out;
  show_bytes(begun_, out);
  begun_.clear();
  return out;
}

std::string neutral(std::string_view text) {
  Neutralizer neutralizer;
  std::string out = neutralizer.pass(text);
  return out + neutralizer.rest();
}

std::string html(std::string_view text) {
  std::string out;
  for (const char c : neutral(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

}  // namespace wedjat::text
