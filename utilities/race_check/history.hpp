// Whether an access is ordered after those that a cell remembers, and what the cell remembers then. All lanes
// of a warp access ask about few records: each is judged once.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "records.hpp"
#include "shadow.hpp"
#include "streams.hpp"

namespace race_check {

enum class Order : std::uint8_t {
  before,   // it happens before
  by_lane,  // it is the warp's own: what the same lane did happens before
  none
};

/// What was found out for an access: it holds for the next one of the same site if nothing changed.
struct Known {
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};
  struct Memo {  // of the records it was asked about last
    std::uint32_t ordered = 0, checked = 0, followed = nothing, successor = 0;
    Order order = Order::before, check = Order::before;
  };
  Record record;              // the access
  std::uint64_t version = 0;  // of what its warp knew
  std::uint32_t number = 0;   // of the record, or one that may be like it
  Memo writes, strong_writes, reads;
};

/// One access: a warp's between two of its synchronisations, or a copy's.
class Now {
 public:
  /// `known`: of the last access of its site, and of this one from now on. `warp`: whose access it is, or who
  /// started the copy; `lane`: the first of those that do it. `most`: of the accesses that a cell remembers
  /// besides the last one of a kind.
  Now(Records& records, const Streams& streams, const wedjat_launch& launch, const Record& record,
      const Warp& warp, unsigned lane, Known& known, std::size_t most)
      : records_(records),
        streams_(streams),
        launch_(launch),
        record_(record),
        self_(warp_behind(record.actor)),
        warp_(warp),
        apart_(warp.lanes.apart()),
        lane_(lane),
        known_(known),
        most_(most) {
    const std::uint64_t version = warp.knows.version();
    if (!apart_ && known.version == version && known.record == record) return;
    known = {.record = record, .version = version, .number = known.number};
  }

  const Record& record() const { return record_; }

  Order order(const Record& first) const {
    if (first.launch != record_.launch) return streams_.is_before(first.launch) ? Order::before : Order::none;
    if (first.actor == self_) {
      const bool before =
          apart_ ? warp_.lanes.known(lane_, first.epoch) == Lanes::all : record_.epoch > first.epoch;
      return before ? Order::before : Order::by_lane;
    }
    if (warp_.knows.of(first.actor) < first.clock) return Order::none;
    if (warp_behind(first.actor) != self_) return Order::before;
    const std::uint32_t* const waited = warp_.epoch_of_wait(first.actor, first.clock);
    return waited != nullptr && record_.epoch <= *waited ? Order::by_lane : Order::before;
  }
  /// Whether what lane `by` did in an access of the warp itself happens before what `lane` does.
  bool knows(const Record& first, unsigned by, unsigned lane) const {
    return by == lane ||
           (apart_ && !is_copy(first.actor) && (warp_.lanes.known(lane_, first.epoch) >> by & 1) != 0);
  }
  /// Both strong, and each scope holds the other thread: no data race.
  bool is_allowed(const Record& first) const {
    if (first.scope == 0 || record_.scope == 0 || first.launch != record_.launch) return false;
    const std::uint64_t a = warp_behind(first.actor) / 64, b = self_ / 64;
    const std::uint8_t needed = a == b ? 1 : cluster_of(launch_, a) == cluster_of(launch_, b) ? 2 : 3;
    return first.scope >= needed && record_.scope >= needed;
  }

