// Charts of a report's page, as SVG.
#pragma once
#include <string>
#include <string_view>

#include "emulator/hooks/report.h"

namespace wedjat::hooks {

std::string escaped(std::string_view text);  ///< for HTML, in attributes too
double number(const Cell& cell);             ///< negative: it is text

/// What the columns of a table call for: `start` and `stop`: bars over time; `bend` and `attainable_gflops`:
/// a roofline, both axes logarithmic. Empty: nothing.
std::string chart_of(const Table& table);

}  // namespace wedjat::hooks
