#include "emulator/sched/apart/linear.h"

#include <algorithm>

namespace wedjat::sched::apart {

std::int64_t Linear::factor_of(std::uint8_t symbol) const {
  const auto found = std::ranges::find(terms(), symbol, &Term::symbol);
  return found == terms().end() ? 0 : found->factor;
}

bool Linear::has_same_terms(const Linear& other) const { return std::ranges::equal(terms(), other.terms()); }

// The base and every factor leave room for sums of products of them.
bool Linear::is_small() const {
  constexpr Wide limit = Wide{1} << 66;
  constexpr std::int64_t factor_limit = std::int64_t{1} << 62;
  return -limit < base && base < limit && std::ranges::all_of(terms(), [](const Term& term) {
    return -factor_limit < term.factor && term.factor < factor_limit;
  });
}

bool Linear::add(const Linear& other, std::int64_t times) {
  if (!is_small() || !other.is_small()) return false;
  std::array<Term, most_terms> sum{};
  std::uint8_t count = 0;
  auto a = terms().begin();
  auto b = other.terms().begin();
  while (a != terms().end() || b != other.terms().end()) {
    const bool takes_a = b == other.terms().end() || (a != terms().end() && a->symbol <= b->symbol);
    const bool takes_b = a == terms().end() || (b != other.terms().end() && b->symbol <= a->symbol);
    Term term{takes_a ? a->symbol : b->symbol, 0};
    if (takes_b && __builtin_mul_overflow(b->factor, times, &term.factor)) return false;
    if (takes_a && __builtin_add_overflow(term.factor, a->factor, &term.factor)) return false;
    a += takes_a;
    b += takes_b;
    if (term.factor == 0) continue;
    if (count == most_terms) return false;
    sum[count++] = term;
  }
  Wide more;
  if (__builtin_mul_overflow(other.base, Wide{times}, &more)) return false;
  terms_ = sum;
  count_ = count;
  return !__builtin_add_overflow(base, more, &base) && is_small();
}

bool Linear::scale(std::int64_t factor) {
  const Linear before = *this;
  *this = Linear{};
  return add(before, factor);
}

void Linear::remove(std::uint8_t symbol) {
  const auto end = std::remove_if(terms_.begin(), terms_.begin() + count_,
                                  [&](const Term& term) { return term.symbol == symbol; });
  count_ = static_cast<std::uint8_t>(end - terms_.begin());
}

std::int64_t Linear::multiple_of(const Linear& other) const {
  if (other.is_constant()) return 0;
  const Term& first = other.terms().front();
  const std::int64_t factor = factor_of(first.symbol) / first.factor;
  const bool all = std::ranges::all_of(
      other.terms(), [&](const Term& term) { return Wide{term.factor} * factor == factor_of(term.symbol); });
  return all ? factor : 0;
}

}  // namespace wedjat::sched::apart
