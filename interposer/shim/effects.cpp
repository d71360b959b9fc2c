#include "interposer/shim/effects.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
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

bool wait() {
  const auto synchronize = real<CUresult (*)()>(Entry::cuCtxSynchronize);
  return synchronize && synchronize() == CUDA_SUCCESS;
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
  all.memory[address] = {size, {}};
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
  wait();
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
  if (!wait()) return;  // the kernel failed: the application's next call says so
  for (auto& [address, memory] : all.memory) tell_changes_of(call, address, memory);
  everything_done(call);
}

}  // namespace wedjat::interposer
