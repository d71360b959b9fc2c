// What is reported: races, and what is no race but undefined, too.
#pragma once
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "places.hpp"
#include "stores.hpp"

namespace race_check {

struct Reports : Places {
  using Places::Places;

  // Whatever in the cell this access races with.
  void tell_all(const Lanes& all, const Now& now, const Cell& cell, unsigned lane) {
    const char* const again = is_same(all, lane) ? same : "write after write";
    for (const Last* last : {&cell.page->write, &cell.page->strong_write, &cell.page->read}) {
      const bool is_read = last == &cell.page->read;
      if (is_read && !all.what.writes) break;
      const std::uint32_t newest = last->record[cell.at];
      for (std::uint32_t i = newest; i != 0; i = records[i].older) {
        const Record& first = records[i];
        const Order order = now.is_allowed(first) ? Order::before : now.order(first);
        const unsigned by = last->lane[cell.at] != lane ? last->lane[cell.at] : last->other[cell.at];
        if (order == Order::before ||
            (order == Order::by_lane && (i != newest || now.knows(first, by, lane))))
          continue;
        tell(all.event,
             is_read           ? "write after read"
             : all.what.writes ? again
                               : "read after write",
             locate(all.event, all.what, all.address[lane]), first, i == newest ? by : any_lane, now.record(),
             lane);
      }
    }
  }
  static constexpr unsigned any_lane = 32;  // of its warp, which one is not remembered
  static constexpr const char* same = "write of the same value";
  // Whether the store writes what is there: two threads that do not wait for each other, but agree.
  bool is_same(const Lanes& all, unsigned lane) const {
    if (!all.what.writes || all.what.reads) return false;
    std::array<char, most_stored> there, mine;
    return stored(all.event, all.what, lane, mine.data()) &&
           read(all.event, lane, static_cast<wedjat_space>(all.what.space), all.address[lane], there.data(),
                all.what.bytes) &&
           std::memcmp(there.data(), mine.data(), all.what.bytes) == 0;
  }
  // Two lanes of one store write different values to one place: which one stays is not said.
  void check_within(const Event& event, const wedjat_access& what, const std::uint64_t* address) {
    const auto lanes = lanes_that_disagree(event, what, address);
    if (!lanes) return;
    const Record record{.actor = id(event),
                        .site = static_cast<const Site*>(event.user)->index,
                        .launch = program->launch_index};
    tell(event, "write after write in one instruction", locate(event, what, address[lanes->second]), record,
         lanes->first, record, lanes->second);
  }
  void tell(const Event& event, const char* what, const Location& at, const Record& first,
            unsigned first_lane, const Record& then, unsigned lane) {
    const std::tuple key(first.site, then.site, what == same);
    if (program->races.is_known(event.thread, event.cta, key)) return;
    const Site& site = sites[first.site];
    const Actor warp = warp_behind(first.actor);
    std::string by = is_copy(first.actor) ? " (which nobody waited for)" : "";
    by += " by CTA " + std::to_string(warp / 64);
    by += first_lane == any_lane ? " warp " + std::to_string(warp % 64)
                                 : " thread " + std::to_string(warp % 64 * 32 + first_lane);
    if (first.launch != then.launch)
      by += " of kernel " + std::string(site.kernel->name) + ", launch " + std::to_string(first.launch);
    program->races.note(event.thread, key,
                        {what == same ? WEDJAT_WARNING : WEDJAT_ERROR,
                         at.kind == Kind::shared ? "shared-race" : "global-race",
                         std::string(what) + ": nothing orders it after '" + site.at->text + "' at " +
                             place(*site.at) + by + in_variable(*event.launch->kernel, at),
                         event.instruction, event.cta, 32 * event.warp + lane});
  }

