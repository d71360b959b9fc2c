// Charts of HTML reports: which tables get one, and where things stand in it.
#include <doctest/doctest.h>

#include "emulator/hooks/report_charts.h"

using namespace wedjat::hooks;

namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a table of starts and stops is a timeline") {
  Table table{"warps", {"kernel", "warp", "start", "stop"}, {}};
  for (std::uint64_t warp = 0; warp < 300; ++warp)
    for (const Cell& cell : {Cell("a<b>'"), Cell(warp), Cell(10 * warp), Cell(10 * warp + 5)})
      table.cells.push_back(cell);
  const std::string chart = chart_of(table);
  CHECK(count(chart, "<rect") == 256);
  CHECK(chart.find("The first 256 of 300.") != std::string::npos);
  CHECK(chart.find("kernel a&lt;b&gt;&#39; warp 1: 10 to 15") != std::string::npos);
  CHECK(chart.find(">warp 255<") != std::string::npos);
}

TEST_CASE("a roofline has its points on the roof") {
  // The roof: 1000 Gflop/s, 100 GB/s.
  const Table table{"under the roof",
                    {"kernel", "sector_intensity", "bend", "attainable_gflops", "bound"},
                    {Cell("m"), Cell(1.0), Cell(10.0), Cell(100.0), Cell("memory"),  //
                     Cell("a"), Cell(50.0), Cell(10.0), Cell(1000.0), Cell("arithmetic")}};
  const std::string chart = chart_of(table);
  CHECK(count(chart, "<circle") == 2);
  // Axes from 0.1 to 1000 across and 100 to 10000 up: the bend in their middle, a quarter of the way apart.
  CHECK(chart.find("L385.0 170.0L700.0 170.0") != std::string::npos);
  CHECK(chart.find("<circle cx=227.5 cy=330.0") != std::string::npos);
  CHECK(chart.find("cy=170.0") != std::string::npos);
}

TEST_CASE("other tables have no chart of their own") {
  CHECK(chart_of({"t", {"a", "b"}, {Cell(std::uint64_t{1}), Cell(2.0)}}).empty());
  CHECK(chart_of({"t", {"start", "stop"}, {}}).empty());
}
