#include "emulator/kernel/legality/word_order.h"

#include <algorithm>

#include "emulator/kernel/forms/traits.h"

namespace wedjat::kernel {
namespace {

// Where `word` stands among words separated by blanks; npos: nowhere.
std::size_t place(std::string_view words, std::string_view word) {
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    if (words.substr(begin, end - begin) == word) return begin;
    begin = end + 1;
  }
  return std::string_view::npos;
}

}  // namespace

bool name_stands_first(const Form& form, std::span<const std::string_view> words) {
  const std::string_view leading = traits_of(form).leading;
  std::size_t last = 0;
  bool over = false;
  for (std::string_view word : words) {
    const std::size_t at = place(leading, word);
    if (at == std::string_view::npos) {
      over = true;
    } else if (over || at < last) {
      return false;
    } else {
      last = at;
    }
  }
  return true;
}

}  // namespace wedjat::kernel
