#include "interposer/shim/calls/effects.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>
#include <vector>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/payload.h"
#include "interposer/shim/memory/device_memory.h"
#include "interposer/shim/memory/streams.h"
#include "interposer/shim/ranges/host_range.h"
#include "traces/format/names.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kChunk = std::size_t{16} << 20;

struct Memory {
  DeviceMemory place;
  std::vector<std::byte> before;  // contents when the launch began
};

struct Effects {
  std::mutex mutex;  // held from effects_begin to effects_end: launches are recorded one at a time
  std::vector<Memory> memory;
};

Effects& effects() {
  static Effects& all = *new Effects;
  return all;
}

thread_local bool watching = false;

bool wanted() {
  static const bool verify = std::getenv(traces::kVerifyVariable) != nullptr;
  return verify;
}

bool read(std::uint64_t from, std::span<std::byte> to) {
  const auto copy = real<CUresult (*)(void*, CUdeviceptr, size_t)>(Entry::cuMemcpyDtoH_v2);
  return copy && copy(to.data(), from, to.size()) == CUDA_SUCCESS;
}

bool wait_for_current() {
  const auto synchronize = real<CUresult (*)()>(Entry::cuCtxSynchronize);
  return synchronize && synchronize() == CUDA_SUCCESS;
}

// Also for the work of other contexts, on other devices perhaps: what that changed is not this launch's.
bool wait() {
  const auto push = real<CUresult (*)(CUcontext)>(Entry::cuCtxPushCurrent_v2);
  const auto pop = real<CUresult (*)(CUcontext*)>(Entry::cuCtxPopCurrent_v2);
  std::set<std::uint64_t> others;
  for (const DeviceMemory& one : device_memory()) others.insert(one.context);
  others.erase(current_context());
  bool good = wait_for_current();
  for (const std::uint64_t other : others) {
    auto context = reinterpret_cast<CUcontext>(other);
    if (!push || !pop || push(context) != CUDA_SUCCESS) continue;  // it is gone
    good = wait_for_current() && good;
    pop(&context);
  }
  return good;
}

void tell_changes_of(const Call& call, Memory& memory) {
  const auto [address, size] = std::pair(memory.place.address, memory.place.size);
  std::vector<std::byte> now;
  for (std::size_t done = 0; done < size; done += now.size()) {
    now.resize(std::min(kChunk, size - done));
    if (!read(address + done, now))
      return trouble(call.sequence, "device memory could not be read after a launch");
    tell_changes(reinterpret_cast<const std::byte*>(address + done), now, memory.before.data() + done,
                 [&](const std::byte* at, std::span<const std::byte> bytes) {
                   device_delta(call.sequence, at, bytes);
                 });
  }
}

}  // namespace

void effects_begin(const Call& call) {
  if (!wanted() || capturing(call)) return;
  Effects& all = effects();
  all.mutex.lock();
  watching = true;
  wait();
  all.memory.clear();
  for (const DeviceMemory& place : device_memory()) {
    Memory memory{place, std::vector<std::byte>(place.size)};
    if (read(place.address, memory.before))
      all.memory.push_back(std::move(memory));
    else
      device_memory_gone(place.address);  // with the module it belonged to
  }
}

void effects_end(const Call& call) {
  if (!watching) return;
  watching = false;
  Effects& all = effects();
  const std::lock_guard lock(all.mutex, std::adopt_lock);
  work_taken();
  covers_context(nullptr);
  if (!wait()) return;  // the kernel failed: the application's next call says so
  for (Memory& memory : all.memory) tell_changes_of(call, memory);
  everything_done(call);
}

}  // namespace wedjat::interposer
