// One SM: warps in four partitions that issue in order, pipelines, a load and store unit, what lies behind
// it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "fetch.hpp"
#include "program.hpp"
#include "recorded.hpp"
#include "scoreboards.hpp"
#include "watcher.hpp"

namespace timing {

inline constexpr Time kNever = std::numeric_limits<Time>::max();
inline constexpr std::size_t kPartitions = h200::partitions;

/// What one SM gets of what all share, in parts of a cycle for a sector.
struct Shares {
  Time l2_sector = 0, written_sector = 0, device_sector = 0;
  Time dispatch = 0;  // between two CTAs of an SM that follow others
  Time fetch = 0;     // of the first instructions
};

/// What a warp waited for between two of its instructions, added up over all warps; and how long what can be
/// full was.
struct Waits {
  Time operands = 0, memory = 0, barrier = 0, issue = 0, pipes = 0;
  Waits& operator+=(const Waits& other) {
    operands += other.operands, memory += other.memory, barrier += other.barrier, issue += other.issue,
        pipes += other.pipes;
    return *this;
  }
};

struct SmResult {
  Time end = 0, idle = 0, issued = 0, lsu = 0, l2 = 0, device = 0;
  std::array<Time, h200::pipes> busy{};
  Waits waits;
};

/// When a result is there, or where that depends on who reads it, when it was asked for.
struct Value {
  Time at = 0;
  const Cost* of = nullptr;  // of a fixed latency
  bool is_from_memory = false;
  Scoreboards::Ticket ticket = {};  // what is waited on for it

  [[nodiscard]] Time ready(const Cost& reader, Read how) const {
    return of == nullptr ? at : at + delay(*of, reader, how) * Time{kParts};
  }
};

class Sm {
 public:
  Sm(const Program& program, const Recorded& recorded, const Shares& shares, std::uint32_t resident,
     Watcher* watcher)
      : program_(program),
        recorded_(recorded),
        shares_(shares),
        resident_(resident),
        watcher_(watcher),
        fetch_(program.steps.size()) {}

  /// Runs CTAs of these kinds one after the other, as places get free.
  SmResult run(const std::vector<std::uint32_t>& kinds) {
    kinds_ = &kinds;
    for (std::uint32_t place = 0; place < resident_; ++place) start_next(0, place);
    while (true) {
      std::size_t best = kPartitions;
      Time when = kNever;
      for (std::size_t p = 0; p < kPartitions; ++p) {
        if (partitions_[p].is_stale) choose(partitions_[p]);
        if (partitions_[p].when < when) when = partitions_[p].when, best = p;
      }
      if (best == kPartitions && !open_one()) break;
      if (best == kPartitions) continue;
      issue(partitions_[best], *partitions_[best].next, when);
    }
    result_.end = std::max({result_.end, end_, lsu_free_});
    return result_;
  }

 private:
  static constexpr std::uint32_t kNoBlock = ~0u;
  struct Cta;
  struct Warp {
    Cta* cta = nullptr;
    std::uint32_t index = 0;
    std::size_t partition = 0;
    const WarpTokens* tokens = nullptr;
    std::size_t at = 0;               // the next token
    std::uint32_t step = 0, end = 0;  // in the block
    std::uint32_t line = ~0u;         // of instructions, that it has
    const Turns* turns = nullptr;
    std::uint32_t block = kNoBlock;
    bool has_jumped = false;  // to the block, which does not follow the one before
    const std::uint32_t* accesses = nullptr;
    std::uint32_t access_count = 0;
    std::vector<Value> ready;  // by number
    Scoreboards scoreboards;
    std::vector<Time> groups;  // of copies: when they are done
    Time group = 0;
    Time begin = 0, last = 0;  // last: of the issue before
    Time earliest = 0;         // of the next issue: operands
    bool waits_for_memory = false, is_parked = false, is_over = false;
  };
  struct Cta {
    std::size_t number = 0;
    std::uint32_t place = 0, alive = 0, arrived = 0;
    Time last_arrival = 0;
    std::vector<std::unique_ptr<Warp>> warps;
  };
  struct Partition {
    std::vector<Warp*> warps;
    Time free = 0, when = kNever;
    std::array<Time, h200::pipes> pipes{};
    Warp* next = nullptr;
    bool is_stale = true;
  };

