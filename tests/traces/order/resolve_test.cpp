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
  REQUIRE(replay(trace, options).differing_bytes() > 0);
  return resolve_order(trace, options);
}

std::set<std::string> kinds(const Resolution& resolution) {
  std::set<std::string> found;
  for (const Open& open : resolution.open) found.insert(open.kind);
  return found;
}

}  // namespace

TEST_CASE("every difference of these programs is open, and the rest is exact") {
  const std::pair<std::string, std::set<std::string>> programs[] = {
      {"order/float_sums", {"sum order"}},
      {"order/last_writer", {"last store"}},
      {"order/tickets", {"tickets"}},
      {"order/read_races", {"order of threads", "some order of threads"}},
      {"order/mixed_atomics", {"order of threads", "some order of threads"}},
      {"order/relaxation", {"some order of threads"}},
      {"order/clocks", {"time"}},
      {"order/unwritten", {"unwritten memory"}}};
  for (const auto& program : programs) {
    CAPTURE(program.first);
    const Resolution resolution = resolved(program.first);
    CHECK(kinds(resolution) == program.second);
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

TEST_CASE("the evidence names instructions, threads and values") {
  const auto evidence = [](const std::string& name) { return resolved(name).open.front().evidence; };
  const std::string race = evidence("order/read_races");
  for (const char* part :
       {"st.global.u32", "CTA 0 thread 32", "on the hardware", "with all warps side by side",
        "ld.volatile.shared.u32", "nothing orders it after"})
    CHECK_MESSAGE(race.find(part) != std::string::npos, part);
  const std::string atomics = evidence("order/mixed_atomics");
  for (const char* part : {"threads update it in any order", "atom.global.max.s32", "atom.global.add.u32"})
    CHECK_MESSAGE(atomics.find(part) != std::string::npos, part);
  const std::string unwritten = evidence("order/unwritten");
  for (const char* part :
       {"0x55555555", "ld.shared.u32", "reads 4 bytes that nobody wrote, at shared offset"})
    CHECK_MESSAGE(unwritten.find(part) != std::string::npos, part);
}

TEST_CASE("programs without races are the same in every order, and whatever memory held") {
  for (const char* name : {"rodinia/hybridsort", "rodinia/lud", "rodinia/huffman"}) {
    CAPTURE(name);
    const Trace trace = open_trace(WEDJAT_SOURCE_DIR "/traces/regression/" + std::string(name) + ".tar.zst");
    for (const std::uint32_t shuffle : {1u, 2u, 3u})
      CHECK(replay(trace, {.shuffle = shuffle, .unwritten = std::byte{0x55}}).exact());
  }
}
