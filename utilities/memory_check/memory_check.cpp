// Out of bounds, misaligned, use after free (which stop a kernel anyway), reads of memory nobody wrote,
// leaks.
#include <map>
#include <set>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct MemoryCheck : Tool {
  struct Block {
    std::string label;
    std::vector<bool> written;  // by byte
  };
  std::map<std::uint64_t, Block> blocks;                   // live allocations by address
  std::map<std::uint64_t, std::vector<bool>> shared;       // by CTA
  std::set<std::pair<std::uint64_t, std::uint32_t>> told;  // launch, instruction: one finding each
  const bool leaks = option("leaks", "1") == "1", uninitialised = option("uninitialised", "1") == "1";

  // The host writes there without a call.
  static bool shared_with_host(std::string_view label) {
    return label.find("Managed") != label.npos || label.find("Host") != label.npos;
  }
  void memory(const wedjat_memory& m) override {
    if (m.what == WEDJAT_ALLOCATED)
      blocks[m.address] = {m.label, std::vector<bool>(m.bytes, shared_with_host(m.label))};
    if (m.what == WEDJAT_FREED) blocks.erase(m.address);
    if (m.what == WEDJAT_HOST_WROTE) mark(m.address, m.bytes);
  }
  // Of unknown memory (module variables, the heap) everything counts as written.
  std::pair<std::vector<bool>*, std::uint64_t> find(std::uint64_t address) {
    auto block = blocks.upper_bound(address);
    if (block == blocks.begin()) return {nullptr, 0};
    --block;
    const std::uint64_t offset = address - block->first;
    return {offset < block->second.written.size() ? &block->second.written : nullptr, offset};
  }
  void mark(std::uint64_t address, std::uint64_t bytes) {
    const auto [written, offset] = find(address);
    for (std::uint64_t i = offset; written != nullptr && i < offset + bytes && i < written->size(); ++i)
      (*written)[i] = true;
  }
  void kernel(const wedjat_kernel& k) override {
    if (!uninitialised) return;
    for (const auto& i : instructions(k))
      if (i.access_count != 0) before<&MemoryCheck::on_access>(i, WEDJAT_ADDRESSES);
  }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) override {
    shared[cta].assign(launch.shared_bytes, false);
    return true;
  }
  void cta_end(const wedjat_launch&, std::uint64_t cta) override { shared.erase(cta); }
  void on_access(const Event& event) {
    for (std::uint32_t a = 0; event.addresses != nullptr && a < event.instruction->access_count; ++a) {
      const wedjat_access& access = event.instruction->accesses[a];
      each_lane(event.executed, [&](unsigned lane) { check(event, access, lane, event.addresses[a][lane]); });
    }
  }
  void check(const Event& event, const wedjat_access& access, unsigned lane, std::uint64_t address) {
    const bool window =
        access.space == WEDJAT_GENERIC && address - WEDJAT_SHARED_WINDOW < WEDJAT_SHARED_WINDOW_BYTES;
    const bool in_shared = window || access.space == WEDJAT_SHARED;
    if (!in_shared && access.space != WEDJAT_GLOBAL && access.space != WEDJAT_GENERIC) return;
    auto [written, offset] =
        in_shared ? std::pair{&shared[event.cta], shared_offset(address)} : find(address);
    if (written == nullptr) return;
    bool whole = true;
    for (std::uint64_t i = offset; i < offset + access.bytes && i < written->size(); ++i) {
      whole = whole && (*written)[i];
      if (access.writes) (*written)[i] = true;
    }
    if (access.reads && !whole && told.emplace(event.launch->index, event.instruction->id).second)
      finding(WEDJAT_ERROR, in_shared ? "uninitialised-shared" : "uninitialised-global",
              "reads " + std::to_string(access.bytes) + " bytes that nobody wrote, at " +
                  (in_shared ? "shared offset " + std::to_string(offset)
                             : "byte " + std::to_string(offset) + " of " +
                                   std::prev(blocks.upper_bound(address))->second.label),
              event, lane);
  }
  void launch_end(const wedjat_launch& launch) override {
    shared.clear();
    if (launch.failure == nullptr) return;
    const std::string text = launch.failure;
    std::string kind = text.substr(0, text.find(':'));
    for (char& c : kind)
      if (c == ' ') c = '-';
    report({sizeof(wedjat_finding), WEDJAT_ERROR, kind.c_str(), text.c_str(), &launch, nullptr, 0, 0});
  }
  void finish() override {
    for (const auto& [address, block] : blocks)
      if (leaks)
        report(
            {sizeof(wedjat_finding), WEDJAT_WARNING, "leak",
             (std::to_string(block.written.size()) + " bytes of " + block.label + " are never freed").c_str(),
             nullptr, nullptr, 0, 0});
  }
};
WEDJAT_TOOL(MemoryCheck, "memory_check",
            "out of bounds, misaligned, use after free, uninitialised reads, leaks",
            "leaks=0: do not report leaks; uninitialised=0: do not look for uninitialised reads")
