// Memory both the program and the device see (host_memory.h), as the recording tells of it.
#include <fmt/format.h>

#include <algorithm>

#include "traces/format/names.h"
#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

void Replayer::host_range(const Call& call, const Event& event) {
  const std::uint64_t host = event.number("address"), size = event.number("size");
  std::uint64_t device = event.number("device_address");
  if (!device) device = host;  // kernels do not reach it: an array on the stack that a graph copies to
  if (event.number("operation") == static_cast<std::uint64_t>(HostRangeOperation::begins)) {
    check_size(call, size);
    const HostRange* before = host_memory_.find(host);  // of a context that is gone
    if (before && before->allocated && device_->is_allocated(before->device)) release(call, before->device);
    if (before) host_memory_.all().erase(before->host);
    if (stale_.contains(device) && device_->is_allocated(device)) release(call, device);
    const bool allocate_it = !device_->is_allocated(device);
    if (allocate_it) allocate(call, device, size, device::Contents::zeros);
    HostRange& range = host_memory_.begin(host, device, size);
    range.allocated = allocate_it;
    range.managed = event.number("kind") == static_cast<std::uint64_t>(HostRangeKind::managed);
    return;
  }
  HostRange* range = host_memory_.find(host);
  if (!range || range->host != host) return;
  if (device_->is_allocated(range->device)) {  // cuMemFree of managed memory has freed it already
    compare_recorded(call, *range);
    if (range->allocated) release(call, range->device);
  }
  host_memory_.all().erase(host);
}

std::optional<std::uint64_t> Replayer::resolve(std::uint64_t address) {
  if (const HostRange* range = host_memory_.find(address)) return range->device + (address - range->host);
  if (device_->is_allocated(address)) return address;
  return std::nullopt;
}

// Told when the call was over: the device wrote these bytes, or a host function did.
void Replayer::host_delta(const Call& call, const Event& event) {
  const std::uint64_t address = event.number("address");
  if (!is_recorded_whole(event)) return;
  HostRange* range = host_memory_.find(address);
  const Bytes expected = trace_.contents(event);
  if (event.number("phase") == static_cast<std::uint64_t>(Phase::later)) {
    accounts_.used(event);
    return host_memory_.recorded(address, expected);  // run_host_function applies it
  }
  if (trace_.manifest.format >= kWholeHostMemory) {
    range->unsettled.push_back(&event);
    return host_memory_.someone_wrote(address, expected, HostMemory::Seen::after_wait);
  }
  host_memory_.recorded(address, expected);
  const std::uint64_t offset = address - range->host;
  Bytes got(expected.size());
  device_->read(range->device + offset, got);
  check(call, fmt::format("host memory at {}", call.symbol), address, expected, got, &event);
  device_->write(range->device + offset, expected);
}

bool Replayer::is_recorded_whole(const Event& event) {
  const std::uint64_t address = event.number("address"), size = event.number("size");
  const HostRange* range = host_memory_.find(address);
  if (range && size <= range->size - (address - range->host)) return true;
  accounts_.because(event, fmt::format("{:#x} lies in no memory that the host and the device share{}",
                                       address, range ? " as far as they go" : ""));
  return false;
}

// The device had nothing left to do; the recording did not look at what it has done.
void Replayer::host_idle(const Call& call, const Event& event) {
  if (others_work(call, event.sequence)) return;
  host_memory_.rest();
  rests_ = true;
}

// The device had nothing left to do: every byte of such memory must be what the recording knows.
void Replayer::host_rest(const Call& call, const Event& event) {
  if (others_work(call, event.sequence)) return;  // another thread gives it more: ours may be done with that
  const std::string what = fmt::format("host memory at {}", cause(call, event));
  Checked unchanged{call.sequence(), what + ", unchanged", 0, {}, 0, {}};
  for (auto& [host, range] : host_memory_.all()) {
    if (const auto ours = host_memory_.difference(range)) {
      const auto recorded = range.recorded();
      check(call, what, host, Bytes(recorded.begin(), recorded.end()), *ours);
      device_->write(range.device, recorded);
    } else if (!range.uncompared.empty()) {
      Checked same{call.sequence(), what, host, std::move(kernels_since_check_), 0, {}};
      for (const auto& [offset, size] : range.uncompared) same.difference.bytes += size;
      kernels_since_check_.clear();
      report(std::move(same));
    } else {
      unchanged.address = host;
      unchanged.difference.bytes += range.size;
    }
    settle(range);
  }
  // Nothing else may come to compare with.
  if (report_.checked.empty() && !kernels_since_check_.empty() && unchanged.difference.bytes != 0) {
    unchanged.kernels = kernels_since_check_;
    unchanged_ = std::move(unchanged);
  }
  host_memory_.rest();
  rests_ = true;
}

// What no rest compared.
void Replayer::compare_recorded(const Call& call, HostRange& range) {
  for (const auto& [offset, size] : range.uncompared) {
    const auto recorded = range.recorded().subspan(offset, size);
    Bytes got(size);
    device_->read(range.device + offset, got);
    check(call, fmt::format("host memory until {}", call.symbol), range.host + offset,
          Bytes(recorded.begin(), recorded.end()), got);
  }
  settle(range);
}

void Replayer::settle(HostRange& range) {
  for (const Event* event : range.unsettled) accounts_.compared(*event);
  range.unsettled.clear();
  range.uncompared.clear();
}

// Shared memory that is freed before the recording says that its range ended.
void Replayer::compare_freed(const Call& call, std::uint64_t address) {
  HostRange* range = host_memory_.find(address);
  if (!range || range->device != address || range->uncompared.empty()) return;
  // What the device may have changed since it was recorded is not as it was recorded.
  for (const auto& [offset, size] : range->uncompared) {
    Bytes got(size);
    device_->read(range->device + offset, got);
    if (range->given.empty() || std::ranges::equal(got, range->recorded().subspan(offset, size))) continue;
    for (const Event* event : range->unsettled)
      accounts_.because(*event, "its memory was freed while the device might have been changing it");
    return;
  }
  compare_recorded(call, *range);
}

// A host function's run: what it wrote is recorded between its host_function event and that of its next run,
// what had changed before it between the one before and its own.
void Replayer::run_host_function(const Call& call) {
  const std::size_t wanted = ++runs_[&call];
  const bool whole = trace_.manifest.format >= kWholeHostMemory;
  std::size_t run = 0;
  for (const Event* event : call.attached) {
    if (event->name == "host_function") ++run;
    if (event->name != "host_delta") continue;
    const auto phase = static_cast<Phase>(event->number("phase"));
    if (!whole && phase == Phase::exit && run + 1 == wanted) host_delta(call, *event);
    if (phase != Phase::later || run != wanted) continue;
    const auto at = resolve(event->number("address"));
    if (at && device_->holds(*at, event->number("size"))) write_recorded(*event, *at);
  }
}

bool Replayer::others_work(const Call& call, std::uint64_t sequence) {
  std::erase_if(open_, [&](const Call* other) { return other->exit && other->exit->sequence < sequence; });
  return std::any_of(open_.begin(), open_.end(), [&](const Call* other) { return other != &call; });
}

namespace handle {

void host_function(Replayer& replayer, const Call& call) { replayer.run_host_function(call); }

}  // namespace handle
}  // namespace wedjat::traces
