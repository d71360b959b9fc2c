#include "semcc/check/types/since.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace semcc::check {
namespace {

struct Arch {
  int number;
  char flavour;  // 'a', 'f' or 0: N and newer
};

Arch arch_of(const std::string& text) {
  const char last = text.back();
  return {std::stoi(text.substr(3)), last == 'a' || last == 'f' ? last : '\0'};
}

// Whatever is `special` is also of the family: sm_103a is of sm_100f.
bool is_in_family(Arch special, Arch family) {
  return family.flavour == 'f' && special.number / 10 == family.number / 10 &&
         special.number >= family.number;
}

std::optional<std::string> both(const std::string& x, const std::string& y) {
  const Arch a = arch_of(x), b = arch_of(y);
  if (!a.flavour && !b.flavour) return a.number >= b.number ? x : y;
  if (a.flavour && b.flavour) {
    if (x == y || is_in_family(a, b)) return x;
    return is_in_family(b, a) ? std::optional(y) : std::nullopt;
  }
  const bool a_special = a.flavour != 0;
  return (a_special ? a.number >= b.number : b.number >= a.number) ? std::optional(a_special ? x : y)
                                                                   : std::nullopt;
}

}  // namespace

bool narrow(ir::Since& since, const front::Availability& by) {
  if (std::tie(by.major, by.minor) > std::tie(since.ptx_major, since.ptx_minor)) {
    since.ptx_major = by.major;
    since.ptx_minor = by.minor;
  }
  if (by.targets.empty()) return true;
  if (since.targets.empty()) {
    since.targets = by.targets;
    return true;
  }
  std::vector<std::string> common;
  for (const auto& x : since.targets)
    for (const auto& y : by.targets)
      if (auto target = both(x, y);
          target && std::find(common.begin(), common.end(), *target) == common.end())
        common.push_back(*target);
  since.targets = common;
  return !common.empty();
}

}  // namespace semcc::check
