#include "emulator/programs/families.h"

#include <algorithm>
#include <span>

#include "emulator/programs/faults.h"
#include "emulator/programs/fitting.h"

namespace wedjat::programs {
namespace {

using kernel::Form;

// Why some are left out: copysign shows the sign of a NaN, fns is undefined beyond 31, addresses and policies
// are numbers of the machine, elect chooses as it likes.
struct Weight {
  std::string_view opcode;
  unsigned weight;
  Need need = Need::nothing;
};
constexpr Weight computing[] = {{"add", 8, Need::rounding},
                                {"sub", 6, Need::rounding},
                                {"mul", 8, Need::rounding},
                                {"mad", 6, Need::rounding},
                                {"fma", 8, Need::rounding},
                                {"cvt", 10},
                                {"setp", 6},
                                {"set", 3},
                                {"selp", 4},
                                {"slct", 3},
                                {"min", 5},
                                {"max", 5},
                                {"mov", 4},
                                {"neg", 3},
                                {"abs", 3},
                                {"rcp", 2},
                                {"sqrt", 2},
                                {"div", 4, Need::divisor},
                                {"rem", 3, Need::divisor},
                                {"testp", 2},
                                {"shl", 4},
                                {"shr", 4},
                                {"shf", 4},
                                {"and", 3},
                                {"or", 3},
                                {"xor", 3},
                                {"not", 2},
                                {"cnot", 2},
                                {"lop3", 4},
                                {"prmt", 4},
                                {"bfe", 3, Need::byte},
                                {"bfi", 3, Need::byte},
                                {"bfind", 2},
                                {"brev", 2},
                                {"popc", 2},
                                {"clz", 2},
                                {"bmsk", 2},
                                {"szext", 2},
                                {"sad", 2},
                                {"mul24", 2},
                                {"mad24", 2},
                                {"dp4a", 2},
                                {"dp2a", 2},
                                {"vadd", 1},
                                {"vsub", 1},
                                {"vmin", 1},
                                {"vmax", 1},
                                {"vabsdiff", 1},
                                {"vset", 1},
                                {"vshl", 1},
                                {"vshr", 1},
                                {"vmad", 1},
                                {"vadd2", 1},
                                {"vsub2", 1},
                                {"vavrg2", 1},
                                {"vmin2", 1},
                                {"vmax2", 1},
                                {"vset2", 1},
                                {"vadd4", 1},
                                {"vsub4", 1},
                                {"vavrg4", 1},
                                {"vmin4", 1},
                                {"vmax4", 1},
                                {"vset4", 1},
                                {"vabsdiff2", 1},
                                {"vabsdiff4", 1}};
constexpr Weight loading[] = {{"ld", 1}};
constexpr Weight storing[] = {{"st", 1}};
constexpr Weight updating[] = {{"atom", 3}, {"red", 1}};
constexpr Weight exchanging[] = {{"shfl", 6}, {"vote", 4}, {"match", 2}, {"redux", 3}, {"bar", 1}};
constexpr Weight multiplying[] = {{"mma", 8}, {"movmatrix", 1}};
constexpr Weight tiling[] = {{"ldmatrix", 2}, {"stmatrix", 1}};
constexpr Weight meeting[] = {{"bar", 1}, {"barrier", 1}};
constexpr Weight fencing[] = {{"fence", 3}, {"membar", 1}};
constexpr Weight phases[] = {{"mbarrier", 1}};
constexpr Weight copying[] = {{"cp", 1}};
constexpr Weight first_carries[] = {{"add", 2}, {"sub", 2}, {"mad", 1}};
constexpr Weight carries[] = {{"addc", 2}, {"subc", 2}, {"madc", 1}};

std::span<const Weight> weights(Use use) {
  static constexpr std::span<const Weight> all[uses] = {
      computing, loading, storing, updating, exchanging, multiplying,   tiling,
      meeting,   fencing, phases,  phases,   copying,    first_carries, carries};
  return all[static_cast<int>(use)];
}

std::vector<Family> make(Use use) {
  std::vector<Family> all;
  for (const Weight& weight : weights(use)) all.push_back({weight.opcode, weight.weight, weight.need, {}});
  for (const Form& form : kernel::all_forms()) {
    const auto family =
        std::find_if(all.begin(), all.end(), [&](const Family& each) { return each.opcode == form.opcode; });
    if (family == all.end() || !fits(form, use) || leaves_more(form) || takes_place_beside(form) ||
        inverts_condition(form) || extends_twice(form) || forgets_to_flush(form) || extracts_beyond(form) ||
        reduces_again(form))
      continue;
    if (family->need == Need::rounding && has_floats(form) && !rounds(form)) continue;
    family->forms.push_back(&form);
  }
  std::erase_if(all, [](const Family& family) { return family.forms.empty(); });
  return all;
}

}  // namespace

const std::vector<Family>& families(Use use) {
  static const std::vector<std::vector<Family>> all = [] {
    std::vector<std::vector<Family>> made;
    for (unsigned i = 0; i < uses; ++i) made.push_back(make(static_cast<Use>(i)));
    return made;
  }();
  return all[static_cast<std::size_t>(use)];
}

}  // namespace wedjat::programs
