// The head of a directive: `y[4..7 by 2]: u32[8] = …`.
#pragma once
#include <span>

#include "cli/expect/case.h"
#include "cli/expect/lines.h"

namespace wedjat::expect {

struct Place {
  bool whole = true;
  std::uint64_t first = 0, step = 1;
  std::optional<std::uint64_t> last;
};

struct Head {
  std::string name;
  Place place;
  Type type{};
  std::optional<std::uint64_t> count;
  bool has_values = false;
  std::span<const Word> values;  ///< behind `=`
};

/// Throws std::invalid_argument.
Head parse_head(std::span<const Word> words);

}  // namespace wedjat::expect
