#include "emulator/sched/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/sched/shuffle.h"
#include "emulator/sched/worker.h"

namespace wedjat::sched {

namespace {

// How often in a row waits for mbarriers may end without success before that is a deadlock.
constexpr std::uint64_t most_given_up = 1 << 14;

}  // namespace

Cluster::Cluster(const exec::Launch& launch, const std::atomic<std::uint64_t>* turn, Progress& progress)
    : launch_(launch) {
  std::vector<exec::Warp*> warps;
  for (std::uint64_t rank = 0; rank < launch.cluster.count(); ++rank) {
    ctas_.push_back(std::make_unique<Cta>(launch, turn, barrier_, progress));
    shared_.push_back(ctas_.back()->shared());
    for (const auto& warp : ctas_.back()->warps()) warps.push_back(warp.get());
  }
  barrier_.serve(std::move(warps), ctas_.front()->warps().size());
}

void Cluster::begin(std::uint64_t cluster_index) {
  own = nullptr;
  const exec::Dim3 &size = launch_.cluster, &grid = launch_.grid;
  std::uint64_t place = cluster_index;
  if (launch_.options.shuffle != 0)
    place = shuffled(launch_.options.shuffle, cluster_index, clusters(launch_), resident_on_device(launch_));
  // Divisions take as long as a CTA of a few instructions; most grids are lines.
  const std::uint64_t across = size.x == 1 ? grid.x : grid.x / size.x;
  const std::uint64_t down = std::max(1U, size.y == 1 ? grid.y : grid.y / size.y);  // as every grid has
  const std::uint64_t rest = place < across ? 0 : place / across, x = place - rest * across;
  const std::uint64_t z = rest < down ? 0 : rest / down, y = rest - z * down;
  barrier_.reset();
  for (std::uint32_t rank = 0; rank < ctas_.size(); ++rank)
    ctas_[rank]->begin({static_cast<std::uint32_t>(x * size.x + rank % size.x),
                        static_cast<std::uint32_t>(y * size.y + rank / size.x % size.y),
                        static_cast<std::uint32_t>(z * size.z + rank / size.x / size.y)},
                       cluster_index, rank);
  cursor_ = stalled_ = 0;
  unfinished_ = ctas_.size();
  steps_ = given_up_ = waits_ended_ = 0;
}

std::uint64_t Cluster::steps() const {
  std::uint64_t sum = 0;
  for (const auto& cta : ctas_) sum += cta->steps;
  return sum;
}

Stop Cluster::run(exec::MemoryPort& port, Followers* followers) {
  exec::Watch* const watch = port.watch;
  if (watch == nullptr) return advance(port, followers);
  watch->enter(own, index());
  const Stop stop = advance(port, followers);
  if (stop == Stop::turn_over && (own == nullptr || own->phase != exec::Phase::after))
    own = &watch->launch().make(exec::Phase::after);
  // Who is not done while others go on has its own; but who waits for its turn is done with what comes before
  // it.
  const bool goes_on = stop == Stop::budget || (stop == Stop::turn && ctas_.size() > 1);
  if (goes_on && own == nullptr) own = watch->part();
  if (watch->learned()) port.forget();
  return stop;
}

Stop Cluster::advance(exec::MemoryPort& port, Followers* followers) {
  port.cluster = shared_;
  for (;;) {
    Cta& cta = *ctas_[cursor_];
    Stop stop = Stop::waiting;
    if (!cta.finished()) {
      stop = cta.run(port, followers);
      if (stop == Stop::turn) return stop;  // the same CTA goes on when the turn comes
      if (stop == Stop::finished && --unfinished_ == 0) return stop;
    }
    const std::uint64_t now = steps();
    stalled_ = std::exchange(steps_, now) == now && stop == Stop::waiting ? stalled_ + 1 : 0;
    if (stalled_ > ctas_.size()) end_waits();
    cursor_ = cursor_ + 1 == ctas_.size() ? 0 : cursor_ + 1;
    if (stop == Stop::turn_over) {
      for (const auto& each : ctas_) each->end_turn();
      return stop;
    }
    if (stop == Stop::budget && cursor_ == 0) return stop;
  }
}

// Nothing can run. Who waits for an mbarrier may wait no longer; if that does not help, it is a deadlock.
void Cluster::end_waits() {
  stalled_ = 0;
  std::uint64_t ended = 0;
  bool any = false;
  for (const auto& cta : ctas_) {
    any |= cta->give_up();
    ended += cta->waits_ended;
  }
  given_up_ = std::exchange(waits_ended_, ended) == ended ? given_up_ + 1 : 0;
  if (any && given_up_ < most_given_up) return;
  std::string text =
      fmt::format("{}: every thread of the {} waits\n  kernel {}", exec::name_of(exec::FaultKind::deadlock),
                  ctas_.size() == 1 ? "CTA" : "cluster", launch_.kernel.name);
  for (const auto& cta : ctas_) text += cta->describe_paths();
  throw exec::Fault(exec::FaultKind::deadlock, text);
}

}  // namespace wedjat::sched
