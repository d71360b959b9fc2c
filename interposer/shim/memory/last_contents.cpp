#include "interposer/shim/memory/last_contents.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/payload.h"
#include "interposer/shim/memory/device_memory.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/read_managed.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

// Memory is read in pieces of this size; of what is larger than one, only the hash is kept.
constexpr std::size_t kPiece = std::size_t{16} << 20;
constexpr std::size_t kStaging = std::size_t{32} << 20;  // for what is freed in the order of a stream
constexpr std::chrono::seconds kPatience{2};             // for kernels that still run when the program ends

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::uint64_t wanted() {
  static const std::uint64_t bytes = number_in(traces::kLastMemoryVariable, traces::kLastMemoryBytes);
  return bytes;
}

// Also of a program that brought results to the host.
bool always() {
  static const bool set = number_in(traces::kAlwaysLastMemoryVariable, 0) != 0;
  return set;
}

struct Held {
  std::uint64_t call, address, size;
  traces::Hash hash;
  std::vector<std::byte> contents;  // or nothing
};

// A copy on its way: enqueued where the program freed the memory, done when the program's work is.
struct Staged {
  std::uint64_t call, address, context;
  std::span<const std::byte> contents;
};

struct Last {
  std::mutex mutex;
  std::vector<Staged> staged;
  std::span<std::byte> staging;  // what is left of it
  bool has_staging = false;
  std::vector<Held> held;  // told when the program ends, if until then nothing else is there to compare
  // Bytes that may still be read when memory is freed and when the program ends, and kept as they are.
  std::uint64_t of_frees = wanted(), of_end = wanted(), of_contents = wanted() / 8;
  std::unordered_map<std::uint64_t, std::uint64_t> told;  // address -> how much work there had been
  ::pid_t watched = 0;
};

Last& last() {
  static Last& all = *new Last;
  return all;
}

bool read(std::uint64_t from, std::span<std::byte> to) {
  const auto copy = real<CUresult (*)(void*, CUdeviceptr, size_t)>(Entry::cuMemcpyDtoH_v2);
  return copy && copy(to.data(), from, to.size()) == CUDA_SUCCESS;
}

// False after a failed kernel too: nothing can be read then.
bool wait() {
  const auto synchronize = real<CUresult (*)()>(Entry::cuCtxSynchronize);
  return synchronize && synchronize() == CUDA_SUCCESS;
}

