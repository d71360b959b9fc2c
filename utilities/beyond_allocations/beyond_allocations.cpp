// Accesses that lie in no allocation, where a program gets away with them: wedjat live --lenient.
#include <map>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct BeyondAllocations : Tool {
  using Counts = std::map<const wedjat_instruction*, std::uint64_t>;  // accesses of threads
  std::map<std::uint64_t, std::uint64_t> memory_at;                   // address -> bytes
  std::map<const wedjat_instruction*, const wedjat_kernel*> kernel_of;
  PerThread<Counts> counts;
  Counts all;

  void kernel(const wedjat_kernel& k) override {
    for (const wedjat_variable& one : variables(k))
      if (one.space == WEDJAT_GLOBAL || one.space == WEDJAT_CONST) memory_at[one.address] = one.bytes;
    for (const auto& i : instructions(k)) {
      kernel_of[&i] = &k;
      if (i.what & WEDJAT_HAS_PIECES) after<&BeyondAllocations::on_pieces>(i, WEDJAT_PIECES);
      for (const auto& access : accesses(i))
        if (access.space == WEDJAT_GLOBAL || access.space == WEDJAT_GENERIC) {
          after<&BeyondAllocations::on_access>(i, WEDJAT_ADDRESSES);
          break;
        }
    }
  }
  void memory(const wedjat_memory& event) override {
    if (event.what == WEDJAT_ALLOCATED) memory_at[event.address] = event.bytes;
    if (event.what == WEDJAT_FREED) memory_at.erase(event.address);
  }
  bool launch_begin(const wedjat_launch& launch) override {
    counts.begin(launch);
    return true;
  }
  void launch_end(const wedjat_launch&) override {
    counts.each([&](Counts& part) {
      for (const auto& [at, count] : part) all[at] += count;
      part.clear();
    });
  }
  bool lies_in_memory(std::uint64_t address, std::uint64_t bytes) const {
    const auto above = memory_at.upper_bound(address);
    if (above == memory_at.begin()) return false;
    const auto& [begin, size] = *std::prev(above);
    return address - begin < size && bytes <= size - (address - begin);
  }
  void look(const Event& event, const Location& at, std::uint64_t bytes) {
    if (at.kind == Location::Kind::global && !lies_in_memory(at.address, bytes))
      ++counts[event][event.instruction];
  }
  void on_access(const Event& event) {
    if (event.addresses == nullptr) return;
    for (std::uint32_t a = 0; a < event.instruction->access_count; ++a) {
      const wedjat_access& access = event.instruction->accesses[a];
      each_lane(event.executed & access.lanes, [&](unsigned lane) {
        look(event, locate(event, access, event.addresses[a][lane]), bytes_of(event, access, lane));
      });
    }
  }
  void on_pieces(const Event& event) {
    for (const auto& piece : pieces(event)) look(event, locate(event, piece), piece.bytes);
  }
  void finish() override {
    std::uint64_t sum = 0;
    Table places =
        table("accesses beyond allocations, that a GPU allows", "kernel place instruction accesses");
    for (const auto& [at, count] : all) {
      places.row(kernel_of[at]->name, place(*at), at->text, count);
      sum += count;
    }
    table("beyond allocations", "accesses").row(sum);
  }
};
WEDJAT_TOOL(BeyondAllocations, "beyond_allocations", "accesses in no allocation, where they are no errors",
            "", WEDJAT_PARALLEL)
