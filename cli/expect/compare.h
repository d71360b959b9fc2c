// Memory against what is expected of it.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "cli/expect/case.h"

namespace wedjat::expect {

/// What elements named $name were when they were first seen.
using Captured = std::map<std::string, Bits>;

struct Difference {
  std::uint64_t element = 0;  ///< in elements of the expectation's type
  Bits got{};
  std::string wanted;        ///< shown, with the relation
  std::uint64_t others = 0;  ///< further elements that differ
};

/// The elements that an expectation speaks of, of a buffer of so many bytes. Throws DirectiveError where they
/// do not lie in it, or where there are not as many values.
struct Elements {
  std::uint64_t first = 0, step = 1, count = 0;
};
Elements elements_of(const std::string& file, const Expectation& expectation, std::uint64_t bytes);

std::optional<Difference> compare(const Expectation& expectation, const Elements& elements,
                                  std::span<const std::byte> memory, Captured& captured);

/// Throws DirectiveError unless every byte of every `out` and `inout` buffer of these launches, which follow
/// each other, is expected or ignored by one of them, and unless every expectation fits its buffer.
void must_cover(const std::string& file, std::span<const Launch> launches);

}  // namespace wedjat::expect
