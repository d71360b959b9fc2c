#include "traces/order/racing_loads.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/hooks/hooks.h"
#include "utilities/race_check/race_check.hpp"

namespace wedjat::traces {
namespace {

// race_check says which loads race; a load that something orders after the last store is left alone, and so
// is one of less than 32 bits.
class RacingLoads : public race_check::RaceCheck {
 public:
  explicit RacingLoads(unsigned draw) : draw_(draw) {}

  void kernel(const wedjat_kernel& k) override {
    RaceCheck::kernel(k);
    for (const auto& i : instructions(k)) {
      if (i.access_count == 0 || (i.what & WEDJAT_HAS_PIECES) != 0) continue;
      if ((i.what & (WEDJAT_STORE | WEDJAT_ATOMIC)) != 0)
        before<&RacingLoads::store>(i, WEDJAT_ADDRESSES);
      else if ((i.what & WEDJAT_LOAD) != 0 && (i.what & WEDJAT_HAS_ROWS) != 0)
        after<&RacingLoads::loaded>(i, WEDJAT_ROWS);
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    before_.clear();
    return RaceCheck::launch_begin(launch);
  }
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override {
    before_.erase({Location::Kind::shared, cta});
    RaceCheck::cta_end(launch, cta);
  }

 protected:
  void racing_read(const wedjat::Event& event, const wedjat_access& what, unsigned lane,
                   std::uint64_t address) override {
    if (at_ != event.instruction) racing_.clear();
    at_ = event.instruction;
    const auto known = before_.find(where(event, what, address));
    if (known == before_.end()) return;
    const std::uint64_t first = locate(event, what, address).address;
    for (std::uint32_t byte = 0; first % 4 == 0 && byte + 4 <= what.bytes; byte += 4)
      if (const auto word = known->second.find(first + byte); word != known->second.end())
        racing_.push_back({lane, byte, what_it_may_see(event, word->second)});
  }

 private:
  using Memory = std::pair<Location::Kind, std::uint64_t>;  // of this CTA, if it is shared
  struct Hash {
    std::size_t operator()(const Memory& memory) const {
      return memory.second * 8 + static_cast<std::size_t>(memory.first);
    }
  };
  // Of a warp's stores to a word between two of its barriers, the first.
  struct Store {
    race_check::Actor warp;
    std::uint32_t clock, found;
  };
  using Stores = std::vector<Store>;
  static constexpr std::size_t most_stores = 32;  // of a word: as many warps as a CTA has
  struct Racing {
    unsigned lane;
    std::uint32_t byte;  // of what it loads
    std::uint32_t before;
  };

  static Memory where(const wedjat::Event& event, const wedjat_access& what, std::uint64_t address) {
    const Location at = locate(event, what, address);
    return {at.kind, at.kind == Location::Kind::shared ? at.cta : 0};
  }

  // What was there before the last store, which races, or before any back to the last one that does not.
  std::uint32_t what_it_may_see(const wedjat::Event& event, const Stores& stores) {
    const race_check::Warp& warp = warp_of(id(event));
    auto store = stores.rbegin();
    if (is_nudge() || draw_ % 2 != 0) return store->found;
    while (std::next(store) != stores.rend() && std::next(store)->warp != id(event) &&
           warp.knows.of(std::next(store)->warp) < std::next(store)->clock)
      ++store;
    return store->found;
  }

  void store(const wedjat::Event& event) {
    const std::uint32_t clock = warp_of(id(event)).clock;
    for (std::uint32_t a = 0; a < event.instruction->access_count; ++a) {
      const wedjat_access& what = event.instruction->accesses[a];
      if (!what.writes || what.bytes < 4 || event.addresses == nullptr) continue;
      each_lane(event.executed & what.lanes, [&](unsigned lane) {
        const std::uint64_t address = event.addresses[a][lane];
        const Location at = locate(event, what, address);
        if (at.address % 4 != 0 || (at.kind != Location::Kind::shared && at.kind != Location::Kind::global))
          return;
        auto& words = before_[where(event, what, address)];
        std::uint32_t word = 0;
        for (std::uint32_t byte = 0; byte + 4 <= what.bytes; byte += 4)
          if (read(event, lane, static_cast<wedjat_space>(what.space), address + byte, &word, sizeof word))
            add(words[at.address + byte], {id(event), clock, word});
      });
    }
  }

  static void add(Stores& stores, const Store& store) {
    if (!stores.empty() && stores.back().warp == store.warp && stores.back().clock == store.clock) return;
    if (stores.size() == most_stores) stores.erase(stores.begin());
    stores.push_back(store);
  }

  void loaded(const wedjat::Event& event) {
    ++loads_;
    if (at_ != event.instruction) return;
    const wedjat_operand& to = event.instruction->operands[0];
    const std::uint32_t size = to.bits / 8;
    const bool is_plain = event.instruction->accesses[0].bytes == size * to.count && size >= 4;
    for (const Racing& one : racing_) {
      const std::uint32_t element = is_plain ? one.byte / size : 0;
      if (!is_plain || !takes_part(one.lane, element)) continue;
      char* const loaded = row<char>(event, 0, element) + size * one.lane + one.byte % size;
      if (!is_nudge()) {
        std::memcpy(loaded, &one.before, sizeof one.before);
      } else if (to.value == WEDJAT_FLOAT && size == sizeof(float)) {
        float now, before = std::bit_cast<float>(one.before);
        std::memcpy(&now, loaded, sizeof now);
        if (draw_ == racing_draws + 1) std::swap(now, before);
        if (const float beyond = now + (now - before); std::isfinite(beyond))
          std::memcpy(loaded, &beyond, sizeof beyond);
      }
    }
    racing_.clear();
    at_ = nullptr;
  }

  bool is_nudge() const { return draw_ >= racing_draws; }

  bool takes_part(unsigned lane, std::uint32_t element) const {
    if (draw_ == 0 || is_nudge()) return true;
    std::uint64_t mixed = (loads_ * 32 + lane) * 16 + element + (std::uint64_t{draw_} << 60);
    mixed = (mixed ^ mixed >> 31) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u;
    return (mixed >> 40 & 1) != 0;
  }

  const unsigned draw_;
  // Of words that were written in this launch.
  std::unordered_map<Memory, std::unordered_map<std::uint64_t, Stores>, Hash> before_;
  std::vector<Racing> racing_;              // of the load at hand
  const wedjat_instruction* at_ = nullptr;  // that load
  std::uint64_t loads_ = 0;
};

// A tool is made without arguments.
template <unsigned draw>
struct Drawn : RacingLoads {
  Drawn() : RacingLoads(draw) {}
};

template <unsigned draw>
const wedjat_tool& described() {
  return *Tool::describe<Drawn<draw>>("racing_loads", "loads that race take what was there before", "",
                                      WEDJAT_MUTATES);
}

}  // namespace

void let_loads_race(hooks::Hooks& hooks, unsigned draw) {
  static_assert(racing_draws + racing_nudges == 6);
  const std::array tools{&described<0>, &described<1>, &described<2>,
                         &described<3>, &described<4>, &described<5>};
  hooks.add(tools.at(draw)());
}

}  // namespace wedjat::traces
