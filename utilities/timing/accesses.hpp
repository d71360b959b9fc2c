// What an access of a warp asks of memory: passes through banks or lines, sectors that caches do not hold.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "caches.hpp"
#include "lines.hpp"
#include "measured_times.h"
#include "recorded.hpp"

namespace timing {

namespace h200 = wedjat::h200;

/// Atomics of global memory in a launch.
struct Updates {
  double cycles = 0;          // that the slice of the L2 takes which has most
  bool are_answered = false;  // warps wait for the results of those
  std::uint64_t requests =
      0;  // of all lines: one for each of a warp's access, and of lanes that share a word
};

class Memory {
 public:
  Memory() : l1_(h200::sms), l2_(h200::l2_kibibytes * 1024) {}

  void launch_begins() {
    l2_.launch_begins();
    by_slice_.clear(), updates_ = {};
    for (auto& one : l1_)
      if (one != nullptr) one->clear();
    constants_.clear();
  }
  void host_wrote(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t most = h200::l2_kibibytes * 1024;
    const std::uint64_t end = (address + bytes + Sectors::kSector - 1) / Sectors::kSector;
    for (std::uint64_t s = (address + (bytes > most ? bytes - most : 0)) / Sectors::kSector; s < end; ++s)
      l2_.host_wrote(s);
  }

  /// `is_answered`: of an atomic, somebody reads what it gives back.
  Access of(const wedjat_event& event, bool is_answered) {
    is_answered_ = is_answered;
    Access found{0, 0, 0, true};
    const auto sm = static_cast<std::uint32_t>(event.cta % l1_.size());
    sm_ = sm, wave_ = event.cta / (l1_.size() * kWave);
    if (l1_[sm] == nullptr) l1_[sm] = std::make_unique<Sectors>(h200::l1_kibibytes * 1024);
    if (event.addresses != nullptr && event.executed != 0)
      for (const wedjat_access& access : wedjat::accesses(*event.instruction))
        add(found, event, access, *l1_[sm]);
    for (const wedjat_piece& piece : wedjat::pieces(event)) add(found, event, piece, *l1_[sm]);
    if (event.instruction->what & WEDJAT_TEXELS) count_texels(found, event);
    return found;
  }

  /// In this launch.
  [[nodiscard]] const Updates& updates() const { return updates_; }

 private:
  using Kind = wedjat::Location::Kind;
  struct How {
    bool writes, atomic, past_l1;
  };

  void add(Access& found, const wedjat_event& event, const wedjat_access& access, Sectors& l1) {
    const std::uint32_t lanes = event.executed & access.lanes;
    if (lanes == 0 || access.space == WEDJAT_PARAM) return;
    const auto index = static_cast<std::size_t>(&access - event.instruction->accesses);
    const std::uint64_t* const at = event.addresses[index];
    if (access.space == WEDJAT_CONST) return add_constants(found, lanes, at);
    const Kind kind = wedjat::locate(event, access, at[std::countr_zero(lanes)]).kind;
    const std::uint32_t bytes =
        std::min(wedjat::bytes_of(event, access, static_cast<unsigned>(std::countr_zero(lanes))), 128u);
    if (bytes == 0) return;
    if (kind == Kind::shared) {
      found.passes += access.writes ? conflicts_of(lanes, at, bytes, access.atomic != 0)
                                    : std::max(conflicts_in(0, 32, lanes, at, words_in(bytes), false),
                                               words_in(bytes) / 2);
      return;
    }
    found.is_shared = false;
    const How how{access.writes != 0, access.atomic != 0, access.strong != 0 && access.scope != kCta};
    std::array<std::uint64_t, 256> sectors;
    std::size_t count = 0;
    std::uint32_t conflicts = 1;
    const auto note = [&](std::uint64_t sector) {
      for (std::size_t i = count; i-- > 0;)
        if (sectors[i] == sector) return;
      if (count < sectors.size()) sectors[count++] = sector;
    };
    if (kind == Kind::local) {  // words of the lanes lie beside each other
      const std::uint64_t base = (std::uint64_t{1} << 60) + ((event.cta * 64 + event.warp) << 30);
      for (std::uint64_t word = at[std::countr_zero(lanes)] / 4, end = word + std::max(1u, bytes / 4);
           word < end; ++word)
        for (std::uint64_t part = 0; part < 4; ++part) note(base + word * 4 + part);
    } else {
      conflicts = conflicts_of(lanes, at, bytes, false);
      wedjat::each_lane(lanes, [&](unsigned lane) {
        for (std::uint64_t s = at[lane] / Sectors::kSector; s <= (at[lane] + bytes - 1) / Sectors::kSector;
             ++s)
          note(s);
      });
    }
    if (how.atomic) add_updates(lanes, at);
    const bool is_partial = how.writes && !how.atomic && written(lanes, at, bytes) < count * Sectors::kSector;
    add_sectors(found, {sectors.data(), count}, how, conflicts, is_partial, l1);
  }
  // Bytes, once each where lanes write the same.
  static std::uint64_t written(std::uint32_t lanes, const std::uint64_t* at, std::uint32_t bytes) {
    std::array<std::uint64_t, 32> places;
    std::size_t count = 0;
    wedjat::each_lane(lanes, [&](unsigned lane) { places[count++] = at[lane]; });
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(places.begin(), end);
    return static_cast<std::uint64_t>(std::unique(places.begin(), end) - places.begin()) * bytes;
  }

