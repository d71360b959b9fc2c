#include "emulator/kernel/legality/word_order.h"

#include <algorithm>
#include <iterator>

namespace wedjat::kernel {
namespace {

// The words of an opcode's name, in the order in which they stand.
struct Name {
  std::string_view opcode, words;
};

// Sorted. Where ptxas lets a word wander although the manual has it in front (vote.sync, bar.red.popc), it is
// not here.
constexpr Name names[] = {
    {"bar", "cta warp arrive red"},
    {"barrier", "cta cluster arrive red wait"},
    {"brx", "idx"},
    {"cp", "reduce async bulk prefetch tensor"},
    {"createpolicy", "fractional range"},
    {"cvta", "to"},
    {"div", "full"},
    {"dp2a", "hi lo"},
    {"fence", "proxy"},
    {"mad", "hi lo wide"},
    {"mad24", "hi lo"},
    {"madc", "hi lo wide"},
    {"mbarrier",
     "init inval arrive arrive_drop test_wait try_wait expect_tx complete_tx pending_count parity"},
    {"membar", "proxy"},
    {"mul", "hi lo wide"},
    {"mul24", "hi lo"},
    {"multimem", "ld_reduce red st"},
    {"red", "async"},
    {"shf", "l r"},
    {"st", "async"},
    {"suld", "b"},
    {"sured", "b p"},
    {"sust", "b p"},
    {"tensormap", "replace cp_fenceproxy"},
    {"tex", "level grad base"},
    {"wgmma", "mma_async"},
    {"wmma", "load store mma a b c d"},
};

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

bool name_stands_first(std::string_view opcode, std::span<const std::string_view> words) {
  const Name* name = std::ranges::lower_bound(names, opcode, {}, &Name::opcode);
  if (name == std::end(names) || name->opcode != opcode) return true;
  std::size_t last = 0;
  bool over = false;
  for (std::string_view word : words) {
    const std::size_t at = place(name->words, word);
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
