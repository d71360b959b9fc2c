#include "emulator/sched/cta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace wedjat::sched {

namespace {

// All in steps, so that the course of a CTA is the same everywhere; a step that communicates counts more
// (exec/cta/costs.h).
constexpr Shares far = {.warp = 1 << 15, .turn = 1 << 18, .cta = 1 << 22, .clustered = 1 << 18};
// A warp stops at the end of a block.
constexpr Shares side_by_side = {.warp = 1, .turn = 0, .cta = 0, .clustered = 0};
constexpr Shares mixed = {.warp = 1 << 15, .turn = 1 << 10, .cta = 1 << 12, .clustered = 1 << 10};

// Steps that a CTA goes on for once a warp of it has failed an assertion: a GPU lets others go on for some
// 100 microseconds.
constexpr std::uint64_t steps_after_assertion = 1 << 18;

Shares shares_of(const exec::LaunchOptions& options) {
  if (options.side_by_side) return side_by_side;
  return options.shuffle > 1 ? mixed : far;
}

// What only the order of single warps shows must not matter.
bool may_sweep(const exec::Launch& launch, bool ordered) {
  return launch.native != nullptr && !ordered && launch.cluster.count() == 1 &&
         (launch.observer == nullptr || !launch.observer->watches_warps()) && !launch.options.side_by_side &&
         launch.options.shuffle == 0 && launch.options.launch_step_limit == 0;
}

// To count the visits of all CTAs takes as long as a tenth of what a kernel without native code does: of many
// one in so many is enough.
std::uint32_t visits_told_each(const exec::Launch& launch) {
  constexpr std::uint64_t many = 512;
  const bool some = launch.native != nullptr && launch.native->unasked != 0 &&
                    launch.grid.count() / launch.cluster.count() >= many;
  return some ? 8 : 1;
}

// Lanes a multiple of a page apart would fight for the same cache set.
std::uint64_t local_stride(std::uint64_t bytes) {
  return bytes % 4096 == 0 && bytes != 0 ? bytes + 64 : bytes;
}

}  // namespace

std::uint64_t local_bytes(const exec::Launch& launch) {
  if (launch.kernel.local_bytes) return *launch.kernel.local_bytes;
  return std::max<std::uint64_t>(launch.options.local_limit, launch.kernel.functions.front().local_bytes);
}

Cta::Cta(const exec::Launch& of, const std::atomic<std::uint64_t>* turn, ClusterBarrier& barrier,
         Progress& progress)
    : turn_of_(turn),
      shares_(shares_of(of.options)),
      progress_(progress),
      shared_(of.shared_bytes()),
      phases_(std::make_unique<Phases>(warps_, barriers_storage_)),
      may_sweep_(may_sweep(of, turn != nullptr)),
      visits_told_each_(visits_told_each(of)) {
  launch = &of;
  barriers = &barriers_storage_;
  const auto threads = static_cast<std::uint32_t>(of.block.count());
  const std::uint32_t warps = (threads + exec::lanes - 1) / exec::lanes;
  local_.bytes = local_bytes(of);
  local_.stride = local_stride(local_.bytes);
  const std::uint64_t local_size = local_.stride * exec::lanes * warps;
  local_pages_ = memory::HostPages(local_size);
  std::vector<exec::Warp*> all;
  for (std::uint32_t i = 0; i < warps; ++i) {
    exec::LocalMemory mine = local_;
    mine.host = local_pages_.data() + i * local_.stride * exec::lanes;
    warps_.push_back(std::make_unique<exec::Warp>(*this, i, mine));
    all.push_back(warps_.back().get());
  }
  barriers_storage_.serve(std::move(all), threads, barrier);
  if (of.options.shuffle != 0) shuffle_.emplace(of.options.shuffle);
  for (std::uint32_t i = 0; i < warps; ++i) order_.push_back(shuffle_ ? shuffle_->at(i, warps) : i);
  if (of.options.unwritten != std::byte{0} && of.kernel.local_bytes && local_size != 0)
    std::memset(local_pages_.data(), static_cast<int>(of.options.unwritten), local_size);
}

void Cta::begin(exec::Dim3 id, std::uint64_t cluster, std::uint32_t rank) {
  ctaid = id;
  index = id.x + std::uint64_t{launch->grid.x} * (id.y + std::uint64_t{launch->grid.y} * id.z);
  cluster_ = cluster;
  cluster_rank = rank;
  visit_counts = cluster % visits_told_each_ == 0 ? visits_told_each_ : 0;
  steps = warp_instructions = thread_instructions = native_steps = slept = waits_ended = 0;
  ctas_ = 1;
  earlier_steps_ = 0;
  turn_ = false;
  cursor_ = stalled_ = 0;
  turns_given_ = 0;
  share_ = given_ = shares_.warp;
  cost_ = turn_began_ = 0;
  unfinished_ = warps_.size();
  failed_.reset();
  failed_warps_ = 0;
  // What a CTA leaves behind must not reach the next one: which one that is depends on the host threads.
  if (shared_.size() != 0)
    std::memset(shared_.data(), static_cast<int>(launch->options.unwritten), shared_.size());
  clear_local();
  barriers_storage_.reset();
  gathered_ = ~std::uint64_t{0};
  begin_warps();
  phases_->forget(begun_ == warps_.size());
  if (launch->observer != nullptr) launch->observer->begins(*this);
}

