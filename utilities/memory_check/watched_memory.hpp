// The memory whose bytes are watched, and where an access lies in it.
#pragma once
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <wedjat/tool.hpp>

#include "extent.hpp"
#include "registers.hpp"
#include "shadow.hpp"
#include "variables.hpp"

namespace memory_check {

using namespace wedjat;

struct WatchedMemory : Variables {
  struct Block {
    std::string label;
    Shadow shadow;
  };
  struct Cta {
    Shadow shared;
    std::map<std::uint32_t, Shadow> local;  // by thread
  };
  using Blocks = std::map<std::uint64_t, Block>;
  // What one host thread knows of the CTAs it runs. Nothing undefined passes between CTAs that run at once:
  // they have nothing to do with each other.
  struct Part {
    std::map<std::uint64_t, Cta> ctas;
    Registers registers;
    Blocks::value_type* block = nullptr;                 // found last
    std::pair<const std::uint64_t, Cta>* cta = nullptr;  // found last

    Cta* cta_of(std::uint64_t index) {
      if (cta == nullptr || cta->first != index) {
        const auto found = ctas.find(index);
        if (found == ctas.end()) return nullptr;
        cta = &*found;
      }
      return &cta->second;
    }
  };
  Blocks blocks;  // live allocations by address
  PerThread<Part> parts;

  // Of unknown memory (module variables) everything counts as written.
  Blocks::value_type* block_at(std::uint64_t address) {
    const auto block = blocks.upper_bound(address);
    if (block == blocks.begin() ||
        address - std::prev(block)->first >= std::prev(block)->second.shadow.bytes())
      return nullptr;
    return &*std::prev(block);
  }
  std::pair<Shadow*, std::uint64_t> find(Part& part, std::uint64_t address) {
    if (part.block == nullptr || address - part.block->first >= part.block->second.shadow.bytes()) {
      auto* const block = block_at(address);
      if (block == nullptr) return {nullptr, 0};
      part.block = block;
    }
    return {&part.block->second.shadow, address - part.block->first};
  }
  std::pair<Shadow*, std::uint64_t> find(Part& part, const Location& at, std::uint32_t thread) {
    if (at.kind == Location::Kind::global || at.kind == Location::Kind::heap) return find(part, at.address);
    if (at.kind != Location::Kind::shared && at.kind != Location::Kind::local) return {nullptr, 0};
    Cta* const cta = part.cta_of(at.cta);
    if (cta == nullptr) return {nullptr, 0};
    if (at.kind == Location::Kind::shared) return {&cta->shared, at.address};
    constexpr std::uint64_t watched_bytes = 16384;
    return {&cta->local.try_emplace(thread, watched_bytes).first->second, at.address};
  }

  // What all lanes access together, if it lies in one block of global or shared memory. Most accesses are
  // judged by one look at it.
  struct Span {
    Shadow* shadow = nullptr;
    std::uint64_t offset = 0, bytes = 0;
    bool defined() const { return shadow != nullptr && shadow->defined(offset, bytes); }
  };
  Span span(const Event& event, Part& part, const wedjat_access& access, const Extent& extent) {
    constexpr std::uint64_t longest = 8192;  // beyond it, looking at each lane is as fast
    if (extent.least > extent.greatest || access.space == WEDJAT_LOCAL) return {};
    const Location at = locate(event, access, extent.least);
    if (at.kind == Location::Kind::local) return {};
    const auto [shadow, offset] = find(part, at, 0);
    const std::uint64_t bytes = extent.greatest - extent.least + access.bytes;
    if (shadow == nullptr || offset >= shadow->bytes() || bytes > shadow->bytes() - offset) return {};
    if (bytes > longest && !shadow->defined()) return {};
    return {shadow, offset, bytes};
  }
  static bool is_row(const std::uint64_t* address, std::uint64_t bytes) {
    std::uint64_t differs = 0;
    for (unsigned lane = 1; lane < 32; ++lane) differs |= address[lane] ^ (address[0] + bytes * lane);
    return differs == 0;
  }
};

}  // namespace memory_check
