#include "emulator/kernel/forms/form_table.h"

#include <algorithm>
#include <set>

#include "emulator/kernel/forms/form_key.h"

namespace wedjat::kernel {
namespace {

// Calls visit(word, group number) for every word of Form::hints.
template <class Visit>
void each_hint(std::string_view hints, Visit visit) {
  unsigned group = 0;
  while (!hints.empty()) {
    const std::size_t end = std::min(hints.find_first_of(" |"), hints.size());
    if (end != 0) visit(hints.substr(0, end), group);
    if (end < hints.size() && hints[end] == '|') ++group;
    hints.remove_prefix(std::min(end + 1, hints.size()));
  }
}

// No form takes more hints than this.
constexpr std::size_t most_hints = 8;

// Whether the form lists each of these words, at most one a group.
bool takes_hints(const Form& form, const std::vector<std::string_view>& words) {
  std::uint64_t groups = 0;
  for (std::string_view word : words) {
    int found = -1;
    each_hint(form.hints, [&](std::string_view hint, unsigned group) {
      if (hint == word && !(groups >> group & 1)) found = static_cast<int>(group);
    });
    if (found < 0) return false;
    groups |= std::uint64_t{1} << found;
  }
  return true;
}

}  // namespace

const FormTable& FormTable::generated() {
  static const FormTable table(all_forms());
  return table;
}

std::span<const Form> FormTable::with_key(std::string_view key) const {
  const auto first =
      std::lower_bound(forms_.begin(), forms_.end(), key,
                       [](const Form& form, std::string_view wanted) { return form.key < wanted; });
  const auto last = std::find_if(first, forms_.end(), [&](const Form& form) { return form.key != key; });
  return {first, last};
}

// A word may be a hint of one form and a part of another (.weak of st.async and of st): every choice of hints
// is tried, as written first.
std::vector<const Form*> FormTable::without_hints(std::string_view opcode,
                                                  const std::vector<std::string_view>& words) const {
  const std::vector<std::string_view>& listed = hints_of(opcode);
  std::vector<std::size_t> hints;  // places in words
  for (std::size_t i = 0; i < words.size() && hints.size() < most_hints; ++i)
    if (std::binary_search(listed.begin(), listed.end(), words[i])) hints.push_back(i);
  std::vector<const Form*> found;
  for (std::uint32_t chosen = 0; chosen < 1u << hints.size(); ++chosen) {
    std::vector<std::string_view> kept, stripped;
    for (std::size_t i = 0, hint = 0; i < words.size(); ++i) {
      const bool is_hint = hint < hints.size() && hints[hint] == i;
      (is_hint && chosen >> hint & 1 ? stripped : kept).push_back(words[i]);
      hint += is_hint;
    }
    for (const Form& form : with_key(form_key(opcode, kept)))
      if (takes_hints(form, stripped)) found.push_back(&form);
  }
  return found;
}

std::vector<const Form*> FormTable::candidates(std::string_view opcode,
                                               std::span<const std::string_view> words) const {
  std::vector<std::string_view> kept(words.begin(), words.end());
  std::vector<const Form*> found = without_hints(opcode, kept);
  if (found.empty() && std::erase_if(kept, is_ignored_word) != 0) found = without_hints(opcode, kept);
  for (const Form* form : added_)
    if (form->opcode == opcode && form->key == form_key(opcode, words)) found.push_back(form);
  return found;
}

// A key begins with the opcode and a dot sorts before what opcodes are made of, so opcodes are sorted as keys
// are.
std::span<const Form> FormTable::of_opcode(std::string_view opcode) const {
  const auto first =
      std::lower_bound(forms_.begin(), forms_.end(), opcode,
                       [](const Form& form, std::string_view wanted) { return form.opcode < wanted; });
  const auto last =
      std::upper_bound(first, forms_.end(), opcode,
                       [](std::string_view wanted, const Form& form) { return wanted < form.opcode; });
  return {first, last};
}

const std::vector<std::string_view>& FormTable::hints_of(std::string_view opcode) const {
  // A table of tools has the generated forms and some of its own, which take no hints.
  if (this != &generated() && forms_.data() == generated().forms_.data()) return generated().hints_of(opcode);
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = hints_.try_emplace(std::string(opcode));
  if (is_new) {
    std::set<std::string_view> words;
    for (const Form& form : of_opcode(opcode))
      each_hint(form.hints, [&](std::string_view hint, unsigned) { words.insert(hint); });
    entry->second.assign(words.begin(), words.end());
  }
  return entry->second;
}

}  // namespace wedjat::kernel
