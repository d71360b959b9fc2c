#include "emulator/kernel/legality/legacy.h"

#include <algorithm>

#include "emulator/kernel/forms/instruction_lists.h"
#include "emulator/kernel/legality/availability.h"

namespace wedjat::kernel {
namespace {

using Words = std::vector<std::string_view>;

bool is_before_sm_20(const ptx::Module& module) { return !target_has(module.targets, "sm_20"); }

// What an sm_1x computes in single precision it flushes, but, up to .version 1.4, not what it converts from
// or to double precision. Evidence: ptxas 13.0 makes the machine code of the form with .ftz (41 forms, eight
// pairs of .version and .target), and an H200's results.
bool flushes(const ptx::Module& module, const Words& words) {
  const bool is_double = module.version.number() <= 104 && std::ranges::count(words, "f64") != 0;
  return is_before_sm_20(module) && !is_double;
}

Words with(Words words, std::string_view word) {
  words.push_back(word);
  return words;
}

}  // namespace

std::vector<const Form*> candidates_in(const ptx::Module& module, const FormTable& table,
                                       const ptx::Mnemonic& mnemonic) {
  Words words(mnemonic.modifiers.begin(), mnemonic.modifiers.end());
  std::vector<const Form*> found = table.candidates(mnemonic.opcode, words);
  if (found.empty() && (module.version.number() <= 301 || is_before_sm_20(module))) {
    static const std::span unrounded = instructions("unrounded");
    std::vector<const Form*> rounded = table.candidates(mnemonic.opcode, with(words, "rn"));
    std::erase_if(rounded, [](const Form* form) { return std::ranges::count(unrounded, form) == 0; });
    if (!rounded.empty()) words = with(words, "rn"), found = std::move(rounded);
  }
  if (found.empty() && module.version.number() < 603)  // which brought the word
    found = table.candidates(mnemonic.opcode, with(words, "aligned"));
  if (flushes(module, words) && std::ranges::count(words, "ftz") == 0) {
    std::vector<const Form*> flushed = table.candidates(mnemonic.opcode, with(words, "ftz"));
    if (!flushed.empty()) found = std::move(flushed);
  }
  return found;
}

}  // namespace wedjat::kernel
