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
      bool wanted = all_spaces;
      for (const auto& a : wedjat::accesses(i))
        wanted |= a.space == WEDJAT_GLOBAL || a.space == WEDJAT_GENERIC || a.space == WEDJAT_SHARED ||
                  a.space == WEDJAT_SHARED_CLUSTER;
      if (!wanted) continue;
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
    for (std::uint32_t a = 0; a < at.access_count; ++a) {
      const wedjat_access& access = at.accesses[a];
      const std::uint32_t lanes = event.executed & access.lanes;
      if (lanes == 0) continue;
      out->add(event.cta, event.warp, first[at.id] + a, lanes, event.addresses[a],
               access.bytes != 0 ? nullptr : row<std::uint32_t>(event, access.size));
      ++accesses;
      addresses += static_cast<std::uint64_t>(std::popcount(lanes));
    }
  }
  void finish() override {
    if (!out->finish()) refuse(option("file") + " could not be written whole");
    table("memory trace", "file accesses addresses").row(option("file"), accesses, addresses);
  }
};
WEDJAT_TOOL(MemoryTrace, "memory_trace", "every memory access, to a compressed file",
            "file=where it goes; spaces=all: local, const and param memory too")
