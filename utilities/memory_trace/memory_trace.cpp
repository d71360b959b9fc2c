// Every memory access of every warp, to a compressed file.
#include <map>
#include <memory>
#include <wedjat/tool.hpp>

#include "format.hpp"

using namespace wedjat;

struct MemoryTrace : Tool {
  struct Known {
    std::uint64_t number = 0;
    std::vector<std::size_t> first;  // by instruction: the site of its first access
  };
  std::unique_ptr<memory_trace::Writer> out;
  const bool all_spaces = option("spaces") == "all";
  std::map<std::uint32_t, Known> kernels;
  const std::size_t* first = nullptr;  // of the running kernel
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
    Known& known = kernels[k.id];
    known.number = kernels.size() - 1;
    known.first.resize(k.instruction_count);
    memory_trace::Kernel sites{k.name, {}};
    for (const auto& i : instructions(k)) {
      known.first[i.id] = sites.sites.size();
      if (i.access_count == 0) continue;
      const auto space = i.accesses[0].space;
      if (!all_spaces && space != WEDJAT_GLOBAL && space != WEDJAT_GENERIC && space != WEDJAT_SHARED)
        continue;
      if (!before<&MemoryTrace::on_access>(i, WEDJAT_ADDRESSES)) continue;
      for (const auto& a : wedjat::accesses(i))
        sites.sites.push_back({i.id, a.bytes, i.ptx_line, a.space,
                               static_cast<std::uint8_t>(a.reads | a.writes << 1 | a.atomic << 2), i.text});
    }
    out->add(known.number, sites);
  }
  bool launch_begin(const wedjat_launch& launch) override {
    const auto known = kernels.find(launch.kernel->id);
    if (known == kernels.end()) return false;
    first = known->second.first.data();
    out->begin(launch.index, known->second.number);
    return true;
  }
  void on_access(const Event& event) {
    if (event.addresses == nullptr) return;
    const wedjat_instruction& at = *event.instruction;
    for (std::uint32_t a = 0; a < at.access_count; ++a)
      out->add(event.cta, event.warp, first[at.id] + a, event.executed, event.addresses[a]);
    accesses += at.access_count;
    addresses += at.access_count * static_cast<std::uint64_t>(std::popcount(event.executed));
  }
  void finish() override {
    if (!out->finish()) refuse(option("file") + " could not be written whole");
    table("memory trace", "file accesses addresses").row(option("file"), accesses, addresses);
  }
};
WEDJAT_TOOL(MemoryTrace, "memory_trace", "every memory access, to a compressed file",
            "file=where it goes; spaces=all: local, const and param memory too")