  void start_next(Time now, std::uint32_t place) {
    if (next_cta_ >= kinds_->size()) return;
    if (next_cta_ < resident_)
      now = next_cta_ * h200::cta_gap * Time{kParts};
    else
      now = dispatched_ = std::max(now, dispatched_ + shares_.dispatch);
    if (alive_++ == 0) result_.idle += now - std::min(now, end_);
    const CtaTokens& tokens = recorded_.kind((*kinds_)[next_cta_]);
    auto cta = std::make_unique<Cta>();
    cta->number = next_cta_++, cta->place = place, cta->alive = static_cast<std::uint32_t>(tokens.size());
    for (std::uint32_t w = 0; w < tokens.size(); ++w) {
      auto warp = std::make_unique<Warp>();
      warp->cta = cta.get(), warp->index = w, warp->tokens = &tokens[w];
      warp->partition = next_partition_++ % kPartitions;
      warp->ready.assign(program_.value_count, {now});
      warp->begin = now;
      warp->last = warp->earliest = std::max(now, shares_.fetch) + h200::cta_start * Time{kParts};
      cta->warps.push_back(std::move(warp));
    }
    Cta& running = *ctas_.emplace_back(std::move(cta));
    for (const auto& warp : running.warps) {
      partitions_[warp->partition].warps.push_back(warp.get());
      partitions_[warp->partition].is_stale = true;
    }
    for (const auto& warp : running.warps) advance(*warp, warp->last);
  }

  // Goes to the next step that is issued; what costs nothing is done on the way.
  void advance(Warp& warp, Time now) {
    while (true) {
      while (warp.step == warp.end) {
        const bool goes_on = next_block(warp, now);
        if (!goes_on) return end(warp, now);
        if (warp.has_jumped) now += (h200::taken_branch - 1) * Time{kParts};
      }
      const Step& step = program_.steps[warp.step];
      Time ready = now;
      bool memory = false;
      if (const std::uint32_t line = Fetch::line_of(warp.step); line != warp.line)
        ready = fetch_.ready(line, now), warp.line = line;
      for (const Use& use : program_.reads(step)) {
        const Value& value = warp.ready[use.value];
        const Time at = std::max(value.ready(step.cost, use.how), warp.scoreboards.until(value.ticket));
        if (at > ready) ready = at, memory = value.is_from_memory;
      }
      if (step.kind == Kind::group_end) {
        warp.groups.push_back(std::exchange(warp.group, 0));
        ++warp.step;
        continue;
      }
      if (step.kind == Kind::group_wait) {
        for (std::size_t i = 0; i + step.waits < warp.groups.size(); ++i)
          if (warp.groups[i] > ready) ready = warp.groups[i], memory = true;
      }
      warp.earliest = ready, warp.waits_for_memory = memory;
      return;
    }
  }
  // What a block made is what registers hold behind it; of several parts that which is there last.
  void leave_block(Warp& warp) const {
    if (warp.turns == nullptr) return;
    static const Cost reader;
    for (std::uint32_t i = warp.turns->moves; i < warp.turns->moves_end; ++i) {
      const Move& move = program_.moves[i];
      const Value& from = warp.ready[move.from];
      Value& to = warp.ready[move.to];
      if (move.is_first || from.ready(reader, Read::value) > to.ready(reader, Read::value)) to = from;
    }
  }
  bool next_block(Warp& warp, Time& now) {
    leave_block(warp);
    for (; warp.at < warp.tokens->size() && !token::is_block((*warp.tokens)[warp.at]); ++warp.at)
      if (const std::uint32_t one = (*warp.tokens)[warp.at]; token::is_wait(one)) {
        const Time cycles = token::cycles(one) * Time{kParts};
        now = token::is_until(one) ? std::max(now, cycles) : now + cycles;
      }
    if (warp.at == warp.tokens->size()) return false;
    const std::uint32_t token = (*warp.tokens)[warp.at];
    const std::uint32_t number = token::block(token);
    const BlockSteps& block = program_.blocks[number];
    warp.has_jumped = warp.block != kNoBlock && number != warp.block + 1;
    warp.block = number;
    const std::size_t turn = block.tokens + 1;
    const auto has = [&](std::size_t turns) {
      for (std::size_t i = 1; i < turns; ++i)
        if (warp.at + i * turn >= warp.tokens->size() || (*warp.tokens)[warp.at + i * turn] != token)
          return false;
      return block.is_unrolled;
    };
    const std::size_t turns = has(4) ? 4 : has(2) ? 2 : 1;
    const Turns& steps = turns == 4 ? block.four_times : turns == 2 ? block.twice : block.once;
    warp.step = steps.first, warp.end = steps.end, warp.turns = &steps;
    const std::size_t first = warp.at + 1;
    warp.at += (turns - 1) * turn + 1;
    while (warp.at < warp.tokens->size() && token::is_access((*warp.tokens)[warp.at])) ++warp.at;
    warp.accesses = warp.tokens->data() + first;
    warp.access_count = static_cast<std::uint32_t>(warp.at - first);
    return true;
  }

