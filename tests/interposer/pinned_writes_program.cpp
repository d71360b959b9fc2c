// The host writes to pinned buffers in many ways, and each time the device takes one of them whole; now and
// then it brings to some of them what it took from others, and at the end all of it comes back. Arguments:
// the seed of the choices, how many buffers (two at least), how many bytes each.
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "tests/interposer/driver_calls.h"

using namespace test;

int main(int argc, char** argv) {
  const auto count = static_cast<size_t>(argc > 2 ? std::atoi(argv[2]) : 8);
  const auto size = static_cast<size_t>(argc > 3 ? std::atoi(argv[3]) : (1 << 19) + 100);
  std::minstd_rand random(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1);
  const auto below = [&](size_t bound) { return random() % bound; };
  begin();
  const CUdeviceptr device = device_memory(count * size), scratch = device_memory(64);
  const CUstream copies = stream();
  std::vector<unsigned char*> buffers(count);
  for (auto& buffer : buffers) buffer = pinned_memory<unsigned char>(size);
  for (unsigned round = 0; round < 300; ++round) {
    const auto write = [&] { buffers[below(count)][below(size)] = static_cast<unsigned char>(random()); };
    for (size_t writes = below(4); writes > 0; --writes) write();
    if (below(7) == 0) std::thread(write).join();
    if (below(5) == 0) std::vector<char>(1 << 20, 1);  // page faults elsewhere
    if (below(20) == 0) std::memset(buffers[below(count)], static_cast<int>(random()), size);
    const size_t taken = below(count);
    call("cuMemsetD8_v2", scratch, static_cast<unsigned char>(round), size_t{64});
    to_device_later(device + taken * size, buffers[taken], size, copies);
    wait(copies);
    if (below(3) == 0) wait();  // else the device still has something to do
    if (below(4) != 0) continue;
    // Several copies under way at a time: to a part of one buffer, and all of others.
    const size_t part = size / 3, first = below(count), between = 1 + below(count - 1);
    to_host_later(buffers[first] + below(size - part), device + below(count) * size, part, copies);
    to_host_later(buffers[(first + between) % count], device + below(count) * size, size, copies);
    wait(copies);
  }
  wait();
  std::vector<unsigned char> all(count * size);
  to_host(all.data(), device, all.size());
  return 0;
}
