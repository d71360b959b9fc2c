#include "emulator/exec/warp/compiled.h"

#include "emulator/exec/warp/probe.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

Passage passage_through(MemoryPort& port) {
  return {.recent = port.cache.data(),
          .local = &port.local,
          .shared_host = reinterpret_cast<std::uintptr_t>(port.shared) - port.shared_address,
          .shared_bytes = port.shared_bytes,
          .shared_address = port.shared_address};
}

void add(CtaState& cta, const Passage& ran) {
  // Each by itself: a load of several would wait for the stores that native code has just made.
  const auto sum = [](const std::uint64_t& told) { return __atomic_load_n(&told, __ATOMIC_RELAXED); };
  const std::uint64_t steps = sum(ran.steps), instructions = sum(ran.instructions);
  cta.steps += steps;
  cta.native_steps += steps;
  cta.warp_instructions += instructions;
  cta.thread_instructions +=
      instructions * static_cast<std::uint64_t>(__builtin_popcount(ran.mask)) - sum(ran.missing);
}

namespace {

// A number that several host threads count up wanders from cache to cache, which takes longer than the block:
// each thread tells of so many visits at a time, of places that it comes to often.
constexpr std::uint32_t told_together = 32;
struct Untold {
  const Entry* entry = nullptr;
  std::uint32_t visits = 0;
};
thread_local std::array<Untold, 256> untold;

// Of this visit and those before it that nobody was told of; 0: later.
std::uint32_t visits_to_tell(const Entry& entry, bool together) {
  if (!together) return 1;
  Untold& mine = untold[reinterpret_cast<std::uintptr_t>(&entry) / sizeof(Entry) % untold.size()];
  if (mine.entry != &entry) {
    // Places that take turns here would never come to so many.
    mine = {&entry, 0};
    return 1;
  }
  if (++mine.visits < told_together) return 0;
  mine.visits = 0;
  return told_together;
}

}  // namespace

Watched* Warp::watched() const { return cta_.watched == nullptr ? nullptr : cta_.watched + index_; }

// Runs the current path in native code, if there is some where it stands.
Left Warp::run_native(NativeKernel& native) {
  Path& path = current();
  // Others go first after this block.
  if (rival_ <= path.block) return Left::refused;
  const PathKind paths = native.paths_of(path.mask, lanes_);
  const NativeKernel::Visitor visitor{path.frame->rows, path.mask, rival_, paths};
  const NativeKernel::Place place{path.frame->function_index, path.block, path.step};
  Entry& entry = native.entry(place.function, place.block, place.step);
  NativeCode code = entry.of(paths).load(std::memory_order_acquire);
  if (code == nullptr) {
    if (cta_.visit_counts == 0) return Left::refused;
    const std::uint32_t news =
        cta_.visit_counts * visits_to_tell(entry, native.unasked != 0 && context_.memory->concurrent);
    if (news == 0) return Left::refused;
    const std::uint32_t before = entry.visits.load(std::memory_order_relaxed), visits = before + news;
    entry.visits.store(visits, std::memory_order_relaxed);
    const std::uint32_t last = visits & ~native.unasked;
    if (before >= last) return Left::refused;
    code = native.visited(place, entry, last, visitor);
    if (code == nullptr) return Left::refused;
  }
  MemoryPort& port = *context_.memory;
  context_.rows = path.frame->rows;
  Member self{.rows = path.frame->rows,
              .warp = &context_,
              .local = local_.host,
              .streak = path.streak,
              .watched = watched()};
  Passage passage = passage_through(port);
  passage.member = &self;
  passage.end = &self + 1;
  passage.mask = path.mask;
  passage.rival = rival_;
  passage.floor = floor_;
  passage.budget = *budget_;
  passage.certificate = path.certificate;
  const Left left = code(passage);
  if (left == Left::refused) {
    native.refused(place, entry, visitor);
    return left;
  }
  add(cta_, passage);
  *budget_ = passage.budget;
  leave_native(self, left, passage);
  if (left == Left::apart) {
    // As if they had just been picked, and had run to where they are.
    pick();
    begin_streak();
  }
  return left;
}

// What native code says of the current path.
void Warp::leave_native(const Member& self, Left left, const Passage& passage) {
  for (std::uint32_t i = 0; left == Left::apart && i < passage.places; ++i) {
    const Waiting& waiting = passage.waiting[i];
    if (waiting.lanes == 0) continue;
    Path& others = split(current(), waiting.lanes);
    others.block = waiting.block;
    others.step = 0;
    others.streak = waiting.streak;
    current().mask &= ~waiting.lanes;
  }
  Path& path = current();
  path.block = self.at.block;
  path.step = self.at.step;
  path.certificate = self.at.certificate;
  path.streak = self.streak;
  if (left == Left::at_barrier) arrive(self.at.barrier);
  if (left == Left::ended) exit_lanes(path.mask);
}

// The current path has come to a barrier of all threads, its last step.
void Warp::arrive(std::uint32_t barrier) {
  const Path& path = current();
  const kernel::Function& function = *path.frame->function;
  cta_.barriers->arrive(context_, function.steps[function.blocks[path.block].first + path.step - 1],
                        {.lanes = path.mask, .name = barrier, .threads = context_.cta_threads});
}

void Warp::go_on(const Member& self, Left left, const Passage& passage) {
  current_ = 0;
  by_hand_ = left == Left::at_step || left == Left::apart;
  leave_native(self, left, passage);
}

std::optional<Stand> Warp::whole() const {
  const Path& path = paths_[0];
  if (path_count_ != 1 || path.mask != lanes_ || path.frame != entry_ || by_hand_ || interrupted_ ||
      path.met || path.gave_up)
    return std::nullopt;
  Stand at{.block = path.block, .step = path.step, .certificate = path.certificate, .left = Left::at_block};
  if (path.ready()) return at;
  if (path.state != Path::State::barrier || path.arrival.op != BarrierOp::sync ||
      path.arrival.name == cluster_barrier || path.arrival.threads != context_.cta_threads)
    return std::nullopt;
  at.left = Left::at_barrier;
  at.barrier = static_cast<std::uint8_t>(path.arrival.name);
  return at;
}

Member Warp::member(MemoryPort& port) {
  context(port).rows = entry_->rows;
  paths_[0].state = Path::State::ready;
  return {.rows = entry_->rows,
          .warp = &context_,
          .local = local_.host,
          .streak = paths_[0].streak,
          .watched = watched()};
}

}  // namespace wedjat::exec
