#include "emulator/kernel/forms/attached.h"

namespace wedjat::kernel {
namespace {

// The digits behind the letter; nothing unless each is one, below `limit`.
bool are_digits(std::string_view word, char letter, unsigned limit) {
  if (word.size() < 2 || word[0] != letter) return false;
  for (const char digit : word.substr(1))
    if (digit < '0' || static_cast<unsigned>(digit - '0') >= limit) return false;
  return true;
}

unsigned digit(char c) { return static_cast<unsigned>(c - '0'); }

std::optional<std::uint32_t> part(std::string_view word) {
  if (word.size() != 2) return {};
  if (are_digits(word, 'b', 4)) return 0x10 | digit(word[1]);
  if (are_digits(word, 'h', 2)) return 0x20 | 2 * digit(word[1]);
  return {};
}

std::optional<std::uint32_t> pick(std::string_view word, unsigned elements) {
  if (word.size() != 1 + elements || !are_digits(word, elements == 2 ? 'h' : 'b', 2 * elements)) return {};
  std::uint32_t digits = 0;
  for (const char c : word.substr(1)) digits = digits << 4 | digit(c);
  return digits;
}

// The elements stand in descending order.
std::optional<std::uint32_t> mask(std::string_view word, unsigned elements) {
  if (!are_digits(word, elements == 2 ? 'h' : 'b', elements)) return {};
  std::uint32_t bits = 0;
  for (const char c : word.substr(1)) {
    const std::uint32_t bit = 1u << digit(c);
    if (bits != 0 && bit >= (bits & -bits)) return {};
    bits |= bit;
  }
  return bits;
}

}  // namespace

std::optional<std::uint32_t> selected(const AttachSpec& spec, std::string_view word) {
  if (word.empty()) return spec.required ? std::nullopt : std::optional<std::uint32_t>(spec.absent);
  switch (spec.what) {
    case Attach::Part:
      return part(word);
    case Attach::Pick:
      return pick(word, spec.elements);
    case Attach::Mask:
      return mask(word, spec.elements);
    case Attach::None:
    case Attach::Minus:
      break;
  }
  return {};
}

}  // namespace wedjat::kernel
