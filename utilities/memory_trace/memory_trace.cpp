// Every memory access of every warp, to a compressed file.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <wedjat/tool.hpp>

#include "format.hpp"

using namespace wedjat;

struct MemoryTrace : Tool {
  struct Known {
    std::uint64_t number = 0;
    std::vector<std::size_t> first;  // by instruction: the site of its first access
    std::map<std::array<std::uint32_t, 3>, std::size_t> piece;  // by instruction, space, kind: a site
  };
  std::unique_ptr<memory_trace::Writer> out;
  const bool all_spaces = option("spaces") == "all";
  std::map<std::uint32_t, Known> kernels;
  const Known* running = nullptr;
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
      if (i.what & WEDJAT_HAS_PIECES) add_pieces(i, known, sites);
      known.first[i.id] = sites.sites.size();
      if (i.access_count == 0) continue;
      bool wanted = all_spaces;
      for (const auto& a : wedjat::accesses(i)) wanted |= is_one_of(a.space, watched);
      if (!wanted) continue;
      const bool foreseen = may_be_expected(i) && sites.sites.size() < Expectation::most_sites;
      const std::uint32_t needs = WEDJAT_ADDRESSES | (foreseen ? WEDJAT_UNLESS_EXPECTED : 0u);
      if (!before<&MemoryTrace::on_access>(i, needs)) continue;
      for (const auto& a : wedjat::accesses(i))
        sites.sites.push_back({i.id, a.bytes, i.ptx_line, a.space, kind_of(a), i.text, foreseen});
    }
    out->add(known.number, sites);
  }
  static constexpr std::uint8_t watched[] = {WEDJAT_GLOBAL, WEDJAT_GENERIC, WEDJAT_SHARED,
                                             WEDJAT_SHARED_CLUSTER};
  static bool is_one_of(std::uint8_t space, std::span<const std::uint8_t> spaces) {
    return std::ranges::find(spaces, space) != spaces.end();
  }
  static std::uint8_t kind_of(const auto& access) {
    return static_cast<std::uint8_t>(access.reads | access.writes << 1 | access.atomic << 2);
  }
  // What it may access, as pieces say it: each space in each way.
  void add_pieces(const wedjat_instruction& i, Known& known, memory_trace::Kernel& sites) {
    if (!after<&MemoryTrace::on_pieces>(i, WEDJAT_PIECES)) return;
    for (const std::uint8_t space : watched)
      for (const std::uint8_t kind : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{7}}) {
        known.piece[{i.id, space, kind}] = sites.sites.size();
        sites.sites.push_back({i.id, 0, i.ptx_line, space, kind, i.text, false});
      }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    const auto known = kernels.find(launch.kernel->id);
    if (known == kernels.end()) return false;
    running = &known->second;
    out->begin(launch.index, known->second.number,
               (std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] + 31) / 32);
    return true;
  }
  void launch_end(const wedjat_launch& launch) override { leave_out(launch.left_out); }
  void leave_out(std::uint64_t count) {
    out->leave_out(count);
    accesses += count;
    addresses += 32 * count;
  }
  void on_access(const Event& event) {
    leave_out(event.left_out);
    if (event.addresses == nullptr) return;
    const wedjat_instruction& at = *event.instruction;
    for (std::uint32_t a = 0; a < at.access_count; ++a) {
      const wedjat_access& access = at.accesses[a];
      const std::uint32_t lanes = event.executed & access.lanes;
      if (lanes == 0) continue;
      out->add({event.cta, event.warp, lanes, running->first[at.id] + a}, event.addresses[a],
               access.bytes != 0 ? nullptr : row<std::uint32_t>(event, access.size));
      ++accesses;
      addresses += static_cast<std::uint64_t>(std::popcount(lanes));
    }
  }
  // Of a kind, 32 pieces are one access.
  void on_pieces(const Event& event) {
    leave_out(event.left_out);
    const std::uint32_t id = event.instruction->id;
    for (auto at = running->piece.lower_bound({id, 0, 0}); at != running->piece.end() && at->first[0] == id;
         ++at) {
      std::array<std::uint64_t, 32> address{};
      std::array<std::uint32_t, 32> bytes{};
      unsigned count = 0;
      const auto write = [&] {
        if (count == 0) return;
        out->add({event.cta, event.warp, ~0u >> (32 - count), at->second}, address.data(), bytes.data());
        ++accesses;
        addresses += std::exchange(count, 0);
      };
      for (const auto& piece : pieces(event)) {
        if (piece.space != at->first[1] || kind_of(piece) != at->first[2]) continue;
        address[count] = piece.address;
        bytes[count] = piece.bytes;
        if (++count == 32) write();
      }
      write();
    }
  }
  void finish() override {
    if (!out->finish()) refuse(option("file") + " could not be written whole");
    table("memory trace", "file accesses addresses").row(option("file"), accesses, addresses);
  }
};
WEDJAT_TOOL(MemoryTrace, "memory_trace", "every memory access, to a compressed file",
            "file=where it goes; spaces=all: local, const and param memory too")