// Waits no longer than a program that is about to end can: a kernel of it may never end.
bool wait_with_patience() {
  const auto create = real<CUresult (*)(CUevent*, unsigned)>(Entry::cuEventCreate);
  const auto record = real<CUresult (*)(CUevent, CUstream)>(Entry::cuEventRecord);
  const auto query = real<CUresult (*)(CUevent)>(Entry::cuEventQuery);
  const auto destroy = real<CUresult (*)(CUevent)>(Entry::cuEventDestroy_v2);
  if (work().at_rest) return wait();
  CUevent event = nullptr;
  if (!create || create(&event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return false;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  const auto reached = [&](CUstream stream) {
    if (record(event, stream) != CUDA_SUCCESS) return false;
    CUresult result = CUDA_ERROR_NOT_READY;
    while ((result = query(event)) == CUDA_ERROR_NOT_READY && std::chrono::steady_clock::now() < end)
      ::usleep(100);
    return result == CUDA_SUCCESS;
  };
  bool rests = reached(nullptr);  // and every stream that the legacy stream waits for
  for (CUstream stream : streams_apart()) rests = rests && reached(stream);
  destroy(event);
  return rests && wait();
}

// Memory that was allocated holds whatever it held before, if the device has had nothing to do since.
bool untouched(const DeviceMemory& memory) {
  return memory.origin == MemoryOrigin::allocated && memory.given == work().given;
}

// With the lock held.
void keep(Last& all, std::uint64_t call, const DeviceMemory& memory, std::uint64_t& budget) {
  if (untouched(memory)) return;
  const std::uint64_t given = work().given;
  const auto known = all.told.find(memory.address);
  if (known != all.told.end() && known->second == given) return;
  if (memory.size > budget) return;
  budget -= memory.size;
  std::vector<std::byte> piece;
  traces::HashStream hash;
  for (std::size_t done = 0; done < memory.size; done += piece.size()) {
    piece.resize(std::min(kPiece, memory.size - done));
    if (!read(memory.address + done, piece)) return;
    hash.add(piece);
  }
  if (work().given != given) return;  // another thread gave the device work meanwhile
  const bool whole = memory.size <= kPiece && memory.size <= all.of_contents;
  if (whole) all.of_contents -= memory.size;
  if (!whole) piece.clear();
  all.held.push_back({call, memory.address, memory.size, hash.value(), std::move(piece)});
  all.told[memory.address] = given;
}

void forget(std::uint64_t address) {
  Last& all = last();
  const std::lock_guard lock(all.mutex);
  all.told.erase(address);
  device_memory_gone(address);
}

bool needless() { return wanted() == 0 || (results_told() && !always()); }

void keep_before_end(const Call& call, std::span<const DeviceMemory> memories, bool (*rest)()) {
  if (needless()) return;
  Last& all = last();
  const std::lock_guard lock(all.mutex);
  if (captures_under_way() || std::ranges::all_of(memories, untouched) || !rest()) return;
  for (const DeviceMemory& memory : memories) keep(all, call.sequence, memory, all.of_frees);
}

// What may be read: not every mapping may.
template <typename Which>
std::vector<DeviceMemory> readable(const Which& which) {
  std::vector<DeviceMemory> list = device_memory();
  std::erase_if(list, [&](const DeviceMemory& memory) {
    return memory.origin == MemoryOrigin::mapped || memory.context == 0 || !which(memory);
  });
  return list;
}

// With the lock held, where the context rests.
void take_staged(Last& all, std::uint64_t context) {
  for (const Staged& one : all.staged)
    if (one.context == context)
      all.held.push_back({one.call, one.address, one.contents.size(), traces::hash_bytes(one.contents),
                          std::vector<std::byte>(one.contents.begin(), one.contents.end())});
  std::erase_if(all.staged, [&](const Staged& one) { return one.context == context; });
}

// With the lock held.
void keep_what_is_live(Last& all) {
  if (captures_under_way()) return;
  const auto set = real<CUresult (*)(CUcontext)>(Entry::cuCtxSetCurrent);
  const auto before = reinterpret_cast<CUcontext>(current_context());
  std::unordered_map<std::uint64_t, bool> known;
  const auto rests = [&](std::uint64_t context) {
    if (context == 0 || set(reinterpret_cast<CUcontext>(context)) != CUDA_SUCCESS) return false;
    const auto [place, is_new] = known.try_emplace(context, false);
    if (is_new) place->second = wait_with_patience();
    return place->second;
  };
  while (!all.staged.empty()) {
    const std::uint64_t context = all.staged.front().context;
    if (rests(context)) take_staged(all, context);
    std::erase_if(all.staged, [&](const Staged& one) { return one.context == context; });
  }
  for (const DeviceMemory& memory : readable([](const DeviceMemory&) { return true; }))
    if (rests(memory.context)) keep(all, traces::kNoCall, memory, all.of_end);
  set(before);
}

void program_ends() {
  if (!recording()) return;
  Last& all = last();
  {
    const std::lock_guard lock(all.mutex);
    if (all.watched != ::getpid()) return;
  }
  settle_host_memory_at_end();
  const std::lock_guard lock(all.mutex);
  if (needless()) return;
  keep_what_is_live(all);
  for (const Held& held : all.held)
    device_memory_held(held.call, held.address, held.size, held.hash, held.contents);
  all.held.clear();
}

void program_ends_safely() {
  try {
    program_ends();
  } catch (const std::exception& error) {
    trouble(traces::kNoCall, error.what());
  }
}

}  // namespace

void memory_freed(const Call& call, std::uint64_t address) {
  const auto memory = device_memory_at(address);
  if (!memory) return;
  if (memory->context == current_context()) keep_before_end(call, {&*memory, 1}, wait);  // as the free does
  forget(address);
}

void memory_begins_later(const Call& call, std::uint64_t address, std::size_t size) {
  // What a graph allocates is there while the graph runs.
  const bool of_graph = capturing(call);
  device_memory_begins(address, size, of_graph ? MemoryOrigin::mapped : MemoryOrigin::allocated);
  if (of_graph || needless()) return;
  Last& all = last();
  const std::lock_guard lock(all.mutex);
  if (std::exchange(all.has_staging, true)) return;
  const auto allocate = real<CUresult (*)(void**, size_t, unsigned)>(Entry::cuMemHostAlloc);
  void* memory = nullptr;
  if (allocate && allocate(&memory, kStaging, 0) == CUDA_SUCCESS)
    all.staging = {static_cast<std::byte*>(memory), kStaging};
}

void memory_freed_later(const Call& call, std::uint64_t address) {
  const auto memory = device_memory_at(address);
  forget(address);
  if (!memory || memory->origin == MemoryOrigin::mapped || needless() || capturing(call)) return;
  Last& all = last();
  const std::lock_guard lock(all.mutex);
  if (all.staging.size() < memory->size) return;
  const auto copy = real<CUresult (*)(void*, CUdeviceptr, size_t, CUstream)>(
      call.per_thread ? Entry::cuMemcpyDtoHAsync_v2_ptsz : Entry::cuMemcpyDtoHAsync_v2);
  const auto contents = all.staging.first(memory->size);
  if (!copy || copy(contents.data(), address, contents.size(), call.stream) != CUDA_SUCCESS) return;
  all.staging = all.staging.subspan(contents.size());
  all.staged.push_back({call.sequence, address, memory->context, contents});
}

void variables_end(const Call& call, std::uint64_t owner) {
  const std::uint64_t context = current_context();
  const auto variables = readable([&](const DeviceMemory& memory) {
    return memory.origin == MemoryOrigin::variable && memory.owner == owner && memory.context == context;
  });
  keep_before_end(call, variables, wait);
  for (const DeviceMemory& variable : variables) forget(variable.address);
}

void context_ends(const Call& call, CUcontext context) {
  settle_host_memory(call);
  const std::uint64_t current = current_context(), which = context ? as_field(context) : current;
  const auto memories = readable([&](const DeviceMemory& memory) { return memory.context == which; });
  if (which == current) keep_before_end(call, memories, wait_with_patience);
  Last& all = last();
  {
    const std::lock_guard lock(all.mutex);
    if (which == current && !all.staged.empty() && wait_with_patience()) take_staged(all, which);
    std::erase_if(all.staged, [&](const Staged& one) { return one.context == which; });
    managed_reader_ends();
    all.staging = {};  // it goes with its context
    all.has_staging = false;
  }
  if (context == nullptr) return;  // a primary context, which others may use
  for (const DeviceMemory& memory : memories) forget(memory.address);
}

void watch_program_end() {
  Last& all = last();
  const std::lock_guard lock(all.mutex);
  if (all.watched == ::getpid()) return;
  if (all.watched == 0) {
    std::atexit(program_ends_safely);
    std::at_quick_exit(program_ends_safely);
  }
  all.watched = ::getpid();
  all.held.clear();  // of the parent of a fork
  all.staged.clear();
}

}  // namespace wedjat::interposer
