// Work that the driver gets while another thread waits, or just before: that wait does not cover it.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/interposer/driver_calls.h"

using namespace test;

namespace {

std::atomic<bool> open{false};
void launch_late(CUcontext context, unsigned* word) {
  call("cuCtxSetCurrent", context);
  const std::atomic<bool>* flag = &open;
  auto to = reinterpret_cast<CUdeviceptr>(word);
  void* parameters[] = {&flag, &to};
  launch(function_of(load("late"), "late"), 1, 1, nullptr, parameters);
}

// The launch has begun when the other thread waits, and reaches the driver behind that wait.
void launch_reaches_the_driver_late(CUcontext context) {
  auto* const word = pinned_memory(sizeof(unsigned));
  *word = 5;
  std::thread giving(launch_late, context, word);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  wait();
  open = true;
  giving.join();
  wait();
}

// As of a device whose work the host may not touch managed memory beside.
void managed_memory_is_out_of_reach(CUcontext context) {
  constexpr size_t page = 4096;
  CUdeviceptr memory = 0;
  call("cuMemAllocManaged", &memory, page, 1u);
  auto* const word = reinterpret_cast<unsigned*>(memory);
  std::thread giving(launch_late, context, word);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  mprotect(word, page, PROT_NONE);
  wait();
  mprotect(word, page, PROT_READ | PROT_WRITE);
  open = true;
  giving.join();
  wait();
}

void killed_while_it_launches(CUcontext context) {
  auto* const word = pinned_memory(sizeof(unsigned));
  std::thread(launch_late, context, word).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  wait();
  kill(getpid(), SIGKILL);
}

// Copies that follow each other closely, so that other threads write what they bring.
void killed_behind_a_copy() {
  constexpr size_t bytes = 512 << 10;
  constexpr int copies = 50;
  auto* const here = pinned_memory(bytes);
  std::minstd_rand random;  // nothing that packs quickly
  std::vector<unsigned> contents(bytes / sizeof(unsigned) + copies);
  for (unsigned& word : contents) word = static_cast<unsigned>(random());
  const CUdeviceptr from = device_memory(contents.size() * sizeof(unsigned));
  to_device(from, contents.data(), contents.size() * sizeof(unsigned));
  for (int i = 0; i < copies; ++i) {
    to_host_later(here, from + static_cast<CUdeviceptr>(i) * sizeof(unsigned), bytes);
    wait();
  }
  kill(getpid(), SIGKILL);
}

struct Gate {
  std::atomic<bool> reached{false}, open{false};
};
void pass(void* data) {
  auto* const gate = static_cast<Gate*>(data);
  gate->reached = true;
  while (!gate->open) std::this_thread::yield();
}

// The other thread waits already when the copy is given, and not for that.
template <class Wait>
void copy_is_given_during(CUcontext context, const Wait& wait_for_all) {
  static Gate gate;
  const CUdeviceptr from = device_memory(sizeof(unsigned));
  auto* const word = pinned_memory(sizeof(unsigned));
  const unsigned seven = 7;
  to_device(from, &seven, sizeof seven);
  const CUstream functions = stream(), copies = stream();
  CUhostFn function = pass;
  call("cuLaunchHostFunc", functions, function, static_cast<void*>(&gate));
  std::thread waiting([=] {
    call("cuCtxSetCurrent", context);
    wait_for_all();
  });
  while (!gate.reached) std::this_thread::yield();
  to_host_later(word, from, sizeof seven, copies);
  gate.open = true;
  waiting.join();
  wait(copies);
}

}  // namespace

int main(int, char** arguments) {
  const CUcontext context = begin();
  const std::string what = arguments[1];
  if (what == "late") launch_reaches_the_driver_late(context);
  if (what == "managed") managed_memory_is_out_of_reach(context);
  if (what == "copy") copy_is_given_during(context, [] { wait(); });
  if (what == "free") {
    const CUdeviceptr memory = device_memory(64);
    unsigned word = 0;
    to_host(&word, memory, sizeof word);  // or what the memory held would be waited for first
    copy_is_given_during(context, [=] { call("cuMemFree_v2", memory); });
  }
  if (what == "killed") killed_while_it_launches(context);
  if (what == "untold") killed_behind_a_copy();
  return 0;
}