  void choose(Partition& partition) {
    partition.when = kNever, partition.next = nullptr, partition.is_stale = false;
    for (Warp* const warp : partition.warps) {
      if (warp->is_parked) continue;
      Time when = std::max(partition.free, warp->earliest);
      const Cost& cost = program_.steps[warp->step].cost;
      for (std::size_t p = 0; p < h200::pipes; ++p)
        if (cost.busy[p] != 0) when = std::max(when, partition.pipes[p]);
      if (when < partition.when) partition.when = when, partition.next = warp;
    }
  }

  void issue(Partition& partition, Warp& warp, Time when) {
    const Step& step = program_.steps[warp.step++];
    const Time ready = std::max(warp.earliest, warp.last);
    Time& waited = warp.waits_for_memory ? result_.waits.memory : result_.waits.operands;
    waited += ready - warp.last;
    (partition.free > ready ? result_.waits.issue : result_.waits.pipes) += when - ready;
    partition.free = when + step.cost.issue, partition.is_stale = true;
    result_.issued += step.cost.issue;
    for (std::size_t p = 0; p < h200::pipes; ++p) {
      if (step.cost.busy[p] == 0) continue;
      partition.pipes[p] = when + step.cost.busy[p];
      result_.busy[p] += step.cost.busy[p];
    }
    warp.last = when + step.cost.issue;
    for (const Use& use : program_.reads(step)) warp.scoreboards.close(warp.ready[use.value].ticket);
    end_ = std::max(end_, when + step.cost.latency * Time{kParts});
    switch (step.kind) {
      case Kind::load:
      case Kind::store:
      case Kind::atomic: {
        const Time done = memory(warp, step, partition, when);
        const bool is_awaited = !step.is_async && !program_.writes(step).empty();
        write(warp, step,
              {done, nullptr, true, is_awaited ? warp.scoreboards.take(when, done) : Scoreboards::Ticket{}});
        break;
      }
      case Kind::constant:
        write(warp, step, {constant(warp, step, when), nullptr, true});
        break;
      case Kind::barrier:
        return barrier(warp, step, when);
      case Kind::clock:
        if (watcher_ != nullptr) watcher_->read_clock(warp.cta->number, warp.index, step.instruction, when);
        [[fallthrough]];
      default:
        if (step.cost.is_fixed)
          write(warp, step, {when, &step.cost, false});
        else
          write(warp, step, {when + step.cost.latency * Time{kParts}, nullptr, false});
    }
    advance(warp, warp.last);
  }
  void write(Warp& warp, const Step& step, Value value) const {
    for (const std::uint32_t one : program_.writes(step)) warp.ready[one] = value;
    if (step.is_async) warp.group = std::max(warp.group, value.at + step.settles * Time{kParts});
  }

  // Words of a warp one after the other, which others wait for at the cache that all partitions share.
  Time constant(const Warp& warp, const Step& step, Time when) {
    const Access access =
        step.token < warp.access_count ? token::access(warp.accesses[step.token]) : Access{1, 0, 0, true};
    const Time missed = (access.level == Level::near  ? 0
                         : access.level == Level::far ? h200::constant_far - h200::constant
                                                      : h200::constant_l2) *
                        Time{kParts};
    if (step.is_literal) return when + missed;
    const Time now = std::max(when, constants_free_), words = access.passes * Time{kParts};
    constants_free_ = now + h200::constant_word_cycles * words;
    return now + missed + h200::constant * Time{kParts} +
           h200::constant_word_latency * (words - std::min(words, Time{kParts}));
  }

