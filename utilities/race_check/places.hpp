// The places that accesses are remembered of: cells of shared and of global memory.
#pragma once
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "history.hpp"
#include "lifetimes.hpp"
#include "ordering.hpp"

namespace race_check {

using namespace wedjat;

// Accesses that a cell of global memory remembers.
inline constexpr std::size_t most_global = 4;

struct Places : Ordering {
  using Kind = Location::Kind;
  // One access of an instruction, by lanes of a warp.
  struct Lanes {
    const Event& event;
    const wedjat_access& what;
    const std::uint64_t* address;
    std::uint32_t mask;
  };

  const std::shared_ptr<Program> program;
  const std::deque<Site>& sites = program->sites;
  const Streams& streams = program->streams;
  std::vector<Known> known;  // by site, of its last access
  Records records;
  Shadow global;
  std::unordered_map<std::uint64_t, Shadow> shared;  // by CTA
  Lifetimes lifetimes;
  const std::string spaces = option("spaces", "all");
  const bool sees_global = spaces != "shared", sees_shared = spaces != "global";

  Places() : program(std::make_shared<Program>()) {}
  Places(const Tool& whose, std::shared_ptr<Program> of) : Ordering(whose), program(std::move(of)) {}

  Shadow* cached_shared = nullptr;
  std::uint64_t cached_cta = 0;
  /// Null: that memory is not watched.
  Shadow* shadow_of(const Location& at) {
    if (at.kind == Kind::global) return sees_global ? &global : nullptr;
    if (at.kind != Kind::shared || !sees_shared) return nullptr;
    if (cached_shared == nullptr || cached_cta != at.cta) {
      const auto found = shared.find(at.cta);
      if (found == shared.end()) return nullptr;
      cached_shared = &found->second;
      cached_cta = at.cta;
    }
    return cached_shared;
  }

  static std::uint32_t row_lanes(unsigned lane) { return ((1u << Now::row) - 1) << lane; }
  /// Calls visit(first cell, first lane) for halves of a warp that access a row of words, one after another.
  template <class Visit>
  void each_row(const Lanes& all, const Visit& visit) {
    static_assert(Now::row == 16);
    if (all.what.bytes != 4) return;
    for (const unsigned lane : {0u, 16u}) {
      const std::uint64_t* const address = all.address + lane;
      std::uint64_t differs = address[0] % 4;
      for (unsigned i = 1; i < Now::row; ++i) differs |= address[i] ^ (address[0] + 4 * i);
      if (differs != 0 || (all.mask & row_lanes(lane)) != row_lanes(lane)) continue;
      const Location first = locate(all.event, all.what, address[0]),
                     last = locate(all.event, all.what, address[Now::row - 1]);
      Shadow* const shadow = shadow_of(first);
      if (shadow == nullptr || last.kind != first.kind || last.cta != first.cta) continue;
      const Cell cell = shadow->word(first.address / 4);
      if (cell.at + Now::row <= page_cells && cell.page->bytes == nullptr) visit(cell, lane);
    }
  }
  /// Of neighbours that access one place, two stand for all: a lane that sees another than itself.
  static std::uint32_t lanes_apart(const Lanes& all) {
    std::uint32_t equal = 0;
    for (unsigned lane = 1; lane < 32; ++lane)
      equal |= static_cast<std::uint32_t>(all.address[lane] == all.address[lane - 1]) << lane;
    equal &= all.mask << 1;
    return ~(equal & equal << 1);
  }
  /// The cells of what a lane accesses.
  template <class Visit>
  void each_cell(const Lanes& all, unsigned lane, std::uint64_t bytes, const Visit& visit) {
    const Location at = locate(all.event, all.what, all.address[lane]);
    Shadow* const shadow = shadow_of(at);
    if (shadow == nullptr) return;
    // By what is left, as addresses may come round to zero: an access fails only after tools have seen it.
    std::uint64_t from = at.address;
    for (std::uint64_t left = bytes, here; left != 0; from += here, left -= here) {
      here = std::min(left, 4 - from % 4);
      const Cell word = shadow->word(from / 4);
      if (here == 4 && !word.page->parted[word.at]) {
        visit(word);
        continue;
      }
      for (std::uint64_t byte = from; byte < from + here; ++byte)
        visit(Shadow::byte(word, static_cast<unsigned>(byte % 4)));
    }
  }
  void forget_known() { known.assign(sites.size(), {}); }
  void collect() {
    forget_known();
    records.collect([&](auto visit) {
      global.each_record(visit);
      for (auto& [cta, shadow] : shared) shadow.each_record(visit);
    });
  }
};

}  // namespace race_check
