// Calls of several threads that overlap in time.
#include "traces/replay/state/call_order.h"

#include <doctest/doctest.h>

#include "traces/format/names.h"

using namespace wedjat::traces;

namespace {

Event at(std::uint64_t sequence, std::string_view name = "", std::vector<Field> fields = {}) {
  return {.name = name, .sequence = sequence, .fields = std::move(fields)};
}

Event with_phase(std::uint64_t sequence, std::string_view name, Phase phase) {
  return at(sequence, name, {{"phase", static_cast<std::uint64_t>(phase)}});
}

Call call(const char* symbol, const Event& entry, const Event* exit,
          std::vector<const Event*> attached = {}) {
  return {symbol, base_name(symbol), &entry, exit, std::move(attached)};
}

std::vector<std::uint64_t> entries(Calls calls) {
  order_as_done(calls);
  std::vector<std::uint64_t> all;
  for (const Call& each : calls.calls) all.push_back(each.sequence());
  return all;
}

}  // namespace

TEST_CASE("a copy from pinned memory comes after what another thread recorded of that memory") {
  const Event entry = at(10), exit = at(20), other_entry = at(12), other_exit = at(16);
  const Event delta = with_phase(14, "host_delta", Phase::entry);
  const Call copy = call("cuMemcpyHtoDAsync_v2", entry, &exit);
  const Call launch = call("cuLaunchKernel", other_entry, &other_exit, {&delta});
  CHECK(done_at(copy) > delta.sequence);
  CHECK(entries({{copy, launch}, {}}) == std::vector<std::uint64_t>{12, 10});
}

TEST_CASE("memory is given back before another thread is given it") {
  const Event entry = at(30), exit = at(40), other_entry = at(28), other_exit = at(35);
  const Call free = call("cuMemFree_v2", entry, &exit),
             allocate = call("cuMemAlloc_v2", other_entry, &other_exit);
  CHECK(entries({{allocate, free}, {}}) == std::vector<std::uint64_t>{30, 28});
}

TEST_CASE("a call has had its effect when the recorder tells what it left") {
  const Event entry = at(50), exit = at(60), in = with_phase(52, "payload", Phase::entry),
              out = with_phase(54, "payload", Phase::exit);
  CHECK(done_at(call("cuMemcpyDtoH_v2", entry, &exit, {&in, &out})) == 54);
  CHECK(done_at(call("cuMemcpyDtoH_v2", entry, nullptr)) == 50);  // the recording ends within it
  CHECK(done_at(call("cuCtxSynchronize", entry, &exit)) == 50);
}

TEST_CASE("memory of both sides is given back after what the recorder saw there last") {
  const Event entry = at(50), exit = at(60), delta = with_phase(51, "host_delta", Phase::exit),
              rest = at(52, "host_rest"), other_entry = at(55), other_exit = at(58);
  const Call free = call("cuMemFree_v2", entry, &exit, {&delta, &rest}),
             allocate = call("cuMemAlloc_v2", other_entry, &other_exit);
  CHECK(done_at(free) > rest.sequence);
  CHECK(entries({{allocate, free}, {}}) == std::vector<std::uint64_t>{50, 55});
}
