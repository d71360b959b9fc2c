// Memory both the program and the device see: pinned, registered, managed. Its contents follow the recorded
// changes of the host; what the device changed there is an oracle.
#include <fmt/format.h>

#include "traces/format/names.h"
#include "traces/replay/replayer.h"

namespace wedjat::traces {

void Replayer::host_range(const Call& call, const Event& event) {
  const std::uint64_t host = event.number("address"), size = event.number("size");
  std::uint64_t device = event.number("device_address");
  if (!device) device = host;
  if (event.number("operation") == static_cast<std::uint64_t>(HostRangeOperation::begins)) {
    HostRange range{host, device, size, false};
    if (!device_->is_allocated(device)) {
      allocate(call, device, size);
      range.allocated = true;
    }
    host_ranges_[host] = range;
    return;
  }
  const auto found = host_ranges_.find(host);
  if (found == host_ranges_.end()) return;
  // cuMemFree of managed memory has freed it already.
  if (found->second.allocated && device_->is_allocated(found->second.device))
    release(call, found->second.device);
  host_ranges_.erase(found);
}

std::optional<std::uint64_t> Replayer::shared_with_device(std::uint64_t address) const {
  auto next = host_ranges_.upper_bound(address);
  if (next == host_ranges_.begin()) return std::nullopt;
  const HostRange& range = std::prev(next)->second;
  if (address - range.host >= range.size) return std::nullopt;
  return range.device + (address - range.host);
}

std::optional<std::uint64_t> Replayer::resolve(std::uint64_t address) const {
  if (const auto shared = shared_with_device(address)) return shared;
  if (device_->is_allocated(address)) return address;
  return std::nullopt;
}

void Replayer::apply_delta(const Event& event) {
  if (const auto at = shared_with_device(event.number("address")))
    device_->write(*at, trace_.contents(event));
}

void Replayer::check_delta(const Call& call, const Event& event) {
  const std::uint64_t address = event.number("address");
  const auto at = shared_with_device(address);
  if (!at) return;
  const Bytes expected = trace_.contents(event);
  Bytes got(expected.size());
  device_->read(*at, got);
  check(call, fmt::format("host memory at {}", call.symbol), address, expected, got);
  device_->write(*at, expected);
}

}  // namespace wedjat::traces