  // Lines of 64 bytes come from a cache behind the first one, 256 bytes at a time from the L2; neither keeps
  // anything from one launch to the next.
  void add_constants(Access& found, std::uint32_t lanes, const std::uint64_t* at) {
    Constants& known = constants_.try_emplace(sm_).first->second;
    Lines words;
    wedjat::each_lane(lanes, [&](unsigned lane) {
      words.add(at[lane] / 4);
      const bool is_near = known.near.use(at[lane] / 64), is_far = known.far.use(at[lane] / 256);
      found.level = std::max(found.level, is_near ? Level::near : is_far ? Level::far : Level::device);
    });
    found.passes = words.count;
  }

  // Eight texels a cycle of up to eight bytes without a filter, half as many of more, or between texels.
  // Texels of a line lie as they do in memory, those of planes in squares.
  static void count_texels(Access& found, const wedjat_event& event) {
    Lines places;
    std::uint32_t lanes = 0, bytes = 0, count = 0;
    const std::uint64_t together = is_line(*event.instruction) ? kLine : Sectors::kSector;
    for (const wedjat_piece& piece : wedjat::pieces(event)) {
      places.add(piece.address / together);
      lanes |= 1u << piece.lane, bytes = std::max(bytes, piece.bytes), ++count;
    }
    const auto threads = static_cast<std::uint32_t>(std::popcount(lanes));
    found.is_filtered = count > threads;
    const std::uint32_t times = (bytes > 8 ? 2 : 1) * (found.is_filtered ? 2 : 1);
    const std::uint32_t apart = found.is_filtered && bytes <= 4 ? stretches_of(event) : places.count;
    found.passes = std::max((threads + kTexels - 1) / kTexels * times, apart);
  }
  // Between texels of up to four bytes four lanes are looked up together: two stretches of 32 bytes a cycle.
  static std::uint32_t stretches_of(const wedjat_event& event) {
    std::array<std::vector<std::uint64_t>, 8> fours;
    for (const wedjat_piece& piece : wedjat::pieces(event)) fours[piece.lane / 4].push_back(piece.address);
    std::uint32_t passes = 0;
    for (std::vector<std::uint64_t>& texels : fours) {
      std::ranges::sort(texels);
      std::uint32_t stretches = 0;
      std::uint64_t end = 0;
      for (const std::uint64_t texel : texels)
        if (texel >= end) ++stretches, end = texel + Sectors::kSector;
      if (stretches != 0) passes += std::max(1u, stretches / 2);
    }
    return passes;
  }
  // Whether a texture has one coordinate.
  static bool is_line(const wedjat_instruction& at) {
    for (const wedjat_operand& o : wedjat::operands(at))
      if (o.in && o.kind == WEDJAT_VECTOR) return o.count == 1;
    return false;
  }

  // Each KiB has two slices of the L2, which take turns every 256 bytes.
  static std::uint64_t slice_of(std::uint64_t address) { return address / 1024 * 2 + address / 256 % 2; }
  // A slice of the L2 updates a line for one warp after the other, a word for one lane after the other.
  void add_updates(std::uint32_t lanes, const std::uint64_t* at) {
    std::map<std::uint64_t, std::map<std::uint64_t, unsigned>> words;  // by line
    wedjat::each_lane(lanes, [&](unsigned lane) { ++words[at[lane] / kLine][at[lane]]; });
    for (const auto& [line, counts] : words) {
      unsigned most = 0;
      for (const auto& [word, count] : counts) most = std::max(most, count);
      updates_.requests += most;
      double& taken = by_slice_[slice_of(line * kLine)];
      taken += std::max(h200::word_update * most, counts.size() > 1 ? h200::line_update : 0);
      if (taken > updates_.cycles) updates_.cycles = taken, updates_.are_answered = is_answered_;
    }
  }

