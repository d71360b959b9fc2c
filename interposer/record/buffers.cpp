#include "interposer/record/buffers.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace wedjat::interposer {
namespace {
// The largest event (several inline payloads of 4 KiB) must fit into the smallest sub-buffer, or LTTng drops
// it.
// LTTng writes zeros into all of them before the program may start: larger ones would cost every recording
// tenths of a second.
constexpr Buffers kChoices[] = {{1 << 20, 4},   {512 << 10, 4}, {256 << 10, 4},
                                {128 << 10, 4}, {128 << 10, 2}, {64 << 10, 2}};
}  // namespace

Buffers choose_buffers(std::uint64_t shared_memory_free, unsigned cpus) {
  const auto need = [&](const Buffers& buffers) { return (buffers.count + 1) * buffers.size * cpus; };
  for (const Buffers& buffers : kChoices) {
    if (need(buffers) <= shared_memory_free / 2) return buffers;
  }
  const Buffers& smallest = kChoices[std::size(kChoices) - 1];
  if (need(smallest) <= shared_memory_free) return smallest;
  throw std::runtime_error("/dev/shm has " + std::to_string(shared_memory_free >> 10) +
                           " KiB free, tracing on " + std::to_string(cpus) + " CPUs needs " +
                           std::to_string(need(smallest) >> 10) + " KiB (in a container: --shm-size)");
}

std::uint64_t free_shared_memory() {
  struct statvfs info {};
  if (::statvfs("/dev/shm", &info) != 0) return 0;
  return std::uint64_t{info.f_bavail} * info.f_frsize;
}

unsigned possible_cpus() {
  // "0-191": LTTng makes buffers for all that could be plugged in.
  std::ifstream file("/sys/devices/system/cpu/possible");
  std::string text;
  std::getline(file, text);
  const std::size_t last = text.find_last_of("-,");
  try {
    return static_cast<unsigned>(std::stoul(last == std::string::npos ? text : text.substr(last + 1))) + 1;
  } catch (const std::exception&) {
    return static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_CONF));
  }
}

}  // namespace wedjat::interposer
