// In which context calls work.
#include "traces/replay/state/contexts.h"

#include <doctest/doctest.h>

#include <deque>

using namespace wedjat::traces;

namespace {

struct Process {
  std::deque<Event> events;
  Calls calls;

  void call(std::uint64_t sequence, std::int32_t thread, std::uint64_t context = 0) {
    Event& entry = events.emplace_back();
    entry.name = "cuLaunchKernel_entry";
    entry.sequence = sequence;
    entry.thread = thread;
    Call& call = calls.calls.emplace_back();
    call.base = "cuLaunchKernel";
    call.entry = &entry;
    if (context == 0) return;
    Event& recorded = events.emplace_back();
    recorded.name = "context";
    recorded.sequence = sequence + 1;
    recorded.thread = thread;
    recorded.fields.push_back({"context", context});
    call.attached.push_back(&recorded);
  }
};

}  // namespace

TEST_CASE("a thread stays in the context it was put in") {
  Process process;
  process.call(0, 1);
  process.call(10, 1, 0xa0);
  process.call(20, 2, 0xb0);
  process.call(30, 1);
  process.call(40, 1, 0xb0);
  process.call(50, 2);
  const Contexts contexts(process.calls);
  CHECK(contexts.several());
  std::vector<std::uint64_t> of;
  for (const Call& call : process.calls.calls) of.push_back(contexts.of(call));
  CHECK(of == std::vector<std::uint64_t>{0, 0xa0, 0xb0, 0xa0, 0xb0, 0xb0});
}

TEST_CASE("where there is only one, it has no name") {
  Process process;
  process.call(10, 1, 0xa0);
  process.call(20, 2, 0xa0);
  const Contexts contexts(process.calls);
  CHECK(!contexts.several());
  CHECK(contexts.of(process.calls.calls[1]) == 0);
}
