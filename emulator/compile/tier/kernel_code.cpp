#include "emulator/compile/tier/kernel_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "emulator/compile/analysis/ways.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::compile {

namespace {

// Which visits of a place ask whether code is worth its making: of so many one, and earlier powers of two.
constexpr std::uint32_t asked_each = 1024, asked_seldom = 16384;
// It is when every step of it has run so often on average: what the interpreter spent on them is then about
// what their code takes to make. To make any code takes as long as to make that of so many steps, and
// entering code as long as to interpret some.
constexpr std::uint64_t worth_runs = 32768, making_any = 16, least_steps = 8;
// Of long pieces each step takes longer: of so many twice as long.
constexpr double making_doubles = 256;
// Accesses to memory and branches take longer to make: of so many steps more; and to begin to make any takes
// as long as so many. That counts where a launch waits for it, and it has to gain so many times that.
constexpr std::uint64_t access_steps = 4, branch_steps = 8;
constexpr double opening = 50, surely = 2.5;
// More threads than these are not disturbed by one that makes code.
constexpr unsigned few_processors = 8;
// To come to a barrier takes the loop as long as so many steps, and so does a warp's beginning: code of whole
// warps needs no loop there.
constexpr std::uint64_t barrier_steps = 12, beginning_steps = 12;
// Where warps meet at barriers, a place without code makes all of them leave what runs them together.
constexpr std::uint64_t least_steps_between_barriers = 2;
// Rows are looked at several times before that: what holds for one visitor need not hold for others.
constexpr double looked_at_from = 0.25;
// Of one piece: what takes some tenths of a second.
constexpr std::size_t most_steps_made = 600;
// Refusals before what the rows hold is looked at again, and how often that is done.
constexpr std::uint32_t too_many = 16;
constexpr unsigned most_made = 4;
// Steps of a function: what is found out about longer ones would take too long. And places of a kernel.
constexpr std::size_t most_steps = 20'000, most_places = 256;
// Of all pieces of a kernel, where code is made before it runs: what takes some ten seconds. Otherwise making
// takes no longer than the interpreter did.
constexpr std::size_t most_steps_before = 30'000;

bool differs_by_lane(kernel::SpecialRegister which) {
  return (kernel::special_periods[static_cast<std::size_t>(which)] & 2) != 0;
}

// Paths of all lanes leave it where they arrive at a barrier, without the loop.
bool comes_to_barrier(const kernel::Function& function, const Node& node) {
  const kernel::Block& here = function.blocks[node.block];
  return node.first != node.last && node.last != here.count &&
         function.steps[here.first + node.last].flags == kernel::step_flag::barrier;
}

bool has_barriers(const kernel::Function& function) {
  return std::ranges::any_of(
      function.steps, [](const kernel::Step& step) { return step.flags == kernel::step_flag::barrier; });
}

bool accesses_memory(const kernel::Step& step) {
  namespace effect = kernel::effect;
  return step.form != nullptr &&
         (step.form->effects & (effect::reads_memory | effect::writes_memory | effect::updates_memory)) != 0;
}

}  // namespace

std::uint64_t order_key(exec::NativeKernel::Place place, exec::PathKind paths) {
  return (std::uint64_t{place.function} << 48 | std::uint64_t{place.block} << 24 | place.step) << 2 |
         static_cast<std::uint64_t>(paths);
}

KernelCode::KernelCode(std::shared_ptr<const kernel::Kernel> kernel, const Geometry& geometry,
                       const TierOptions& options, Library& library, Orders& orders, Journal& journal,
                       Keeping* keeping, std::shared_ptr<const exec::Probes> probes)
    : exec::NativeKernel(*kernel, options.when == When::hot ? asked_each : 1, geometry.lanes, geometry.rest),
      kernel_(std::move(kernel)),
      probes_(std::move(probes)),
      geometry_(geometry),
      options_(options),
      library_(library),
      orders_(orders),
      journal_(journal),
      keeping_(keeping) {
  journal_.met(*kernel_, probes_.get());
  take_kept();
}

KernelCode::~KernelCode() { keep(); }

const Liveness& KernelCode::liveness(std::uint32_t function) {
  std::unique_ptr<Liveness>& known = liveness_[function];
  if (!known) {
    known = std::make_unique<Liveness>(kernel_->functions[function], probes_.get());
    bytes_[function] = row_bytes(kernel_->functions[function], *known);
  }
  return *known;
}

