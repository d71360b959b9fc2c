// Graphs that kernels of a running graph launch.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda_abi.h"
#include "emulator/device/device.h"
#include "emulator/memory/host_pages.h"

namespace wedjat::live {

struct KernelLaunch {
  CUgraphExec graph = nullptr;
  std::uint64_t kind = 0;
  // cudaStreamGraphTailLaunch: behind the graph whose kernel it is. The others depend on nothing.
  bool is_tail() const { return kind == 0x0100000000000000u; }
};

// While it lives, kernels find the graphs in the device's memory that they may launch, and leave there which
// they did (interposer/images/graph_launch.ptx).
class KernelLaunches {
 public:
  // Fails where there are more graphs to launch than have room.
  explicit KernelLaunches(device::Device& device);
  ~KernelLaunches();
  KernelLaunches(const KernelLaunches&) = delete;

  std::vector<KernelLaunch> asked_for() const;

 private:
  device::Device& device_;
  memory::HostPages pages_;
};

// Adds our PTX of cudaGraphLaunch where some text wants it. Whether one does.
bool add_graph_launch(std::vector<device::PtxSource>& sources);

}  // namespace wedjat::live