  /// Whether nothing in the cell races with a lane's reading, or writing, it.
  bool may_read(const Cell& cell, unsigned lane) {
    return is_clean(cell.page->write, cell.at, lane, known_.writes) &&
           is_clean(cell.page->strong_write, cell.at, lane, known_.strong_writes);
  }
  bool may_write(const Cell& cell, unsigned lane) {
    return may_read(cell, lane) && is_clean(cell.page->read, cell.at, lane, known_.reads);
  }
  void read(const Cell& cell, unsigned lane) {
    Last& last = cell.page->read;
    std::uint32_t& record = last.record[cell.at];
    const auto mine = static_cast<std::uint8_t>(lane);
    if (is_own(record)) {
      if (last.lane[cell.at] != mine) last.other[cell.at] = mine;
      record = renewed(record);
    } else {
      record = successor(record, known_.reads);
      last.lane[cell.at] = last.other[cell.at] = mine;
    }
  }
  /// `forgets`: nothing in the cell races with it, nor with what else this access writes.
  void write(const Cell& cell, unsigned lane, bool forgets) {
    Page& page = *cell.page;
    Last& last = record_.scope != 0 ? page.strong_write : page.write;
    last.lane[cell.at] = last.other[cell.at] = static_cast<std::uint8_t>(lane);
    last.record[cell.at] =
        record_.scope != 0 ? successor(last.record[cell.at], known_.strong_writes) : alone();
    // What races with what it forgets races with this write too.
    if (forgets && record_.scope == 0) page.strong_write.record[cell.at] = page.read.record[cell.at] = 0;
  }

  // The same of a row of cells and lanes that ascend together. False: do it cell by cell, nothing was done.
  static constexpr unsigned row = 16;

  static bool is_one_record(const Last& last, unsigned at) {
    std::uint32_t differs = 0;
    for (unsigned i = 1; i < row; ++i) differs |= last.record[at + i] ^ last.record[at];
    return differs == 0;
  }
  bool may_read_row(const Cell& first, unsigned lane) {
    return is_row_clean(first.page->write, first.at, lane, known_.writes) &&
           is_row_clean(first.page->strong_write, first.at, lane, known_.strong_writes);
  }
  bool may_write_row(const Cell& first, unsigned lane) {
    return may_read_row(first, lane) && is_row_clean(first.page->read, first.at, lane, known_.reads);
  }
  bool read_row(const Cell& first, unsigned lane) {
    Last& last = first.page->read;
    if (!is_one_record(last, first.at)) return false;
    const std::uint32_t record = last.record[first.at];
    if (!is_own(record)) {
      set_row(last, first.at, successor(record, known_.reads), lane);
      return true;
    }
    const RowLanes mine = ascending(lane), first_lanes = row_of(last.lane, first.at);
    RowLanes others = row_of(last.other, first.at);
    for (unsigned i = 0; i < row; ++i) others[i] = first_lanes[i] != mine[i] ? mine[i] : others[i];
    std::ranges::copy(others, last.other.begin() + first.at);
    std::fill_n(last.record.begin() + first.at, row, renewed(record));
    return true;
  }
  /// Of a plain write.
  void write_row(const Cell& first, unsigned lane, bool forgets) {
    set_row(first.page->write, first.at, alone(), lane);
    if (!forgets) return;
    std::fill_n(first.page->strong_write.record.begin() + first.at, row, 0);
    std::fill_n(first.page->read.record.begin() + first.at, row, 0);
  }

 private:
  using Memo = Known::Memo;

