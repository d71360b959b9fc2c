#include "interposer/live/state/graphs/kernel_launches.h"

#include <algorithm>
#include <cstring>

#include "interposer/live/state/driver.h"

namespace wedjat::live {

extern const char* const graph_launch;

namespace {

// As graph_launch.ptx has it. Neither a host nor a GPU gives out addresses below 64 KiB.
constexpr std::uint64_t list_begin = 0xe000, list_end = 0x10000, known_begin = 0xf000 - list_begin;
constexpr std::size_t first_launch = 16;

struct Known {
  CUgraphExec graph = nullptr;
  std::uint64_t is_waiting = 0;
};
// One behind them says that there are no more. Each is launched once at most before it runs, so that there is
// room for all launches.
constexpr std::size_t most_known = (list_end - list_begin - known_begin) / sizeof(Known) - 1;
static_assert(first_launch + most_known * sizeof(KernelLaunch) <= known_begin);

}  // namespace

KernelLaunches::KernelLaunches(device::Device& device) : device_(device), pages_(list_end - list_begin) {
  std::vector<Known> known;
  driver().executables.each([&](CUgraphExec_st& graph) {
    if (graph.is_for_kernels()) known.push_back({&graph, graph.is_waiting});
  });
  if (known.size() > most_known)
    fail(CUDA_ERROR_NOT_SUPPORTED, "there are more graphs for kernels to launch than are emulated");
  if (!known.empty())
    std::memcpy(pages_.data() + known_begin, known.data(), known.size() * sizeof known.front());
  device_.adopt_at(list_begin, pages_.data(), pages_.size(), "graphs that kernels launch");
}

KernelLaunches::~KernelLaunches() {
  try {
    device_.free(list_begin);
  } catch (const std::exception&) {
    // A kernel failed, and the device with it.
  }
}

std::vector<KernelLaunch> KernelLaunches::asked_for() const {
  std::uint32_t count = 0;
  std::memcpy(&count, pages_.data(), sizeof count);
  std::vector<KernelLaunch> launches(std::min<std::size_t>(count, most_known));
  if (!launches.empty())
    std::memcpy(launches.data(), pages_.data() + first_launch, launches.size() * sizeof launches.front());
  for (const KernelLaunch& launch : launches)
    driver().executables.at(launch.graph, CUDA_ERROR_INVALID_VALUE).is_waiting = true;
  return launches;
}

bool add_graph_launch(std::vector<device::PtxSource>& sources) {
  const bool wanted = std::ranges::any_of(sources, [](const device::PtxSource& source) {
    return source.text.find("cudaGraphLaunch") != source.text.npos;
  });
  if (wanted) sources.push_back({"libcudadevrt.a", graph_launch});
  return wanted;
}

}  // namespace wedjat::live
