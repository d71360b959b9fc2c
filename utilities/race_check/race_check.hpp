// Accesses of shared and global memory that nothing orders: two threads, one of them writing, not both strong
// enough.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "join.hpp"
#include "reports.hpp"

namespace race_check {

/// The tool itself is the part of the first host thread.
struct RaceCheck : Reports {
  RaceCheck() {
    if (spaces != "all" && spaces != "shared" && spaces != "global")
      refuse("spaces is shared, global or all");
  }
  RaceCheck(const RaceCheck& first, std::shared_ptr<Program> of) : Reports(first, std::move(of)) {}

  // --- host threads --------------------------------------------------------------------------------------
  std::vector<std::unique_ptr<RaceCheck>> others;  // parts of the other threads
  RaceCheck& part(std::uint32_t thread) { return thread == 0 ? *this : *others[thread - 1]; }
  template <auto handler>
  void on(const Event& event) {
    (part(event.thread).*handler)(event);
  }
  template <class Visit>
  void each_part(Visit visit) {
    visit(*this);
    for (const auto& other : others) visit(*other);
  }

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      Site& site =
          program->sites.emplace_back(i, k, static_cast<std::uint32_t>(sites.size()), accesses_of(i));
      if (i.what & WEDJAT_BARRIER) {
        if (i.what & WEDJAT_ARRIVES) before<&RaceCheck::on<&Ordering::arrive>>(i, WEDJAT_ROWS);
        if (i.what & WEDJAT_WAITS) after<&RaceCheck::on<&Ordering::leave>>(i, WEDJAT_ROWS);
      } else if (wedjat::is_warp_barrier(i) || (i.what & WEDJAT_GROUP_FENCE)) {
        after<&RaceCheck::on<&Ordering::sync_warp>>(i, i.operand_count != 0 ? WEDJAT_ROWS : WEDJAT_MASKS);
      } else if (i.what & WEDJAT_PROXY_FENCE) {
        before<&RaceCheck::on<&Ordering::proxy_fence>>(i);
      } else if (i.what & WEDJAT_FENCE) {
        before<&RaceCheck::on<&Ordering::fence>>(i);
      } else if (i.group != WEDJAT_NO_GROUP && (i.what & (WEDJAT_COMMITS | WEDJAT_WAITS))) {
        before<&RaceCheck::on<&Ordering::group>>(i);
      } else if (i.what & WEDJAT_HAS_PIECES) {
        if (i.what & WEDJAT_ASYNCHRONOUS) start_copy(i, site);
        after<&RaceCheck::on<&RaceCheck::on_pieces>>(i, WEDJAT_PIECES, &site);
      } else if (i.access_count == 0) {
        continue;
      } else if (i.group != WEDJAT_NO_GROUP && (i.what & WEDJAT_MBARRIER)) {
        before<&RaceCheck::on<&Ordering::copies_arrive>>(i, WEDJAT_ADDRESSES);
      } else if (i.what & WEDJAT_ASYNCHRONOUS) {
        start_copy(i, site);
      } else if ((i.what & WEDJAT_MBARRIER) && (i.what & WEDJAT_WAITS)) {
        after<&RaceCheck::on<&Ordering::phase_complete>>(i, WEDJAT_ADDRESSES | WEDJAT_ROWS, &site);
      } else {
        const std::uint32_t values = i.what & WEDJAT_STORE ? WEDJAT_ROWS : WEDJAT_MASKS;
        before<&RaceCheck::on<&RaceCheck::access>>(i, WEDJAT_ADDRESSES | values, &site);
      }
    }
  }
  // Of products nothing is asked but that they start: no operand is the address of what they read.
  void start_copy(const wedjat_instruction& i, Site& site) {
    before<&RaceCheck::on<&RaceCheck::copy>>(
        i, i.access_count != 0 ? WEDJAT_ADDRESSES | WEDJAT_ROWS : WEDJAT_MASKS, &site);
  }

  // --- launches, CTAs ------------------------------------------------------------------------------------
  void call(const wedjat_call& c) override { program->streams.call(c); }
  bool launch_begin(const wedjat_launch& launch) override {
    program->launch_index = static_cast<std::uint32_t>(launch.index);
    program->races.launch_begin(launch);
    program->others.launch_begin(launch);
    while (others.size() + 1 < launch.threads) others.push_back(std::make_unique<RaceCheck>(*this, program));
    const bool is_ordered = program->streams.launch(program->launch_index);
    if (!is_ordered) {  // what earlier launches did matters to all CTAs
      for (const auto& other : others) join(*this, *other);
      one_at_a_time();
    }
    each_part([&](RaceCheck& each) { each.begin(is_ordered); });
    return true;
  }
  void begin(bool forgets) {
    shared.clear();
    lifetimes.clear();
    forget_all();
    if (forgets) global.clear(), records.clear();
    if (forgets || known.size() != sites.size()) forget_known();
    cached_shared = nullptr;
  }
  bool cta_begin(const wedjat_launch&, std::uint64_t cta) override {
    part(thread()).shared[cta].clear();
    return true;
  }
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override { part(thread()).end(launch, cta); }
  void end(const wedjat_launch& launch, std::uint64_t cta) {
    shared.erase(cta);
    lifetimes.end(cta, known_in(launch, cta), [&](const Lifetimes::Visit& visit) {
      const Actor warp = warp_behind(visit.actor);
      tell_ended(cta, sites[visit.site], warp / 64,
                 static_cast<std::uint32_t>(32 * (warp % 64)) + visit.lane);
    });
    forget(launch, cta);
    cached_shared = nullptr;
  }
  void launch_end(const wedjat_launch& launch) override {
    const auto tell = [&](const findings::Noted& noted) { report(noted.of(launch)); };
    program->races.launch_end(tell);
    program->others.launch_end(tell);
  }
  /// A lane reads what nothing orders after the store that wrote it. Called once or more.
  virtual void racing_read(const Event&, const wedjat_access&, unsigned /*lane*/, std::uint64_t /*address*/) {
  }

  // --- what must be ordered -------------------------------------------------------------------------------
  // So many accesses are remembered of a place: of all warps of a CTA, of a few of a grid.
  static std::size_t remembered(const wedjat_access& what) {
    return what.space == WEDJAT_GLOBAL ? most_global : 32;
  }

  Now now(const Event& event, const wedjat_access& what, const Site& site, const Warp& warp, unsigned lane) {
    const std::uint8_t scope = !what.atomic && !what.strong ? 0 : what.scope != 0 ? what.scope : 4;
    const Record record{.actor = id(event),
                        .clock = warp.clock,
                        .epoch = warp.lanes.epoch(lane),
                        .site = site.index,
                        .launch = program->launch_index,
                        .scope = scope};
    return {records, streams, *event.launch, record, warp, lane, known[site.index], remembered(what)};
  }
  void access(const Event& event) {
    if (event.addresses == nullptr) return;
    if (records.is_full()) collect();
    Warp& warp = warp_of(id(event));
    const Site& site = *static_cast<const Site*>(event.user);
    for (std::uint32_t a = 0; a < site.accesses.size(); ++a) {
      const wedjat_access& what = site.accesses[a];
      const std::uint32_t lanes = event.executed & what.lanes;
      if (what.bytes == 0 || lanes == 0) continue;
      const Lanes all{event, what, event.addresses[a], lanes};
      if (may_leave_cta(all))
        visit_others(all,
                     now(event, what, site, warp, static_cast<unsigned>(std::countr_zero(lanes))).record());
      if (what.atomic || what.strong) {
        strong_access(all, site, warp);
        continue;
      }
      if (what.writes) check_within(event, what, event.addresses[a]);
      for (std::uint32_t rest = lanes, together = 0; rest != 0; rest &= ~together) {
        const auto first = static_cast<unsigned>(std::countr_zero(rest));
        together = warp.lanes.together(first);
        Now here = now(event, what, site, warp, first);
        Lanes group = all;
        group.mask = rest & together;
        if (site.read_only) check_read_only(group, site);
        if (what.reads) read_all(group, here);
        if (what.writes) write_all(group, here);
      }
    }
  }
  void read_all(const Lanes& all, Now& now) {
    std::uint32_t rest = all.mask;
    each_row(all, [&](const Cell& row, unsigned lane) {
      if (now.may_read_row(row, lane) && now.read_row(row, lane)) rest &= ~row_lanes(lane);
    });
    if (rest == 0) return;
    each_lane(rest & lanes_apart(all), [&](unsigned lane) {
      each_cell(all, lane, all.what.bytes, [&](const Cell& cell) {
        if (!now.may_read(cell, lane)) {
          racing_read(all.event, all.what, lane, all.address[lane]);
          tell_all(all, now, cell, lane);
        }
        now.read(cell, lane);
      });
    });
  }
  // All lanes first look, as what they write they write at once.
  void write_all(const Lanes& all, Now& now) {
    std::uint32_t rest = all.mask;
    std::array<std::pair<Cell, unsigned>, 2> rows;  // that may be written, and their first lanes
    std::size_t row_count = 0;
    each_row(all, [&](const Cell& row, unsigned lane) {
      if (!now.may_write_row(row, lane)) return;
      rest &= ~row_lanes(lane);
      rows[row_count++] = {row, lane};
    });
    bool clean = true;
    each_lane(rest, [&](unsigned lane) {
      each_cell(all, lane, all.what.bytes, [&](const Cell& cell) {
        if (now.may_write(cell, lane)) return;
        clean = false;
        tell_all(all, now, cell, lane);
      });
    });
    for (std::size_t i = 0; i < row_count; ++i) now.write_row(rows[i].first, rows[i].second, clean);
    each_lane(rest, [&](unsigned lane) {
      each_cell(all, lane, all.what.bytes, [&](const Cell& cell) { now.write(cell, lane, clean); });
    });
  }
  void strong_access(const Lanes& all, const Site& site, Warp& warp) {
    std::optional<Now> here;
    each_lane(all.mask, [&](unsigned lane) {
      if (exchange(all.event, all.what, warp, lane, all.address[lane]) || !here ||
          here->record().epoch != warp.lanes.epoch(lane) || warp.lanes.apart())
        here.emplace(now(all.event, all.what, site, warp, lane));
      touch_all(all, *here, lane, all.what.bytes);
    });
  }
  void touch_all(const Lanes& all, Now& now, unsigned lane, std::uint64_t bytes) {
    each_cell(all, lane, bytes, [&](const Cell& cell) {
      const bool clean = all.what.writes ? now.may_write(cell, lane) : now.may_read(cell, lane);
      if (!clean && !all.what.writes) racing_read(all.event, all.what, lane, all.address[lane]);
      if (!clean) tell_all(all, now, cell, lane);
      if (all.what.writes) now.write(cell, lane, clean);
      if (all.what.reads && !all.what.writes) now.read(cell, lane);
    });
  }
  // An asynchronous copy acts by itself: what orders it is waiting for its group, or its mbarrier. Copies of
  // boxes: on_pieces() sees what they move.
  void copy(const Event& event) {
    if (records.is_full()) collect();
    Warp& warp = warp_of(id(event));
    const Site& site = *static_cast<const Site*>(event.user);
    const Copies& group = warp.copies_of(event.instruction->group);
    const auto tells = std::ranges::find_if(site.accesses, is_barrier);
    const bool has_barrier = tells != site.accesses.end();
    each_lane(event.executed, [&](unsigned lane) {
      warp.started[lane] = has_barrier ? Warp::Copy{warp.next_copy_with_barrier(id(event)), 1}
                                       : Warp::Copy{group.actor, group.clock};
      for (const wedjat_access& what : site.accesses) {
        const auto index = static_cast<std::size_t>(&what - site.accesses.data());
        const bool is_told = has_barrier && what.operand == tells->operand;
        const std::uint64_t bytes = is_told ? 0 : bytes_of(event, what, lane);
        Known once;
        Now now = of_copy(event, what, site, warp, lane, once);
        each_destination(event, what, lane, event.addresses[index][lane], [&](std::uint64_t there) {
          if (is_told)
            mbarrier_at(event, what, lane, there).pending.raise(warp.started[lane].actor, 1);
          else
            touch_at(event, what, now, lane, there, std::min(bytes, most_copied));
        });
      }
    });
  }
  // What a lane's last copy does.
  Now of_copy(const Event& event, const wedjat_access& what, const Site& site, const Warp& warp,
              unsigned lane, Known& of_lane) {
    const Record record{.actor = warp.started[lane].actor,
                        .clock = warp.started[lane].clock,
                        .epoch = warp.lanes.epoch(lane),
                        .site = site.index,
                        .launch = program->launch_index,
                        .scope = static_cast<std::uint8_t>(what.atomic ? 4 : 0)};
    return {records, streams, *event.launch, record, warp, lane, of_lane, remembered(what)};
  }
  // Boxes of tensor maps and tiles of wgmma, which are copied and read asynchronously; tiles of wmma.
  void on_pieces(const Event& event) {
    if (records.is_full()) collect();
    Warp& warp = warp_of(id(event));
    const Site& site = *static_cast<const Site*>(event.user);
    const bool is_async = (event.instruction->what & WEDJAT_ASYNCHRONOUS) != 0;
    std::array<Known, 32> by_lane;
    for (const wedjat_piece& piece : pieces(event)) {
      const wedjat_access what{
          .space = piece.space, .reads = piece.reads, .writes = piece.writes, .atomic = piece.atomic};
      Now here = is_async ? of_copy(event, what, site, warp, piece.lane, by_lane[piece.lane])
                          : now(event, what, site, warp, piece.lane);
      touch_at(event, what, here, piece.lane, piece.address, piece.bytes);
    }
  }
  void touch_at(const Event& event, const wedjat_access& what, Now& now, unsigned lane, std::uint64_t address,
                std::uint64_t bytes) {
    std::array<std::uint64_t, 32> addresses;
    addresses[lane] = address;
    const Lanes one{event, what, addresses.data(), 1u << lane};
    if (may_leave_cta(one)) visit_others(one, now.record());
    if (what.reads && sites[now.record().site].async_proxy) check_proxy(one, now.record(), bytes);
    touch_all(one, now, lane, bytes);
  }
  // Where a copy goes: to one place, or to the same place in all CTAs of a mask.
  template <class Visit>
  static void each_destination(const Event& event, const wedjat_access& what, unsigned lane,
                               std::uint64_t address, Visit visit) {
    const wedjat_operand* mask = nullptr;
    for (const auto& o : operands(*event.instruction))
      if (std::string_view(o.name) == "ctas") mask = &o;
    if (mask == nullptr || what.space != WEDJAT_SHARED_CLUSTER || !what.writes) return visit(address);
    const std::uint32_t ctas = static_cast<const std::uint16_t*>(event.rows[mask->first])[lane];
    each_lane(ctas,
              [&](unsigned rank) { visit(address % WEDJAT_SHARED_STRIDE + rank * WEDJAT_SHARED_STRIDE); });
  }
  static constexpr std::uint64_t most_copied = 1 << 18;  // more than shared memory holds: it fails anyway
  // The mbarrier of a copy: it is updated, and not the copy's destination.
  static bool is_barrier(const wedjat_access& what) {
    return what.operand != 0 && what.atomic && what.bytes != 0 && what.bytes % 8 == 0;
  }
};

}  // namespace race_check
