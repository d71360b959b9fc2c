#include "benchmarks/record/cases.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "benchmarks/record/driver.h"

namespace wedjat::benchmarks {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20, kKiB = 1024;

std::vector<unsigned> noise(std::size_t bytes) {
  std::vector<unsigned> words(bytes / 4);
  std::uint64_t state = 1;
  for (unsigned& word : words) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    word = static_cast<unsigned>(state >> 33);
  }
  return words;
}

Round new_contents(Driver& cuda) {
  constexpr std::size_t size = 64 * kMiB;
  return [&cuda, memory = cuda.device(size), host = noise(size)](unsigned) mutable {
    for (std::size_t i = 0; i < host.size(); i += 1024) ++host[i];
    cuda.to_device(memory, host.data(), size);
    cuda.increment(memory, size);
    cuda.to_host(host.data(), memory, size);
  };
}

Round known_contents(Driver& cuda) {
  constexpr std::size_t size = 64 * kMiB;
  std::vector<unsigned> host = noise(size);
  const CUdeviceptr memory = cuda.device(size);
  cuda.to_device(memory, host.data(), size);
  return [&cuda, memory, host = std::move(host)](unsigned) mutable {
    cuda.to_device(memory, host.data(), size);
    cuda.to_host(host.data(), memory, size);
  };
}

// One buffer, all of which comes and goes.
Round pinned_whole(Driver& cuda) {
  constexpr std::size_t size = 16 * kMiB;
  return [&cuda, buffer = cuda.pinned(size), memory = cuda.device(size)](unsigned i) {
    buffer[i % (size / 4)] = i;
    cuda.to_device_later(memory, buffer, size);
    cuda.increment(memory, size);
    cuda.to_host_later(buffer, memory, size);
    cuda.wait();
  };
}

// Many buffers, of which a part of one comes and goes.
Round pinned_part(Driver& cuda, std::size_t count, std::size_t size, std::size_t part) {
  std::vector<unsigned*> buffers(count);
  for (unsigned*& buffer : buffers) buffer = cuda.pinned(size);
  return [&cuda, buffers, part, memory = cuda.device(part)](unsigned i) {
    unsigned* buffer = buffers[i % buffers.size()];
    buffer[i % (part / 4)] = i;
    cuda.to_device_later(memory, buffer, part);
    cuda.increment(memory, part);
    cuda.to_host_later(buffer, memory, part);
    cuda.wait();
  };
}

// Many buffers, all of which come and go before the host waits.
Round pinned_many(Driver& cuda, std::size_t count, std::size_t size) {
  std::vector<std::pair<unsigned*, CUdeviceptr>> buffers(count);
  for (auto& [buffer, memory] : buffers) buffer = cuda.pinned(size), memory = cuda.device(size);
  return [&cuda, buffers, size](unsigned i) {
    for (const auto& [buffer, memory] : buffers) {
      ++buffer[i % (size / 4)];
      cuda.to_device_later(memory, buffer, size);
      cuda.increment(memory, size);
      cuda.to_host_later(buffer, memory, size);
    }
    cuda.wait();
  };
}

// A copy and a kernel in one stream, the copy back in another, which follows by an event.
Round events(Driver& cuda) {
  constexpr std::size_t size = 256 * kKiB;
  return
      [&cuda, in = cuda.pinned(size), out = cuda.pinned(size), memory = cuda.device(size),
       there = cuda.stream(), back = cuda.stream(), worked = cuda.event(), done = cuda.event()](unsigned i) {
        in[i % (size / 4)] = i;
        cuda.to_device_later(memory, in, size, there);
        cuda.increment(memory, size, there);
        cuda.call("cuEventRecord", worked, there);
        cuda.call("cuStreamWaitEvent", back, worked, 0u);
        cuda.to_host_later(out, memory, size, back);
        cuda.call("cuEventRecord", done, back);
        cuda.call("cuEventSynchronize", done);
        in[0] += out[0];
      };
}

// The kernel and the host write to the same memory.
Round mapped(Driver& cuda) {
  constexpr std::size_t size = 64 * kKiB;
  unsigned* const buffer = cuda.pinned(size);
  return [&cuda, buffer, memory = cuda.mapped(buffer)](unsigned i) {
    cuda.increment(memory, size);
    cuda.wait();
    buffer[i % (size / 4)] += i;
  };
}