// What rows hold when the function begins, where that is sure.
std::map<std::uint32_t, Shape> KernelCode::fills(std::uint32_t number, exec::PathKind paths) const {
  std::map<std::uint32_t, Shape> shapes;
  using Source = kernel::RowFill::Source;
  const std::map<std::uint64_t, Shape>& special = paths == exec::PathKind::whole  ? geometry_.full
                                                  : paths == exec::PathKind::rest ? geometry_.of_rest
                                                                                  : geometry_.any;
  for (const kernel::RowFill& fill : kernel_->functions[number].fills) {
    if (fill.element_bytes > 8) continue;
    switch (fill.source) {
      case Source::Constant:
      case Source::Initial: {
        if (fill.element_bytes == 0) {
          const auto bits = static_cast<std::uint32_t>(fill.value);
          if (bits != 0 && bits != 0xffffffffu) break;
          shapes[fill.row] = Shape::of(bits == 0 ? 0 : ~std::uint64_t{0});
        } else {
          shapes[fill.row] = truncated(Shape::of(fill.value), 8u * fill.element_bytes);
        }
        break;
      }
      case Source::Parameter:
      case Source::ParameterAddress:
      case Source::Shared:
        shapes[fill.row] = Shape::uniform();
        break;
      case Source::Special:
        if (!differs_by_lane(static_cast<kernel::SpecialRegister>(fill.value))) {
          shapes[fill.row] = Shape::uniform();
        } else if (const auto known = special.find(fill.value);
                   known != special.end() && known->second.is_affine() &&
                   (fill.element_bytes >= 4 || known->second.is_uniform())) {
          shapes[fill.row] = truncated(known->second, 8u * fill.element_bytes);
        }
        break;
      case Source::Local:
      case Source::LocalGeneric:
        // The frame of the kernel itself is the first in every lane's memory.
        if (number == 0) shapes[fill.row] = Shape::uniform();
        break;
    }
  }
  return shapes;
}

// What the rows hold that are live at the place, and which path has to run first: what holds for all that
// were looked at.
void KernelCode::look(Wanted& wanted, const Visitor& visitor) {
  const bool first = wanted.live.empty();
  if (first) {
    const std::uint32_t function = wanted.place.function;
    const Liveness& live = liveness(function);
    live.through(wanted.place.block)[wanted.place.step].for_each([&](std::uint32_t row) {
      const std::uint8_t bytes = bytes_[function][row];
      if (bytes != untracked) wanted.live.emplace_back(live.offset(row), bytes);
    });
  }
  wanted.rival = std::min(wanted.rival, visitor.rival);
  for (const auto& [offset, bytes] : wanted.live) {
    Shape& shape = wanted.entry_shapes[offset];
    const Shape now = observed(visitor.rows + offset, bytes, visitor.mask, geometry_.width);
    shape = join(shape, now);
  }
}

// Its code may take warp after warp from beginning to end.
bool KernelCode::begins_kernel(const Wanted& wanted) {
  const Place& at = wanted.place;
  return at.function == 0 && at.block == 0 && at.step == 0 && wanted.paths == exec::PathKind::whole;
}

exec::NativeCode KernelCode::code_of(const Wanted& wanted) {
  return wanted.code().load(std::memory_order_acquire);
}

// How far code for a place goes: to where other paths are that have to run first, and to places that have
// code already.
Bounds KernelCode::bounds_of(const Wanted& wanted) const {
  Bounds bounds{.most_steps = most_steps_made, .leave = options_.leave, .probes = probes_.get()};
  if (!wanted.full()) bounds.until = wanted.rival;
  for (const auto& [key, other] : wanted_)
    if (other.paths == wanted.paths && code_of(other) != nullptr && other.number < wanted.number &&
        other.place.function == wanted.place.function && other.place.step == 0)
      bounds.stops.insert(other.place.block);
  // Parted lanes are taken through by code of whole warps, and of paths that are alone.
  if (bounds.until == Bounds{}.until)
    keep_ways_whole(kernel_->functions[wanted.place.function], wanted.place.block, wanted.place.step, bounds);
  return bounds;
}

