#include "interposer/shim/effects.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "interposer/shim/driver.h"
#include "interposer/shim/host_range.h"
#include "interposer/shim/payload.h"
#include "interposer/shim/streams.h"
#include "traces/format/names.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kChunk = std::size_t{16} << 20;

struct Memory {
  std::size_t size;
  std::uint64_t context;          // that it was allocated in
  std::vector<std::byte> before;  // contents when the launch began
};

struct Effects {
  std::mutex mutex;  // held from effects_begin to effects_end: launches are recorded one at a time
  std::map<std::uint64_t, Memory> memory;
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
bool wait(const std::map<std::uint64_t, Memory>& memory) {
  const auto push = real<CUresult (*)(CUcontext)>(Entry::cuCtxPushCurrent_v2);
  const auto pop = real<CUresult (*)(CUcontext*)>(Entry::cuCtxPopCurrent_v2);
  std::set<std::uint64_t> others;
  for (const auto& [address, one] : memory) others.insert(one.context);
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

void tell_changes_of(const Call& call, std::uint64_t address, Memory& memory) {
  std::vector<std::byte> now;
  for (std::size_t done = 0; done < memory.size; done += now.size()) {
    now.resize(std::min(kChunk, memory.size - done));
    if (!read(address + done, now))
      return trouble(call.sequence, "device memory could not be read after a launch");
    tell_changes(reinterpret_cast<const std::byte*>(address + done), now, memory.before.data() + done,
                 [&](const std::byte* at, std::span<const std::byte> bytes) {
                   device_delta(call.sequence, at, bytes);
                 });
  }
}

}  // namespace

void device_memory_begins(std::uint64_t address, std::size_t size) {
  if (!wanted() || address == 0 || size == 0) return;
  Effects& all = effects();
  const std::lock_guard lock(all.mutex);
  all.memory[address] = {size, current_context(), {}};
}

void device_memory_gone(std::uint64_t address) {
  if (!wanted()) return;
  Effects& all = effects();
  const std::lock_guard lock(all.mutex);
  all.memory.erase(address);
}

void effects_begin(const Call& call) {
  if (!wanted() || capturing(call)) return;
  Effects& all = effects();
  all.mutex.lock();
  watching = true;
  wait(all.memory);
  // What cannot be read is gone with the module it belonged to.
  for (auto next = all.memory.begin(); next != all.memory.end();) {
    Memory& memory = next->second;
    memory.before.resize(memory.size);
    next = read(next->first, memory.before) ? std::next(next) : all.memory.erase(next);
  }
}

void effects_end(const Call& call) {
  if (!watching) return;
  watching = false;
  Effects& all = effects();
  const std::lock_guard lock(all.mutex, std::adopt_lock);
  if (!wait(all.memory)) return;  // the kernel failed: the application's next call says so
  for (auto& [address, memory] : all.memory) tell_changes_of(call, address, memory);
  everything_done(call);
}

}  // namespace wedjat::interposer