  // --- what is no race, but as undefined ------------------------------------------------------------------
  bool may_leave_cta(const Lanes& all) const {
    if (all.what.space != WEDJAT_SHARED_CLUSTER && all.what.space != WEDJAT_GENERIC) return false;
    const auto& size = all.event.launch->cluster;
    return sees_shared && size[0] * size[1] * size[2] != 1;
  }
  void visit_others(const Lanes& all, const Record& record) {
    each_lane(all.mask, [&](unsigned lane) {
      const Location at = locate(all.event, all.what, all.address[lane]);
      if (at.kind != Kind::shared || at.cta == all.event.cta) return;
      if (!knows_begun(all.event, at.cta))
        tell_of_cta(at.cta, "unstarted-cta", ", which nothing shows to have begun", sites[record.site],
                    all.event.cta, 32 * all.event.warp + lane, WEDJAT_WARNING);
      if (!lifetimes.visit(at.cta, record, lane)) return;
      tell_ended(at.cta, sites[record.site], all.event.cta, 32 * all.event.warp + lane);
    });
  }
  void tell_ended(std::uint64_t ended, const Site& site, std::uint64_t cta, std::uint32_t of_cta) {
    tell_of_cta(ended, "ended-cta", ", which nothing keeps from ending before", site, cta, of_cta);
  }
  void tell_of_cta(std::uint64_t other, const char* kind, const char* what, const Site& site,
                   std::uint64_t cta, std::uint32_t of_cta, wedjat_severity severity = WEDJAT_ERROR) {
    tell_of_site(
        site, kind, [&] { return "accesses shared memory of CTA " + std::to_string(other) + what; }, thread(),
        cta, of_cta, severity);
  }
  // The asynchronous proxy sees what was written through the generic one only past a fence between the two.
  void check_proxy(const Lanes& all, const Record& record, std::uint64_t bytes) {
    const Clocks& known = warp_of(id(all.event)).knows;
    const auto lane = static_cast<unsigned>(std::countr_zero(all.mask));
    std::uint32_t last = 0;  // that was fenced
    each_cell(all, lane, bytes, [&](const Cell& cell) {
      for (const Last* written : {&cell.page->write, &cell.page->strong_write}) {
        const std::uint32_t number = written->record[cell.at];
        if (number == last || number == 0) continue;
        const Record& first = records[number];
        if (first.launch != program->launch_index || is_copy(first.actor) ||
            first.clock <= known.fenced(first.actor))
          last = number;
        else
          tell_of_site(all, sites[record.site], "missing-proxy-fence",
                       "reads through the asynchronous proxy what ", first,
                       ": no fence.proxy.async stands between", lane);
      }
    });
  }
  void check_read_only(const Lanes& all, const Site& site) {
    std::uint32_t rest = all.mask;
    each_row(all, [&](const Cell& row, unsigned lane) {
      if (is_older(row.page->write, row.at) && is_older(row.page->strong_write, row.at))
        rest &= ~row_lanes(lane);
    });
    if (rest == 0) return;
    each_lane(rest & lanes_apart(all), [&](unsigned lane) {
      each_cell(all, lane, all.what.bytes, [&](const Cell& cell) {
        for (const Last* written : {&cell.page->write, &cell.page->strong_write}) {
          const Record& first = records[written->record[cell.at]];
          if (written->record[cell.at] == 0 || first.launch != program->launch_index) continue;
          tell_of_site(all, site, "read-only-data-written", "reads by .nc what ", first,
                       " while the kernel runs", lane);
        }
      });
    });
  }
  // A row of cells that one record wrote, before this launch.
  bool is_older(const Last& last, unsigned at) const {
    return Now::is_one_record(last, at) &&
           (last.record[at] == 0 || records[last.record[at]].launch != program->launch_index);
  }
  // "<reads what> '<first>' at <its line> wrote<how>".
  void tell_of_site(const Lanes& all, const Site& site, const char* kind, const char* reads,
                    const Record& first, const char* how, unsigned lane) {
    const wedjat_instruction& wrote = *sites[first.site].at;
    tell_of_site(
        site, kind,
        [&] {
          return std::string(reads) + "'" + wrote.text + "' at " + place(wrote) + " wrote" + how +
                 in_variable(*all.event.launch->kernel, locate(all.event, all.what, all.address[lane]));
        },
        all.event.thread, all.event.cta, 32 * all.event.warp + lane);
  }
  // `thread`: of the host; `of_cta`: of the CTA.
  template <class Message>
  void tell_of_site(const Site& site, const char* kind, const Message& message, std::uint32_t thread,
                    std::uint64_t cta, std::uint32_t of_cta, wedjat_severity severity = WEDJAT_ERROR) {
    const std::pair<std::uint32_t, std::string_view> key(site.index, kind);
    if (program->others.is_known(thread, cta, key)) return;
    program->others.note(thread, key, {severity, kind, message(), site.at, cta, of_cta});
  }
};

}  // namespace race_check
