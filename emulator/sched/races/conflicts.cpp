#include "emulator/sched/races/conflicts.h"

#include <algorithm>
#include <span>
#include <vector>

namespace wedjat::sched {

using exec::Footprint;
using exec::Phase;
using exec::Touch;
using exec::TouchedPage;

namespace {

struct Part {
  std::uintptr_t key;
  const TouchedPage* page;
  const Footprint* of;

  std::uintptr_t piece() const { return key / Touch::kinds; }
  std::uint8_t touch() const { return key % Touch::kinds; }
};

// Whether the stamps say that line `line` of both was touched by one cluster alone, or before its first turn
// by clusters whose turns had come when the other was.
bool is_ordered(const Part& a, const Part& b, unsigned line) {
  if (!a.page->stamps) return false;
  const TouchedPage::Stamp &x = (*a.page->stamps)[line], &y = (*b.page->stamps)[line];
  const bool alone = x.least == x.greatest && y.least == y.greatest && x.least == y.least;
  return alone || (a.of->phase == Phase::before && b.of->phase == Phase::turn && x.greatest < y.turned);
}

bool conflict(const Part& a, const Part& b) {
  if (a.of == b.of || !Touch::conflict(a.touch(), b.touch())) return false;
  for (unsigned line = 0; line < TouchedPage::lines; ++line)
    if ((a.page->touched[line] & b.page->touched[line]) != 0 && !is_ordered(a, b, line) &&
        !is_ordered(b, a, line))
      return true;
  return false;
}

using Parts = std::span<const Part>;

// Calls is_so(parts of a piece, those of them that changed it) piece by piece, until it is.
template <class IsSo>
bool any_piece(const exec::LaunchWatch& watch, const IsSo& is_so) {
  std::vector<Part> parts;
  for (const Footprint& footprint : watch.footprints())
    footprint.pages().for_each([&](std::uintptr_t key, const TouchedPage* page) {
      parts.push_back({key, page, &footprint});
    });
  // Of one piece, reads come first.
  std::ranges::sort(parts, {}, &Part::key);
  for (auto first = parts.begin(); first != parts.end();) {
    const auto last =
        std::find_if(first, parts.end(), [&](const Part& p) { return p.piece() != first->piece(); });
    const auto changes = std::find_if(first, last, [](const Part& p) { return p.touch() != Touch::read; });
    if (is_so(Parts(first, last), Parts(changes, last))) return true;
    first = last;
  }
  return false;
}

// Whether some word of a piece was changed, and touched by several clusters.
bool is_shared(Parts all, Parts changes) {
  constexpr std::uint32_t nobody = TouchedPage::nobody;
  TouchedPage::Owners changed, touched;
  changed.fill(nobody), touched.fill(nobody);
  const auto add = [](TouchedPage::Owners& to, const TouchedPage::Owners& from) {
    for (std::size_t w = 0; w < to.size(); ++w) {
      const std::uint32_t both = from[w] == to[w] || to[w] == nobody ? from[w] : TouchedPage::several;
      to[w] = from[w] == nobody ? to[w] : both;
    }
  };
  for (const Part& part : changes) add(changed, *part.page->owners);
  for (const Part& part : all) add(touched, *part.page->owners);
  bool found = false;
  for (std::size_t w = 0; w < changed.size(); ++w)
    found |= changed[w] != nobody && touched[w] == TouchedPage::several;
  return found;
}

}  // namespace

bool has_conflict(const exec::LaunchWatch& watch) {
  return any_piece(watch, [](Parts all, Parts changes) {
    for (const Part& change : changes)
      for (const Part* other = all.data(); other != &change; ++other)
        if (conflict(*other, change)) return true;
    return false;
  });
}

bool are_apart(const exec::LaunchWatch& watch) { return !any_piece(watch, is_shared); }

}  // namespace wedjat::sched
