#include "traces/replay/state/call_order.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/format/names.h"
#include "traces/replay/state/replayer.h"

namespace wedjat::traces {
namespace {

bool gives_back(std::string_view base) {
  for (const char* word : {"Free", "Destroy", "Unload", "Unmap", "Unbind", "Unregister", "Release", "Reset"})
    if (base.find(word) != base.npos) return true;
  return false;
}

// Told once the driver had returned.
bool comes_after(const Event& event) {
  if (event.name == "host_rest" || event.name == "host_idle" || event.name == "host_function" ||
      event.name == "device_delta")
    return true;
  if (event.name == "host_range")
    return event.number("operation") == static_cast<std::uint64_t>(HostRangeOperation::begins);
  if (event.name != "payload" && event.name != "host_delta") return false;
  return event.number("phase") != static_cast<std::uint64_t>(Phase::entry);
}

}  // namespace

std::uint64_t done_at(const Call& call) {
  if (call.exit == nullptr || !has_effect(call.base)) return call.sequence();
  if (gives_back(call.base)) {
    // Before memory of both sides goes the recorder may look at what no wait has shown.
    const auto rest = std::ranges::find_if(call.attached.rbegin(), call.attached.rend(),
                                           [](const Event* event) { return event->name == "host_rest"; });
    return rest == call.attached.rend() ? call.sequence() : (*rest)->sequence + 1;
  }
  const auto after =
      std::ranges::find_if(call.attached, [](const Event* event) { return comes_after(*event); });
  return std::min(call.exit->sequence,
                  after == call.attached.end() ? call.exit->sequence : (*after)->sequence);
}

void order_as_done(Calls& calls) {
  // Asked once a call, and most recordings are in order: of a million calls asking takes a second.
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(calls.calls.size());
  for (const Call& call : calls.calls) order.emplace_back(done_at(call), order.size());
  if (std::ranges::is_sorted(order)) return;
  std::ranges::sort(order);
  std::vector<Call> ordered;
  ordered.reserve(order.size());
  for (const auto& [done, at] : order) ordered.push_back(std::move(calls.calls[at]));
  calls.calls = std::move(ordered);
}

}  // namespace wedjat::traces