// What its code would have done so far, and what making it takes, both in steps of the interpreter.
KernelCode::Worth KernelCode::worth_of(const Wanted& wanted) {
  const kernel::Function& function = kernel_->functions[wanted.place.function];
  const Region region = region_from(function, wanted.place.block, wanted.place.step, bounds_of(wanted));
  std::uint64_t steps = 0, harder = 0, saved = 0, runs = 0;
  bool loops = false, all = true;
  for (const Node& node : region.nodes) {
    all &= !node.outside && node.last == function.blocks[node.block].count;
    if (node.outside) continue;
    const std::uint64_t count = node.last - node.first + 1;
    steps += count;
    harder += node.next.size() > 1 ? branch_steps : 0;
    for (std::uint32_t i = node.first; i < node.last; ++i)
      harder += accesses_memory(function.steps[function.blocks[node.block].first + i]) ? access_steps : 0;
    for (const std::uint32_t next : node.next) loops |= region.nodes[next].block <= node.block;
    const bool arrives = wanted.full() && comes_to_barrier(function, node);
    saved += count + (arrives ? barrier_steps : 0);
    runs += (count + (arrives ? barrier_steps : 0)) *
            entry(wanted.place.function, node.block, node.first).visits.load(std::memory_order_relaxed);
  }
  const bool sweeps = all && begins_kernel(wanted);
  if (sweeps) {
    saved += beginning_steps;
    runs += beginning_steps * entry(0, 0, 0).visits.load(std::memory_order_relaxed);
  }
  const bool meets = wanted.full() && has_barriers(function);
  if (!loops && saved < (meets ? least_steps_between_barriers : least_steps)) return {};
  const auto weigh = [&](std::uint64_t number) {
    const auto all_steps = static_cast<double>(number);
    return (all_steps + making_any) * (1 + all_steps / making_doubles) * worth_runs;
  };
  const double first = library_.is_open() ? 0 : opening * worth_runs;
  return {.done = static_cast<double>(runs),
          .making = weigh(steps),
          .waiting = weigh(steps + harder) * (sweeps ? 2 : 1) + first};
}

// A launch that has all processors waits for the code, or shares them with who makes it, and has to gain that
// back from what it has left: a kernel that ends soon after its code was made would take up to twice as long
// with it. Among many threads one more does not count.
bool KernelCode::is_worth(const Wanted& wanted, const Worth& worth) const {
  const unsigned threads = std::max(1u, course.threads());
  if (orders_.processors() > std::min(threads, few_processors)) return worth.reaches(1);
  const double sure = has_barriers(kernel_->functions[wanted.place.function]) ? 1.25 * surely : surely;
  return worth.reaches(1) && worth.done * course.to_come() >= threads * sure * worth.waiting;
}

exec::NativeCode KernelCode::visited(Place place, exec::Entry& entry, std::uint32_t visits,
                                     const Visitor& visitor) {
  // To look at the rows takes as long as to run some hundred steps.
  if (options_.when == When::hot && visits % asked_seldom != 0 && !std::has_single_bit(visits))
    return nullptr;
  const kernel::Function& function = kernel_->functions[place.function];
  if (function.steps.size() > most_steps) {
    journal_.failed(kernel_->name, fmt::format("{} has more than {} steps", function.name, most_steps));
    return nullptr;
  }
  const exec::PathKind paths = visitor.paths;
  const std::uint64_t key = order_key(place, paths);
  {
    std::unique_lock lock(mutex_);
    const auto [known, is_new] = wanted_.try_emplace(key);
    Wanted& wanted = known->second;
    if (is_new) {
      wanted.place = place;
      wanted.entry = &entry;
      wanted.paths = paths;
      wanted.number = wanted_.size();
    }
    if (options_.when == When::always) made_.wait(lock, [&] { return !wanted.ordered; });
    if (wanted.ordered || wanted.made != 0) return code_of(wanted);
    const bool hot = options_.when == When::hot;
    if (places_ == most_places || (!hot && steps_made_ > most_steps_before)) {
      journal_.failed(kernel_->name, places_ == most_places
                                         ? fmt::format("more than {} places", most_places)
                                         : fmt::format("more than {} steps of code", most_steps_before));
      ++wanted.made;  // nobody is to look at its rows again
      return nullptr;
    }
    if (wanted.live.empty()) wanted.rival = visitor.rival;
    const Worth worth = hot ? worth_of(wanted) : Worth{};
    if (hot && !worth.reaches(looked_at_from)) return nullptr;
    look(wanted, visitor);
    if (hot && !is_worth(wanted, worth)) return nullptr;
    ++places_;
    wanted.ordered = true;
  }
  return order(key);
}