Round managed(Driver& cuda, std::size_t size) {
  const CUdeviceptr memory = cuda.managed(size);
  return [&cuda, size, memory, words = reinterpret_cast<unsigned*>(memory)](unsigned i) {
    cuda.increment(memory, size);
    cuda.wait();
    words[i % (size / 4)] = i;
  };
}

Round managed_unwaited(Driver& cuda) {
  constexpr std::size_t size = 16 * kMiB;
  return [&cuda, memory = cuda.managed(size)](unsigned) { cuda.increment(memory, size); };
}

Round launches(Driver& cuda) {
  constexpr std::size_t size = 1024;
  return [&cuda, memory = cuda.device(size)](unsigned i) {
    cuda.increment(memory, size);
    if (i % 1024 == 0) cuda.wait();
  };
}

Round small_copies(Driver& cuda) {
  constexpr std::size_t size = 1024;
  return [&cuda, memory = cuda.device(size), host = noise(size)](unsigned) mutable {
    cuda.to_device(memory, host.data(), size);
    cuda.increment(memory, size);
    cuda.to_host(host.data(), memory, size);
  };
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"new", "64 MiB to the device and back, all of it new", new_contents, 8, 128, 3},
      {"known", "64 MiB to the device and back, the same each time", known_contents, 8, 128, 2},
      {"launches", "a small kernel", launches, 50'000, 0, 1},
      {"small", "1 KiB to the device and back", small_copies, 10'000, 0, 3},
      {"pinned", "16 MiB pinned to the device and back", pinned_whole, 200, 32, 4},
      {"pinned-4k", "4 KiB from and to one of 200 pinned buffers of 1 MiB",
       [](Driver& cuda) { return pinned_part(cuda, 200, kMiB, 4 * kKiB); }, 9'000, 0, 4},
      {"pinned-64k", "64 KiB from and to one of 50 pinned buffers of 4 MiB",
       [](Driver& cuda) { return pinned_part(cuda, 50, 4 * kMiB, 64 * kKiB); }, 5'000, 0.125, 4},
      {"many-4k", "200 pinned buffers of 4 KiB to the device and back, one wait",
       [](Driver& cuda) { return pinned_many(cuda, 200, 4 * kKiB); }, 50, 0, 601},
      {"many-64k", "50 pinned buffers of 64 KiB to the device and back, one wait",
       [](Driver& cuda) { return pinned_many(cuda, 50, 64 * kKiB); }, 100, 0, 151},
      {"many-4m", "4 pinned buffers of 4 MiB to the device and back, one wait",
       [](Driver& cuda) { return pinned_many(cuda, 4, 4 * kMiB); }, 40, 32, 13},
      {"many-16m", "12 pinned buffers of 16 MiB to the device and back, one wait",
       [](Driver& cuda) { return pinned_many(cuda, 12, 16 * kMiB); }, 10, 384, 37},
      {"events", "256 KiB through two streams, one after the other", events, 500, 0.5, 7},
      {"mapped", "64 KiB pinned changed by a kernel, one word by the host", mapped, 2'000, 0, 2},
      {"managed", "16 MiB changed by a kernel, one word by the host",
       [](Driver& cuda) { return managed(cuda, 16 * kMiB); }, 1'000, 16, 2},
      {"managed-1k", "1 KiB changed by a kernel, one word by the host",
       [](Driver& cuda) { return managed(cuda, kKiB); }, 1'000, 0, 2},
      {"unwaited", "16 MiB managed changed by a kernel nobody waits for", managed_unwaited, 1'000, 16, 1},
  };
  return all;
}

double run_case(const std::string& driver, const std::string& name, unsigned rounds) {
  const auto found = std::ranges::find(cases(), name, &Case::name);
  if (found == cases().end()) throw std::runtime_error("no such case: " + name);
  Driver cuda(driver);
  const Round round = found->make(cuda);
  const auto start = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < rounds; ++i) round(i);
  cuda.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace wedjat::benchmarks
