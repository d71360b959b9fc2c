#include "emulator/compile/analysis/certificates.h"

#include <algorithm>

namespace wedjat::compile {

void Certificates::compare(const Offer& offer, std::uint32_t number, Want& want) {
  if (offer.place != want.place) return;
  const bool fits = std::ranges::all_of(want.shapes, [&](const auto& wanted) {
    const auto known = offer.shapes.find(wanted.first);
    return known != offer.shapes.end() && known->second.is_affine() &&
           join(wanted.second, known->second) == wanted.second;
  });
  if (fits) want.accepted[number].store(1, std::memory_order_relaxed);
}

std::uint32_t Certificates::offer(const Place& place, Shapes shapes) {
  const auto number = static_cast<std::uint32_t>(offers_.size() + 1);
  if (number >= most) return 0;
  offers_.push_back({place, std::move(shapes)});
  const Offer& offer = offers_.back();
  for (Want& want : wants_) compare(offer, number, want);
  return number;
}

const Certificates::Accepted& Certificates::want(const Place& place, Shapes shapes) {
  Want& want = wants_.emplace_back();
  want.place = place;
  want.shapes = std::move(shapes);
  for (std::uint32_t number = 1; number <= offers_.size(); ++number)
    compare(offers_[number - 1], number, want);
  return want.accepted;
}

}  // namespace wedjat::compile
