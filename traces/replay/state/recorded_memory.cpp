// Contents of the recording and memory of the device, part by part: what they take at once does not grow with
// them.
#include <cstring>

#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

void Replayer::write_recorded(const Event& event, std::uint64_t at) const {
  trace_.contents(event, [&](std::uint64_t offset, std::span<const std::byte> part) {
    device_->write(at + offset, part);
  });
}

void Replayer::check_recorded(const Call& call, const std::string& what, std::uint64_t address,
                              std::uint64_t at, const Event& event) {
  check_recorded(call, what, address, event,
                 [&](std::uint64_t offset, std::span<std::byte> ours) { device_->read(at + offset, ours); });
}

bool Replayer::as_recorded(const Event& event, const Read& read) {
  Bytes& ours = copy_buffers_.first;
  bool same = true;
  trace_.contents(event, [&](std::uint64_t offset, std::span<const std::byte> part) {
    if (!same) return;
    ours.resize(part.size());
    read(offset, ours);
    same = std::memcmp(ours.data(), part.data(), part.size()) == 0;
  });
  return same;
}

void Replayer::report_as_recorded(const Call& call, const std::string& what, std::uint64_t address,
                                  const Event& event) {
  accounts_.compared(event);
  Checked checked{call.sequence(), what, address, std::move(kernels_since_check_), 0, {}};
  checked.difference.bytes = event.number("size");
  kernels_since_check_.clear();
  report(std::move(checked));
}

void Replayer::check_recorded(const Call& call, const std::string& what, std::uint64_t address,
                              const Event& event, const Read& read) {
  if (as_recorded(event, read)) return report_as_recorded(call, what, address, event);
  const std::uint64_t size = event.number("size");
  Bytes &ours = copy_buffers_.first, &hardware = copy_buffers_.second;
  check_size(call, size);
  trace_.contents(event, hardware);
  ours.resize(size);
  read(0, ours);
  check(call, what, address, hardware, ours, &event);
}

}  // namespace wedjat::traces
