// Copies between host and device, one row of bytes.
#pragma once

#include <string>

#include "interposer/shim/events/call.h"
#include "interposer/shim/memory/box.h"

namespace wedjat::interposer {

// The host side of any copy. `name` is the payload's. A stream that captures a graph copies at its launch
// instead.
void copy_source(const Call& call, const std::string& name, const Box& box);
void copy_target_now(const Call& call, const std::string& name,
                     const Box& box);  // the call waited for the copy
void copy_target_later(const Call& call, const std::string& name, const Box& box);  // the call may not have

// A unified address that is plain or pinned host memory.
bool is_host(std::uint64_t address);
bool is_managed(std::uint64_t address);

inline void copy_in(const Call& call, const void* host, std::size_t size) {
  copy_source(call, "host_in", Box::line(host, size));
}
inline void copied_out(const Call& call, const void* host, std::size_t size) {
  copy_target_now(call, "host_out", Box::line(host, size));
}
inline void copies_out(const Call& call, const void* host, std::size_t size) {
  copy_target_later(call, "host_out", Box::line(host, size));
}

void unified_copy_in(const Call& call, std::uint64_t source, std::size_t size);
void unified_copied_out(const Call& call, std::uint64_t target, std::size_t size);
void unified_copies_out(const Call& call, std::uint64_t target, std::size_t size);

void batch_in(const Call& call, const CUdeviceptr* sources, const size_t* sizes, size_t count);
void batch_out(const Call& call, const CUdeviceptr* targets, const size_t* sizes, size_t count);

void device_memory_ends(const Call& call, std::uint64_t address);

}  // namespace wedjat::interposer