void Cta::clear_local() {
  if (local_.bytes == 0) return;
  // Large frames are seldom written all over: their pages are zero again when they are touched.
  constexpr std::uint64_t much = 1 << 20;
  std::uint64_t all = 0;
  for (const auto& warp : warps_) all += warp->local_used() * exec::lanes;
  if (all > much && launch->options.unwritten == std::byte{0}) return local_pages_.clear();
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    const std::uint64_t used = warps_[i]->local_used();
    if (used == 0) continue;
    for (unsigned lane = 0; lane < exec::lanes; ++lane)
      std::memset(local_pages_.data() + (i * exec::lanes + lane) * local_.stride,
                  static_cast<int>(launch->options.unwritten), used);
  }
}

bool Cta::take_turn() {
  if (turn_of_ != nullptr && turn_of_->load(std::memory_order_acquire) != cluster_) return false;
  turn_ = true;
  turn_began_ = cost_;
  if (watch_ != nullptr) watch_->take_turn(true);
  return true;
}

Stop Cta::run(exec::MemoryPort& port, Followers* followers) {
  followers_ = followers;
  port.refresh();
  watch_ = port.watch;
  if (watch_ != nullptr) watch_->take_turn(turn_);
  port.shared = shared_.data();
  port.shared_bytes = shared_.size();
  port.shared_address = shared_address();
  // Native code may be there before any warp has run by itself.
  port.local_stride = local_.stride;
  port.local_bytes = local_.bytes;
  const bool alone = launch->cluster.count() == 1;
  const std::uint64_t until = cost_ + (alone ? shares_.cta : shares_.clustered);
  if (phases_->hold()) phases_->use(port);
  for (;;) {
    if (cursor_ == begun_) {
      sweep(port, until - cost_);
      if (unfinished_ == 0) return finish();
      if (cost_ > until) return Stop::budget;
      continue;
    }
    if (may_sweep_ && !failed_ && gather(port)) {
      if (const std::optional<Stop> stop = go_together(port, until)) return *stop;
      continue;
    }
    exec::Warp& warp = *warps_[order_[cursor_]];
    if (warp.live() != 0 && (failed_warps_ >> order_[cursor_] & 1) == 0) {
      const std::uint64_t done = steps;
      const exec::Stop stop = run(warp, port);
      tell_progress(steps - done);
      if (stop == exec::Stop::turn) return Stop::turn;
      // Only whole shares: whether the warp had to stop for the turn on the way must not show.
      cost_ += static_cast<std::uint64_t>(given_ - share_);
      if (stop == exec::Stop::finished && --unfinished_ == 0) return finish();
      stalled_ = steps == done ? stalled_ + 1 : 0;
      check_limit();
    }
    next_warp();
    if (turn_ && cost_ - turn_began_ > shares_.turn) {
      turn_ = false;
      return Stop::turn_over;
    }
    if (failed_ && (stalled_ > warps_.size() || steps - failed_at_ > steps_after_assertion)) return finish();
    if (stalled_ > warps_.size()) {
      stalled_ = 0;
      return Stop::waiting;
    }
    if (cost_ > until) return Stop::budget;
  }
}

exec::Stop Cta::run(exec::Warp& warp, exec::MemoryPort& port) {
  try {
    return warp.run(port, share_);
  } catch (const exec::Assertion& failed) {
    note(failed, order_[cursor_]);
    return exec::Stop::finished;
  }
}

// The other warps go on by themselves.
void Cta::note(const exec::Assertion& failed, std::size_t warp) {
  if (!failed_) failed_at_ = steps;
  failed_.emplace(failed_ ? failed_->with(failed) : failed);
  failed_warps_ |= std::uint64_t{1} << warp;
  for (; begun_ < warps_.size(); ++begun_) warps_[begun_]->begin();
}

// Tools see it end also where warps of it failed, for other CTAs may follow.
Stop Cta::finish() {
  if (launch->observer != nullptr) launch->observer->ends(*this);
  if (failed_) throw *failed_;
  return Stop::finished;
}

void Cta::check_limit() const {
  if (launch->options.step_limit == 0 || steps <= launch->options.step_limit) return;
  throw exec::Fault(exec::FaultKind::step_limit,
                    fmt::format("{}: the CTA ran more than {} steps\n  kernel {}{}",
                                exec::name_of(exec::FaultKind::step_limit), launch->options.step_limit,
                                launch->kernel.name, describe_paths()));
}

void Cta::tell_progress(std::uint64_t more) {
  // Small CTAs are many: their threads would wait for each other to count them. A limit wants the exact
  // number.
  const std::uint64_t at_once = launch->options.launch_step_limit != 0 ? 1 : 1 << 12;
  progress_.check(*this);
  untold_ += more;
  if (untold_ >= at_once) progress_.add(std::exchange(untold_, 0), *this);
}

void Cta::next_warp() {
  cursor_ = cursor_ + 1 == warps_.size() ? 0 : cursor_ + 1;
  share_ = given_ = shuffle_ ? shuffle_->share(++turns_given_, shares_.warp) : shares_.warp;
}

bool Cta::give_up() {
  bool any = false;
  for (auto& warp : warps_) any |= warp->give_up();
  return any;
}

std::string Cta::describe_paths() const {
  constexpr std::size_t shown = 64;
  phases_->part();
  std::string text = fmt::format("\n  CTA ({},{},{})", ctaid.x, ctaid.y, ctaid.z);
  for (std::size_t i = begun_; i < warps_.size(); ++i) warps_[i]->begin();
  for (std::size_t i = 0; i < std::min(warps_.size(), shown); ++i) text += warps_[i]->describe_paths();
  return text;
}

}  // namespace wedjat::sched