// Code that begins elsewhere runs these blocks from now on: only who comes to them without it counts.
void KernelCode::count_anew(const Request& request) {
  for (const Node& node : region_from(request.code(), request.block, request.step, request.bounds).nodes)
    if (!node.outside)
      entry(request.function, node.block, node.first).visits.store(0, std::memory_order_relaxed);
}

exec::NativeCode KernelCode::order(std::uint64_t key) {
  if (options_.when == When::hot) {
    orders_.place(shared_from_this(), key);
    return nullptr;
  }
  make(key);
  const std::lock_guard lock(mutex_);
  return code_of(wanted_.at(key));
}

void KernelCode::refused(Place place, exec::Entry& entry, const Visitor& visitor) {
  const std::uint32_t refusals = entry.refusals.load(std::memory_order_relaxed) + 1;
  entry.refusals.store(refusals, std::memory_order_relaxed);
  if (options_.when == When::hot && refusals % too_many != 0) return;
  const exec::PathKind paths = visitor.paths;
  const std::uint64_t key = order_key(place, paths);
  {
    const std::lock_guard lock(mutex_);
    Wanted& wanted = wanted_[key];
    if (wanted.ordered) return;
    look(wanted, visitor);
    if (wanted.made >= most_made)
      for (auto& [row, shape] : wanted.entry_shapes) shape = Shape::vector();
    wanted.ordered = true;
  }
  order(key);
}

exec::NativeCode KernelCode::compile(const Request& request, const Liveness& live) {
  try {
    double seconds = 0;
    std::optional<Image> image = library_.compile(request, live, seconds);
    if (!image) return nullptr;
    journal_.made(kernel_->name, seconds);
    return place_and_note({.place = {request.function, request.block, request.step},
                           .paths = request.paths,
                           .sweep = request.sweep,
                           .rival = request.bounds.until,
                           .entry = request.entry,
                           .image = std::move(*image)});
  } catch (const std::exception& error) {
    // The interpreter does it: that is only slower.
    journal_.failed(kernel_->name, error.what());
    library_.tell(
        fmt::format("kernel {}, block {}: no native code: {}", kernel_->name, request.block, error.what()));
    return nullptr;
  }
}

void KernelCode::make(std::uint64_t key) {
  std::unique_lock lock(mutex_);
  Wanted& wanted = wanted_.at(key);
  if (options_.when == When::hot && wanted.made == 0 && !worth_of(wanted).reaches(1)) {
    // What was made while the order waited runs it.
    wanted.ordered = false;
    --places_;
    return;
  }
  const Liveness& live = liveness(wanted.place.function);
  Request request{.kernel = *kernel_,
                  .function = wanted.place.function,
                  .block = wanted.place.block,
                  .step = wanted.place.step,
                  .paths = wanted.paths,
                  .lanes = wanted.paths == exec::PathKind::rest ? geometry_.rest : geometry_.lanes,
                  .width = geometry_.width,
                  .fills = fills(wanted.place.function, wanted.paths),
                  .entry = wanted.entry_shapes,
                  .host = library_.host(),
                  .bounds = {.most_steps = most_steps_made, .leave = options_.leave, .probes = probes_.get()},
                  .sweep = begins_kernel(wanted) && !sweep_tried_};
  const Bounds bounds = bounds_of(wanted);
  lock.unlock();
  exec::NativeCode code = nullptr;
  if (request.sweep) {
    sweep_tried_ = true;
    code = compile(request, live);
    sweep.store(reinterpret_cast<exec::SweepCode>(code), std::memory_order_release);
    request.sweep = false;
  }
  // Warps that are swept do not come to the place; if others do, they ask again.
  const bool enough = code != nullptr && options_.when == When::hot;
  if (!enough) {
    request.bounds = bounds;
    code = compile(request, live);
  }
  lock.lock();
  for (const Node& node : region_from(request.code(), request.block, request.step, request.bounds).nodes)
    steps_made_ += node.outside ? 0 : node.last - node.first + 1;
  if (code != nullptr) {
    count_anew(request);
    has_any.store(true, std::memory_order_release);
  }
  if (!enough) {
    wanted.code().store(code, std::memory_order_release);
    ++wanted.made;
  }
  wanted.ordered = false;
  made_.notify_all();
}

}  // namespace wedjat::compile
