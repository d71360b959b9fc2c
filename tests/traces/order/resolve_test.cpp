// Recordings of an H200.
#include "traces/order/resolve.h"

#include <doctest/doctest.h>

#include <set>

using namespace wedjat::traces;

namespace {

Resolution resolved(const std::string& name,
                    wedjat::kernel::Contract contract = wedjat::kernel::Contract::ptxas) {
  const Trace trace = open_trace(WEDJAT_SOURCE_DIR "/traces/regression/" + name + ".tar.zst");
  ReplayOptions options;
  options.contract = contract;
  const ReplayReport report = replay(trace, options);
  REQUIRE(report.differing_bytes() > 0);
  return resolve_order(trace, options, report);
}

std::set<std::string> kinds(const Resolution& resolution) {
  std::set<std::string> found;
  for (const Open& open : resolution.open) found.insert(open.kind);
  return found;
}

}  // namespace

TEST_CASE("every difference of these programs is open, and the rest is exact") {
  const std::pair<std::string, std::string> programs[] = {
      {"order/float_sums", "sum order"}, {"order/last_writer", "last store"}, {"order/tickets", "tickets"}};
  for (const auto& program : programs) {
    CAPTURE(program.first);
    const Resolution resolution = resolved(program.first);
    CHECK(kinds(resolution) == std::set<std::string>{program.second});
    CHECK(resolution.rest.differing_bytes() == 0);
    CHECK(resolution.complete());
  }
}

TEST_CASE("a program computed wrong is not excused") {
  for (const char* name : {"rodinia/gaussian", "rodinia/cfd", "polybench/lu"}) {
    CAPTURE(name);
    const Resolution resolution = resolved(name, wedjat::kernel::Contract::none);
    CHECK(resolution.open.empty());
    CHECK_FALSE(resolution.complete());
    CHECK(resolution.rest.differing_bytes() > 0);
  }
}
