#include "traces/export/activity.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>

#include "traces/order/attach.h"

namespace wedjat::traces {
namespace {

constexpr const char* kinds[] = {nullptr, "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                 "AtoD",  "DtoA", "DtoD", "HtoH", "PtoP"};

std::uint64_t now() {
  static const auto first = std::chrono::steady_clock::now();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - first).count());
}

// By the name of the call, else by what it did to memory of the device.
unsigned kind_of(std::string_view call, bool read, bool wrote) {
  if (call.find("Peer") != call.npos) return 10;
  for (unsigned kind = 1; kind < std::size(kinds); ++kind)
    if (call.find(kinds[kind]) != call.npos) return kind;
  return read && wrote ? 8 : wrote ? 1 : read ? 2 : 0;
}

class ActivityWatcher : public Tool {
 public:
  void call(const wedjat_call& call) override {
    if (call.is_exit == 0) {
      read_ = wrote_ = 0;
      begin_ = now();
      return;
    }
    const std::string name = call.name;
    activity_.calls.push_back({call.sequence, begin_, now(), name, call.status});
    const bool is_memset = name.starts_with("cuMemset");
    if (call.status != 0 || (!name.starts_with("cuMemcpy") && !is_memset)) return;
    activity_.copies.push_back({call.sequence, begin_, now(), std::max(read_, wrote_), name,
                                is_memset ? 0 : kind_of(name, read_ != 0, wrote_ != 0), is_memset});
  }
  void memory(const wedjat_memory& memory) override {
    if (memory.what == WEDJAT_HOST_WROTE) wrote_ += memory.bytes;
    if (memory.what == WEDJAT_HOST_READS) read_ += memory.bytes;
  }
  bool launch_begin(const wedjat_launch& launch) override {
    KernelActivity row{
        launch.index, activity_.launching, now(), 0, launch.kernel->name, {}, {}, {}, 0, 0, 0, 0};
    std::copy_n(launch.grid, 3, row.grid);
    std::copy_n(launch.block, 3, row.block);
    std::copy_n(launch.cluster, 3, row.cluster);
    row.static_shared = launch.kernel->static_shared_bytes;
    row.dynamic_shared = launch.shared_bytes - std::min(launch.shared_bytes, row.static_shared);
    activity_.kernels.push_back(std::move(row));
    return true;
  }
  void launch_end(const wedjat_launch& launch) override {
    KernelActivity& row = activity_.kernels.back();
    row.end = now();
    row.warp_instructions = launch.warp_instructions;
    row.thread_instructions = launch.thread_instructions;
  }

 private:
  Activity& activity_ = *attaching<Activity>;
  std::uint64_t begin_ = 0, read_ = 0, wrote_ = 0;
};

}  // namespace

const char* copy_kind_name(unsigned kind) { return kind < std::size(kinds) ? kinds[kind] : nullptr; }

void Activity::watch(ReplayOptions& options, hooks::Hooks& hooks) {
  attach_tool<ActivityWatcher>(hooks, *this, "activity", "calls, launches and copies");
  options.hooks = &hooks;
  options.launching = [this](const Launching& at) { launching = at.sequence; };
}

}  // namespace wedjat::traces
