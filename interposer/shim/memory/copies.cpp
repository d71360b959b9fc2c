#include "interposer/shim/memory/copies.h"

#include <span>
#include <vector>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/payload.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/last_contents.h"
#include "interposer/shim/memory/pending.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

const void* pointer(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

template <typename T>
CUresult ask(T* value, CUpointer_attribute attribute, std::uint64_t address) {
  const auto get = real<CUresult (*)(void*, CUpointer_attribute, CUdeviceptr)>(Entry::cuPointerGetAttribute);
  return get ? get(value, attribute, address) : CUDA_ERROR_NOT_SUPPORTED;
}

bool known_to_driver(const void* address) {
  unsigned type = 0;
  return ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, as_field(address)) == CUDA_SUCCESS && type != 0;
}

void tell_target(const Call& call, const std::string& name, const Box& box) {
  abandon_copies(box, "a later copy wrote there before it was waited for");
  const Copied copy{call.sequence, Phase::exit, name.c_str(), box};
  tell_copied({&copy, 1});
}

}  // namespace

bool is_managed(std::uint64_t address) {
  unsigned managed = 0;
  return ask(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) == CUDA_SUCCESS && managed != 0;
}

bool is_host(std::uint64_t address) {
  unsigned type = 0;
  if (ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS || type == 0) return true;
  return type == CU_MEMORYTYPE_HOST && !is_managed(address);
}

void copy_source(const Call& call, const std::string& name, const Box& box) {
  work_given(call, Tell::nothing, std::as_bytes(std::span(&box.base, 1)));
  if (box.empty()) return;
  if (capturing(call)) return graph_memory_begins(call, box);
  // A program may call memory of the device the host's; the driver says what it thinks of that.
  if (in_host_range(box) || !is_host(as_field(box.base))) return;
  std::vector<std::byte> storage;
  payload(call.sequence, Phase::entry, name.c_str(), box.base, packed(box, storage));
}

void copy_target_now(const Call& call, const std::string& name, const Box& box) {
  stream_finished();
  if (!box.empty()) tell_target(call, name, box);
  device_wrote(call);
}

void copy_target_later(const Call& call, const std::string& name, const Box& box) {
  if (box.empty()) return;
  if (capturing(call)) return graph_memory_begins(call, box);
  // A copy to pageable memory returns when it is done; only pinned memory is written behind the application's
  // back.
  if (in_host_range(box) || known_to_driver(box.base)) return expect_copy(call, name, box);
  stream_finished();
  tell_target(call, name, box);
}

void unified_copy_in(const Call& call, std::uint64_t source, std::size_t size) {
  if (!is_host(source)) return work_given(call);
  copy_in(call, pointer(source), size);
}

void unified_copied_out(const Call& call, std::uint64_t target, std::size_t size) {
  if (!is_host(target)) return copied(call);
  copied_out(call, pointer(target), size);
}

void unified_copies_out(const Call& call, std::uint64_t target, std::size_t size) {
  if (is_host(target)) copies_out(call, pointer(target), size);
}

void batch_in(const Call& call, const CUdeviceptr* sources, const size_t* sizes, size_t count) {
  work_given(call);
  for (size_t i = 0; i < count; ++i) {
    if (is_host(sources[i]))
      copy_source(call, "host_in_" + std::to_string(i), Box::line(pointer(sources[i]), sizes[i]));
  }
}

void batch_out(const Call& call, const CUdeviceptr* targets, const size_t* sizes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (is_host(targets[i])) {
      copy_target_later(call, "host_out_" + std::to_string(i), Box::line(pointer(targets[i]), sizes[i]));
    }
  }
}

void device_memory_ends(const Call& call, std::uint64_t address) {
  memory_freed(call, address);
  range_ends(call, pointer(address));
}

}  // namespace wedjat::interposer
