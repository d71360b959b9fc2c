// Two threads wait for the same two copies; what the second does with the small one, once it has waited,
// comes while the recorder still takes down the large one for the first.
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "tests/interposer/driver_calls.h"

using namespace test;

int main() {
  constexpr size_t bytes = 32 << 20;
  const CUcontext context = begin();
  const CUstream copies = stream();
  const CUdeviceptr large = device_memory(bytes), small = device_memory(sizeof(unsigned));
  unsigned *const large_here = pinned_memory(bytes), *const small_here = pinned_memory(sizeof(unsigned));

  std::vector<unsigned> contents(bytes / sizeof(unsigned));
  std::minstd_rand random;  // nothing that packs quickly
  for (unsigned& word : contents) word = static_cast<unsigned>(random());
  const unsigned seven = 7;
  to_device(large, contents.data(), bytes);
  to_device(small, &seven, sizeof seven);
  to_host_later(large_here, large + 4, bytes - 4, copies);  // contents that the recorder has not packed yet
  to_host_later(small_here, small, sizeof seven, copies);
  std::thread first([context] {
    call("cuCtxSetCurrent", context);
    wait();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  wait(copies);
  *small_here = 99;
  first.join();
  return 0;
}