  Order order(std::uint32_t number, Memo& memo) {
    if (number != memo.ordered) {
      memo.order = order(records_[number]);
      memo.ordered = number;
    }
    return memo.order;
  }
  Order check(std::uint32_t number, Memo& memo) {
    if (number != memo.checked) {
      memo.check = check(number);
      memo.checked = number;
    }
    return memo.check;
  }
  bool is_clean(const Last& last, unsigned at, unsigned lane, Memo& memo) {
    const Order found = check(last.record[at], memo);
    if (found != Order::by_lane) return found == Order::before;
    if (last.lane[at] == lane && last.other[at] == lane) return true;
    const Record& first = records_[last.record[at]];
    return apart_ && knows(first, last.lane[at], lane) && knows(first, last.other[at], lane);
  }
  bool is_row_clean(const Last& last, unsigned at, unsigned lane, Memo& memo) {
    if (!is_one_record(last, at)) return false;
    const Order found = check(last.record[at], memo);
    return found == Order::before || (found == Order::by_lane && ascends(last, at, lane));
  }
  // Copies, which the compiler can keep in vectors: bytes in place might be anything's.
  using RowLanes = std::array<std::uint8_t, row>;
  static RowLanes row_of(const std::array<std::uint8_t, page_cells>& lanes, unsigned at) {
    RowLanes some;
    std::copy_n(lanes.begin() + at, row, some.begin());
    return some;
  }
  static RowLanes ascending(unsigned lane) {
    RowLanes all;
    for (unsigned i = 0; i < row; ++i) all[i] = static_cast<std::uint8_t>(lane + i);
    return all;
  }
  static bool ascends(const Last& last, unsigned at, unsigned lane) {
    const RowLanes mine = ascending(lane);
    return row_of(last.lane, at) == mine && row_of(last.other, at) == mine;
  }
  static void set_row(Last& last, unsigned at, std::uint32_t record, unsigned lane) {
    const RowLanes mine = ascending(lane);
    std::fill_n(last.record.begin() + at, row, record);
    std::ranges::copy(mine, last.lane.begin() + at);
    std::ranges::copy(mine, last.other.begin() + at);
  }
  // A reading of the same warp in the same epoch, which stays, whatever lane it was of.
  bool is_own(std::uint32_t number) {
    return number != 0 && order(number, known_.reads) == Order::by_lane &&
           records_[number].actor == record_.actor && records_[number].scope <= record_.scope;
  }
  std::uint32_t renewed(std::uint32_t number) {
    return records_[number].clock == record_.clock ? number : successor(number, known_.reads);
  }
  // How the first of a chain is ordered; none if any in it races. The lanes of those behind the first are not
  // remembered.
  [[gnu::noinline]] Order check(std::uint32_t number) const {
    Order found = Order::before;
    for (std::uint32_t i = number; i != 0; i = records_[i].older) {
      const Order one = is_allowed(records_[i]) ? Order::before : order(records_[i]);
      if (one == Order::none) return one;
      if (i == number) found = one;
    }
    return found;
  }

  std::uint32_t alone() {
    if (!(records_[known_.number] == record_)) known_.number = records_.add(record_);
    return known_.number;
  }
  // This access in the place of that one, and behind it those for which it does not stand: what races with
  // them need not race with this.
  std::uint32_t successor(std::uint32_t number, Memo& memo) {
    if (number == 0) return alone();
    if (number != memo.followed) {
      memo.successor = follow(number);
      memo.followed = number;
    }
    return memo.successor;
  }
  [[gnu::noinline]] std::uint32_t follow(std::uint32_t number) {
    std::array<std::uint32_t, most_ever> left;
    std::size_t count = 0;
    for (std::uint32_t i = number; i != 0; i = records_[i].older) {
      const Record& first = records_[i];
      const bool stands =
          first.scope >= record_.scope && (first.actor == record_.actor || order(first) == Order::before);
      if (!stands) left[count++] = i;
    }
    const std::size_t from = count >= most_ ? 1 : 0;  // the youngest goes: the chain behind it stays as it is
    Record mine = record_;
    for (std::size_t i = count; i-- > from;) {
      if (records_[left[i]].older != mine.older) {
        Record copy = records_[left[i]];
        copy.older = mine.older;
        left[i] = records_.add(copy);
      }
      mine.older = left[i];
    }
    return mine.older == 0 ? alone() : records_.add(mine);
  }

  static constexpr std::size_t most_ever = 32;
  Records& records_;
  const Streams& streams_;
  const wedjat_launch& launch_;
  const Record record_;
  const Actor self_;  // the warp
  const Warp& warp_;
  const bool apart_;     // lanes have different orders: each is asked about by itself
  const unsigned lane_;  // which it is then
  Known& known_;
  const std::size_t most_;
};

}  // namespace race_check
