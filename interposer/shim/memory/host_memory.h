// Memory that host and device both see: pinned, registered, managed, and what graphs copy from and to. The
// trace tells where it lies and, at every boundary of the device's work, which bytes changed.
#pragma once

#include <cstddef>
#include <span>

#include "interposer/shim/events/call.h"
#include "interposer/shim/memory/box.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {

void pinned_begins(const Call& call, void* address, std::size_t size);
void registered_begins(const Call& call, void* address, std::size_t size);
void graph_memory_begins(const Call& call, const Box& box);
void managed_memory_begins(const Call& call, std::uint64_t address, std::size_t size);
void range_ends(const Call& call, const void* address);
// Whether the box lies in memory of which the trace tells each change before the next work: not so where
// graphs copy from and to, which is looked at for them alone.
bool in_host_range(const Box& box);

template <typename Address>
void managed_begins(const Call& call, Address address, std::size_t size) {
  managed_memory_begins(call, address, size);
}

// Before the device gets work: tells what the host wrote since the last boundary.
void host_wrote(const Call& call);
// `before`: the work that the device had before; `pointers`: words the call gives the device, which may say
// where the host wrote.
void host_wrote(const Call& call, Work before, std::span<const std::byte> pointers);
// The same, and the device gets a graph to work on.
void graph_starts(const Call& call);
// Before managed memory may come to the host though it is not touched there.
void managed_pages_move();
void managed_prefetch(const Call& call);
// Before the host waits for the device.
void wait_begins(const Call& call);
// After the host waited for the device: tells what changed meanwhile. Where all of it rests and looking would
// take too large a part of the program's time, tells only that it rests.
void device_wrote(const Call& call);
// Before memory goes: tells what such a wait left unseen, if the device has had no work since.
void settle_host_memory(const Call& call);
// The same when the program ends.
void settle_host_memory_at_end();
// Before an executable graph goes: the program may free then what it copied from and to, without telling the
// driver.
void graph_ends(const Call& call);
// Around a host function that runs inside a stream.
void device_wrote_before(std::uint64_t call);
void host_function_wrote(std::uint64_t call);
// Tells what copies left in their boxes, by payloads of their calls: it is no change any more. The boxes lie
// apart.
struct Copied {
  std::uint64_t call;
  Phase phase;
  const char* name;
  Box box;
};
void tell_copied(std::span<const Copied> copies);

void device_works();                       // the device gets kernels
void device_rests(std::uint64_t covered);  // what it was given until Work::given was so many was waited for

}  // namespace wedjat::interposer
