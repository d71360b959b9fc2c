// Every memory access of every warp, to a compressed file.
#include <cstring>
#include <memory>
#include <wedjat/tool.hpp>

#include "format.hpp"

using namespace wedjat;

struct MemoryTrace : Tool {
  std::unique_ptr<memory_trace::Writer> out;
  const bool all_spaces = option("spaces") == "all";
  std::uint64_t accesses = 0, addresses = 0;

  MemoryTrace() {
    const std::string file = option("file");
    if (file.empty()) {
      refuse("it needs file=…: where the trace goes");
      return;
    }
    out = std::make_unique<memory_trace::Writer>(file);
    if (!out->good()) refuse(file + " cannot be written");
  }
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      if (i.access_count == 0) continue;
      const auto space = i.accesses[0].space;
      if (all_spaces || space == WEDJAT_GLOBAL || space == WEDJAT_GENERIC || space == WEDJAT_SHARED)
        before<&MemoryTrace::on_access>(i, WEDJAT_ADDRESSES);
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    out->launch(launch.index, launch.kernel->name);
    return true;
  }
  void on_access(const Event& event) {
    for (std::uint32_t a = 0; event.addresses != nullptr && a < event.instruction->access_count; ++a) {
      const wedjat_access& from = event.instruction->accesses[a];
      memory_trace::Access to;
      to.cta = event.cta;
      to.warp = event.warp;
      to.instruction = event.instruction->id;
      to.mask = event.executed;
      to.bytes = from.bytes;
      to.space = from.space;
      to.kind = static_cast<std::uint8_t>(from.reads | from.writes << 1 | from.atomic << 2);
      std::memcpy(to.address.data(), event.addresses[a], sizeof to.address);
      out->access(to);
      ++accesses;
      addresses += static_cast<std::uint64_t>(std::popcount(event.executed));
    }
  }
  void finish() override {
    if (!out->finish()) refuse(option("file") + " could not be written whole");
    table("memory trace", "file accesses addresses").row(option("file"), accesses, addresses);
  }
};
WEDJAT_TOOL(MemoryTrace, "memory_trace", "every memory access, to a compressed file",
            "file=where it goes; spaces=all: local, const and param memory too")
