// Launches -> directives: what parse() reads as the same.
#pragma once
#include <span>
#include <string>

#include "cli/expect/case.h"

namespace wedjat::expect {

/// Comments with `//`, a directive a line; long lists of values go on with `wedjat+:`.
std::string write(std::span<const Launch> launches);

}  // namespace wedjat::expect
