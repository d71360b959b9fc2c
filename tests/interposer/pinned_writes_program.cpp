// The host writes to pinned buffers in many ways, and each time the device takes one of them whole; at the
// end all that it took comes back. Arguments: the seed of the choices, how many buffers.
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "tests/interposer/driver_calls.h"

using namespace test;

int main(int argc, char** argv) {
  constexpr size_t kSize = (1 << 19) + 100;
  const auto count = static_cast<size_t>(argc > 2 ? std::atoi(argv[2]) : 8);
  std::minstd_rand random(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1);
  const auto below = [&](size_t bound) { return random() % bound; };
  begin();
  const CUdeviceptr device = device_memory(count * kSize), scratch = device_memory(64);
  const CUstream copies = stream();
  std::vector<unsigned char*> buffers(count);
  for (auto& buffer : buffers) buffer = pinned_memory<unsigned char>(kSize);
  for (unsigned round = 0; round < 300; ++round) {
    const auto write = [&] { buffers[below(count)][below(kSize)] = static_cast<unsigned char>(random()); };
    for (size_t writes = below(4); writes > 0; --writes) write();
    if (below(7) == 0) std::thread(write).join();
    if (below(5) == 0) std::vector<char>(1 << 20, 1);  // page faults elsewhere
    if (below(20) == 0) std::memset(buffers[below(count)], static_cast<int>(random()), kSize);
    const size_t taken = below(count);
    call("cuMemsetD8_v2", scratch, static_cast<unsigned char>(round), size_t{64});
    to_device_later(device + taken * kSize, buffers[taken], kSize, copies);
    wait(copies);
    if (below(3) == 0) wait();  // else the device still has something to do
  }
  std::vector<unsigned char> all(count * kSize);
  to_host(all.data(), device, all.size());
  return 0;
}
