// Every recorded byte is compared, or listed and then the verdict is not `exact`: events that ask for
// something else than the hardware did.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "tests/traces/replay/samples.h"
#include "traces/format/error.h"
#include "traces/replay/replay.h"

using namespace wedjat::traces;

namespace {

Trace sample(const std::string& name) {
  return open_trace(std::filesystem::path(WEDJAT_SOURCE_DIR) / "traces/samples" / (name + ".tar.zst"));
}

Event& event_of(Trace& trace, const std::function<bool(const Event&)>& which) {
  const auto found = std::ranges::find_if(trace.events, which);
  REQUIRE(found != trace.events.end());
  return *found;
}

void set(Event& event, std::string_view field, Value value) {
  for (Field& one : event.fields)
    if (one.name == field) one.value = std::move(value);
}

bool is_result(const Event& event) {
  return event.name == "payload" && event.text("name").starts_with("host_out");
}

ReplayReport replayed(const Trace& trace) {
  ReplayOptions options;
  options.threads = 1;
  options.accept_flawed = true;
  options.print = [](std::string_view) {};
  ReplayReport report = replay(trace, options);
  CHECK(report.recorded_bytes >= report.left_bytes);
  return report;
}

}  // namespace

TEST_CASE("all samples compare every recorded byte") {
  for (const auto& path : samples()) {
    INFO(path.filename().string());
    const ReplayReport report = replayed(open_trace(path));
    CHECK(report.left_bytes == 0);
    CHECK(report.not_compared.empty());
  }
}

TEST_CASE("a copy to the host from what is no memory") {
  Trace trace = sample("saxpy");
  Event& copy = event_of(trace, [](const Event& e) { return e.name.starts_with("cuMemcpyDtoH_v2_entry"); });
  set(copy, "srcDevice", std::uint64_t{0x1234});
  const ReplayReport report = replayed(trace);
  CHECK(report.agreement() != Agreement::exact);
  CHECK(report.left_bytes > 0);
  REQUIRE(!report.not_compared.empty());
  CHECK(report.not_compared[0].find("0x1234") != std::string::npos);
}

TEST_CASE("a copy of no bytes that the trace holds bytes of") {
  Trace trace = sample("saxpy");
  Event& copy = event_of(trace, [](const Event& e) { return e.name.starts_with("cuMemcpyDtoH_v2_entry"); });
  set(copy, "ByteCount", std::uint64_t{0});
  const ReplayReport report = replayed(trace);
  CHECK(report.agreement() == Agreement::nothing_compared);
  CHECK(report.left_bytes == report.recorded_bytes);
}

TEST_CASE("a copy to the device at an address that is no memory") {
  Trace trace = sample("saxpy");
  Event& copy = event_of(trace, [](const Event& e) { return e.name.starts_with("cuMemcpyHtoD_v2_entry"); });
  set(copy, "dstDevice", std::uint64_t{0x5678});
  const ReplayReport report = replayed(trace);
  CHECK(report.agreement() != Agreement::exact);
  CHECK(std::ranges::any_of(report.not_compared,
                            [](const std::string& line) { return line.find("0x5678") != line.npos; }));
}

TEST_CASE("results whose call is another one, failed, or is not there; whose name or kind is another one") {
  const std::function<void(Trace&, Event&)> changes[] = {
      [](Trace&, Event& e) { set(e, "call", ~std::uint64_t{0}); },
      [](Trace&, Event& e) { set(e, "call", std::uint64_t{1}); },
      [](Trace&, Event& e) { set(e, "name", std::string("host_in")); },
      [](Trace&, Event& e) { set(e, "name", std::string("host_0ut")); },
      [](Trace&, Event& e) { e.name = "paylaod"; },
      [](Trace&, Event& e) { e.name = "image"; },
      [](Trace&, Event& e) { e.name = "host_delta"; },
      [](Trace& trace, Event& e) {
        const std::uint64_t call = e.number("call");
        Event& exit = event_of(trace, [&](const Event& one) {
          return one.name.ends_with("_exit") && one.find("call") && one.number("call") == call;
        });
        set(exit, "result", std::int64_t{1});
      },
      [](Trace& trace, Event& e) {
        const std::uint64_t call = e.number("call");
        event_of(trace, [&](const Event& one) { return one.sequence == call; }).name =
            "cuMemHostRegister_entry";
      },
  };
  for (const auto& change : changes) {
    Trace trace = sample("saxpy");
    change(trace, event_of(trace, is_result));
    const auto number = &change - changes;
    INFO(number);
    try {
      const ReplayReport report = replayed(trace);
      CHECK(report.agreement() != Agreement::exact);
      CHECK(!report.not_compared.empty());
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()).size() > 20);
    }
  }
}

TEST_CASE("a change of shared memory that lies in none") {
  int changed = 0;
  for (const auto& path : samples()) {
    Trace trace = open_trace(path);
    const auto event = std::ranges::find_if(
        trace.events, [](const Event& e) { return e.name == "host_delta" && e.number("phase") == 1; });
    if (event == trace.events.end()) continue;
    ++changed;
    set(*event, "address", event->number("address") + (std::uint64_t{1} << 40));
    INFO(path.filename().string());
    CHECK(replayed(trace).agreement() != Agreement::exact);
  }
  CHECK(changed > 0);
}

TEST_CASE("a copy asks for more than a machine has, or than is there") {
  for (const std::uint64_t bytes : {std::uint64_t{1} << 47, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    Trace trace = sample("saxpy");
    set(event_of(trace, [](const Event& e) { return e.name.starts_with("cuMemcpyDtoH_v2_entry"); }),
        "ByteCount", bytes);
    CHECK_THROWS_AS(replayed(trace), ReplayRefused);
  }
}