  // The L1 looks for four lines in a cycle, asks the L2 for one, and reads as shared memory does. A line that
  // is written in part goes with a mask, which takes as long as a sector.
  void add_sectors(Access& found, std::span<const std::uint64_t> sectors, How how, std::uint32_t conflicts,
                   bool is_partial, Sectors& l1) {
    Lines lines, missed;
    for (std::size_t i = 0; i < sectors.size(); ++i) {
      lines.add(sectors[i] / 4);
      const bool plain = !how.writes && !how.atomic && !how.past_l1;
      if (plain && l1.access(sectors[i], true)) continue;
      if (how.past_l1 || how.atomic) l1.drop(sectors[i]);
      ++found.l2_sectors;
      if (!how.writes || how.atomic) missed.add(sectors[i] / 4);
      if (how.writes && !how.atomic)
        l2_.write(sectors[i], sm_);
      else
        note_level(found, l2_.read(sectors[i], sm_, wave_));
    }
    if (is_partial) found.l2_sectors += lines.count;
    found.passes += std::max({conflicts, how.writes ? 0 : (lines.count + kTags - 1) / kTags, missed.count});
  }

  static unsigned words_in(std::uint32_t bytes) { return std::max(1u, bytes / 4); }
  // How often the banks are read: once for all lanes if each bank is asked for one word. Stores, and loads of
  // global memory, take as many lanes together as have 128 bytes; loads of shared memory all of them.
  static std::uint32_t conflicts_of(std::uint32_t lanes, const std::uint64_t* at, std::uint32_t bytes,
                                    bool atomic) {
    std::uint32_t passes = 0;
    const unsigned words = words_in(bytes), together = std::max(1u, 32 / words);
    for (unsigned first = 0; first < 32; first += together)
      passes += conflicts_in(first, together, lanes, at, words, atomic);
    return passes;
  }
  static std::uint32_t conflicts_in(unsigned first, unsigned together, std::uint32_t lanes,
                                    const std::uint64_t* at, unsigned words, bool atomic) {
    std::array<std::uint64_t, 128> seen;
    std::array<std::uint8_t, 32> ways{};
    std::size_t count = 0;
    unsigned most = 0;
    for (unsigned lane = first; lane < first + together; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      for (unsigned w = 0; w < words && count < seen.size(); ++w) {
        const std::uint64_t word = at[lane] / 4 + w;
        const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
        if (!atomic && std::find(seen.begin(), end, word) != end) continue;
        seen[count++] = word;
        most = std::max<unsigned>(most, ++ways[word % 32]);
      }
    }
    return most;
  }

  // Boxes and tiles: bytes of shared memory in whole rows of banks, sectors of global memory once each.
  void add(Access& found, const wedjat_event& event, const wedjat_piece& piece, Sectors& l1) {
    const Kind kind = wedjat::locate(event, piece).kind;
    if (kind == Kind::shared) {
      found.passes += (piece.bytes + 127) / 128;
      return;
    }
    if ((kind != Kind::global && kind != Kind::heap) || piece.bytes == 0) return;
    found.is_shared = false;
    for (std::uint64_t s = piece.address / Sectors::kSector;
         s <= (piece.address + piece.bytes - 1) / Sectors::kSector; ++s) {
      if ((event.instruction->what & WEDJAT_TEXELS) && piece.writes == 0 && l1.access(s, true)) continue;
      ++found.l2_sectors;
      if (piece.writes != 0)
        l2_.write(s, sm_);
      else
        note_level(found, l2_.read(s, sm_, wave_));
    }
    found.passes += 1;
  }

  static void note_level(Access& found, Level level) {
    found.level = std::max(found.level, level);
    if (level == Level::device) ++found.device_sectors;
  }

  static constexpr std::uint8_t kCta = 1;  // wedjat_access.scope
  static constexpr std::uint64_t kLine = 128;
  static constexpr std::uint32_t kTags = 4;             // patterns ld.global.b32 stride=20, stride=68 (1x32)
  std::unordered_map<std::uint64_t, double> by_slice_;  // cycles of updates
  Updates updates_;
  bool is_answered_ = false;
  static constexpr std::uint32_t kTexels = 8;  // that the texture unit takes in a cycle
  struct Constants {
    RecentLines near{h200::near_constants}, far{h200::far_constants};
  };
  std::unordered_map<std::uint32_t, Constants> constants_;  // by SM
  static constexpr std::uint64_t kWave = 8;   // CTAs that an SM is supposed to run at about the same time
  std::vector<std::unique_ptr<Sectors>> l1_;  // by SM
  Halves l2_;
  std::uint32_t sm_ = 0;  // of the access
  std::uint64_t wave_ = 0;
};

}  // namespace timing
