// Memory both the program and the device see: pinned, registered, managed, and what graphs copy from and to.
// Beside what the replay makes of it lies what the recording says of it: whenever the hardware rested, both
// must be the same, byte for byte, recorded or not.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emulator/device/device.h"
#include "traces/read/event.h"

namespace wedjat::traces {

class HostRange {
 public:
  std::uint64_t host = 0, device = 0, size = 0;  // where the program and where the device sees it
  bool allocated = false;  // by the replay; false where it lies in memory that existed already (a variable)
  bool managed = false;    // may hold variables that kernels change without being given their address

  // Zeros first, as the format says.
  std::span<std::byte> recorded() { return {recorded_.get(), size}; }
  // Parts that the recording changed since they were last compared: offset, size.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> uncompared;
  std::vector<const Event*> unsettled;  // what recorded them
  // Parts that the device may be changing: offset, size.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> given;

  HostRange(std::uint64_t host_address, std::uint64_t device_address, std::uint64_t bytes);

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte[], Free> recorded_;
};

class HostMemory {
 public:
  explicit HostMemory(device::Device& device) : device_(device) {}

  HostRange& begin(std::uint64_t host, std::uint64_t device, std::uint64_t size);
  HostRange* find(std::uint64_t address);  // that holds this host address, or null
  std::map<std::uint64_t, HostRange>& all() { return ranges_; }

  // The recording holds these bytes: the host wrote them, the device did, or a copy brought them.
  void recorded(std::uint64_t address, std::span<const std::byte> bytes);

  // The device rests: the host wrote these bytes.
  void host_wrote(std::uint64_t address, const Bytes& bytes);
  // The device works: it wrote them or the host did. What our device has changed is its own. Seen by or after
  // a wait, what it was given to change is its own too, and will be compared; after a wait all else will be,
  // too.
  enum class Seen { by_work, by_wait, after_wait };
  void someone_wrote(std::uint64_t address, const Bytes& bytes, Seen seen);

  // Until it rests, the device may change these: a range that a parameter of a kernel points into, the target
  // of a copy.
  void given(const Bytes& parameters);
  void given(std::uint64_t address, std::uint64_t size);
  // What the copy given this brought has been recorded.
  void taken(std::uint64_t address, std::uint64_t size);
  void rest();

  // What we have where the recording differs from it, whole, or nothing if all is the same.
  std::optional<Bytes> difference(HostRange& range) const;

 private:
  HostRange* find_either(std::uint64_t address);  // by host or device address

  device::Device& device_;
  std::map<std::uint64_t, HostRange> ranges_;  // by host address
};

}  // namespace wedjat::traces