  // When the result of an access is there; the units it goes through are taken meanwhile.
  Time memory(Warp& warp, const Step& step, Partition& partition, Time when) {
    Access access =
        step.token < warp.access_count ? token::access(warp.accesses[step.token]) : Access{0, 0, 0, true};
    (step.is_texture ? access.is_shared : access.is_filtered) = false;
    // A partition gets or gives what a bank holds every other cycle, an SM every cycle.
    const Time passes = std::max<Time>(access.passes, step.least_passes) * kParts,
               more = passes - std::min(passes, Time{kParts});
    Time& pipe = partition.pipes[h200::memory_pipe];
    pipe = std::max(pipe, when + 2 * passes);
    Time now = std::max(when, lsu_free_);
    lsu_free_ = now + std::max(passes, step.lsu * Time{kParts});
    result_.lsu += std::max(passes, step.lsu * Time{kParts});
    now += 2 * more;
    if (step.kind == Kind::atomic && access.is_shared) return now + h200::shared_atomic * Time{kParts};
    if (access.is_shared) return now + h200::shared * Time{kParts};
    const Time unit = !step.is_texture     ? 0
                      : access.is_filtered ? h200::filtered_texture - h200::l1
                                           : h200::texture - h200::l1;
    if (access.l2_sectors == 0) return now + (h200::l1 + unit) * Time{kParts};
    const Time sector = step.kind == Kind::store ? shares_.written_sector : shares_.l2_sector;
    l2_free_ = std::max(l2_free_, now) + access.l2_sectors * sector;
    result_.l2 += access.l2_sectors * sector;
    if (step.kind == Kind::store) {  // so many may be on their way
      const Time ahead = h200::sent_stores * access.l2_sectors * sector;
      lsu_free_ = std::max(lsu_free_, l2_free_ - std::min(l2_free_, ahead));
    }
    Time done = std::max(now, l2_free_);
    if (access.device_sectors != 0) {
      device_free_ = std::max(device_free_, now) + access.device_sectors * shares_.device_sector;
      result_.device += access.device_sectors * shares_.device_sector;
      done = std::max(done, device_free_);
    }
    done += (access.level == Level::device ? h200::device
             : access.level == Level::far  ? h200::l2_far
                                           : h200::l2) *
            Time{kParts};
    done += unit * Time{kParts};
    if (step.kind == Kind::atomic) done += (h200::l2_atomic - h200::l2) * Time{kParts};
    return done;
  }

  void barrier(Warp& warp, const Step& step, Time when) {
    Cta& cta = *warp.cta;
    barriers_free_ = std::max(barriers_free_, when) + h200::barrier_arrival * Time{kParts};
    ++cta.arrived, cta.last_arrival = std::max(cta.last_arrival, barriers_free_);
    if (step.waits != 0) {
      warp.is_parked = true, warp.earliest = when;
    } else {
      advance(warp, warp.last);
    }
    release(cta);
  }
  // Barriers of some of a CTA's warps only: all others wait, so the one that came first is over.
  bool open_one() {
    Cta* first = nullptr;
    for (const auto& cta : ctas_)
      if (cta->alive != 0 && cta->arrived != 0 &&
          (first == nullptr || cta->last_arrival < first->last_arrival))
        first = cta.get();
    if (first != nullptr) open(*first);
    return first != nullptr;
  }
  void release(Cta& cta) {
    if (cta.arrived != 0 && cta.arrived >= cta.alive) open(cta);
  }
  void open(Cta& cta) {
    const Time open = cta.last_arrival + (h200::barrier - h200::barrier_arrival) * Time{kParts};
    cta.arrived = 0, cta.last_arrival = 0;
    for (const auto& warp : cta.warps) {
      if (!warp->is_parked || warp->is_over) continue;
      warp->is_parked = false;
      result_.waits.barrier += open - std::min(open, warp->last);
      if (watcher_ != nullptr) watcher_->waited(cta.number, warp->index, warp->last, open);
      warp->last = std::max(warp->last, open);
      partitions_[warp->partition].is_stale = true;
      advance(*warp, warp->last);
    }
  }

  void end(Warp& warp, Time now) {
    warp.is_over = warp.is_parked = true;
    warp.ready = {};
    end_ = std::max(end_, now);
    if (watcher_ != nullptr) watcher_->ended(warp.cta->number, warp.index, warp.begin, now);
    Partition& partition = partitions_[warp.partition];
    std::erase(partition.warps, &warp);
    partition.is_stale = true;
    Cta& cta = *warp.cta;
    if (--cta.alive != 0) return release(cta);
    --alive_;
    start_next(now, cta.place);
  }

  const Program& program_;
  const Recorded& recorded_;
  const Shares shares_;
  const std::uint32_t resident_;
  Watcher* const watcher_;
  Fetch fetch_;
  const std::vector<std::uint32_t>* kinds_ = nullptr;
  std::array<Partition, kPartitions> partitions_;
  std::vector<std::unique_ptr<Cta>> ctas_;
  std::size_t alive_ = 0, next_cta_ = 0, next_partition_ = 0;
  Time constants_free_ = 0, lsu_free_ = 0, barriers_free_ = 0, l2_free_ = 0, device_free_ = 0, end_ = 0,
       dispatched_ = 0;
  SmResult result_;
};

}  // namespace timing
