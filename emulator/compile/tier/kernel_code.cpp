#include "emulator/compile/tier/kernel_code.h"

#include <fmt/format.h>

#include <chrono>

#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::compile {

namespace {

// Visits of a place before code is made for it: what runs less often costs less than its code.
constexpr std::uint32_t hot = 8192;
// Refusals before what the rows hold is looked at again, and how often that is done.
constexpr std::uint32_t too_many = 16;
constexpr unsigned most_made = 4;
// Steps of a function: what is found out about longer ones would take too long. And places of a kernel.
constexpr std::size_t most_steps = 20'000, most_places = 256;

bool differs_by_lane(kernel::SpecialRegister which) {
  return (kernel::special_periods[static_cast<std::size_t>(which)] & 2) != 0;
}

std::uint64_t key_of(exec::NativeKernel::Place place, bool full) {
  return (std::uint64_t{place.function} << 48 | std::uint64_t{place.block} << 24 | place.step) << 1 |
         (full ? 1 : 0);
}

}  // namespace

KernelCode::KernelCode(std::shared_ptr<const kernel::Kernel> kernel, const Geometry& geometry,
                       const TierOptions& options, Library& library, Orders& orders, Journal& journal)
    : exec::NativeKernel(*kernel),
      kernel_(std::move(kernel)),
      geometry_(geometry),
      options_(options),
      library_(library),
      orders_(orders),
      journal_(journal) {
  journal_.met(*kernel_);
}

const Liveness& KernelCode::liveness(std::uint32_t function) {
  std::unique_ptr<Liveness>& known = liveness_[function];
  if (!known) {
    known = std::make_unique<Liveness>(kernel_->functions[function]);
    bytes_[function] = row_bytes(kernel_->functions[function], *known);
  }
  return *known;
}

// What rows hold when the function begins, where that is sure.
std::map<std::uint32_t, Shape> KernelCode::fills(std::uint32_t number, bool full) const {
  std::map<std::uint32_t, Shape> shapes;
  using Source = kernel::RowFill::Source;
  const std::map<std::uint64_t, Shape>& special = full ? geometry_.full : geometry_.any;
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

// Of the rows that are live at the place.
std::map<std::uint32_t, Shape> KernelCode::seen(Place place, const std::byte* rows, std::uint32_t mask) {
  const Liveness& live = liveness(place.function);
  std::map<std::uint32_t, Shape> shapes;
  live.through(place.block)[place.step].for_each([&](std::uint32_t row) {
    const std::uint32_t offset = live.offset(row);
    const std::uint8_t bytes = bytes_[place.function][row];
    if (bytes != untracked) shapes[offset] = observed(rows + offset, bytes, mask, geometry_.width);
  });
  return shapes;
}

exec::NativeCode KernelCode::visited(Place place, exec::Entry& entry, std::uint32_t visits,
                                     const std::byte* rows, std::uint32_t mask) {
  if (options_.when == When::hot && visits % hot != 0) return nullptr;
  const kernel::Function& function = kernel_->functions[place.function];
  if (function.steps.size() > most_steps) {
    journal_.failed(kernel_->name, fmt::format("{} has more than {} steps", function.name, most_steps));
    return nullptr;
  }
  const bool full = mask == exec::all_lanes;
  const std::uint64_t key = key_of(place, full);
  {
    const std::lock_guard lock(mutex_);
    if (wanted_.size() >= most_places && wanted_.count(key) == 0) {
      journal_.failed(kernel_->name, fmt::format("more than {} places", most_places));
      return nullptr;
    }
    Wanted& wanted = wanted_[key];
    if (wanted.ordered || wanted.made != 0) return nullptr;
    wanted.place = place;
    wanted.entry = &entry;
    wanted.full = full;
    wanted.entry_shapes = seen(place, rows, mask);
    wanted.ordered = true;
  }
  return order(key);
}

exec::NativeCode KernelCode::order(std::uint64_t key) {
  if (options_.when == When::hot) {
    orders_.place(shared_from_this(), key);
    return nullptr;
  }
  make(key);
  const std::lock_guard lock(mutex_);
  const Wanted& wanted = wanted_.at(key);
  return (wanted.full ? wanted.entry->full : wanted.entry->masked).load(std::memory_order_acquire);
}

void KernelCode::refused(Place place, exec::Entry& entry, const std::byte* rows, std::uint32_t mask) {
  const std::uint32_t refusals = entry.refusals.load(std::memory_order_relaxed) + 1;
  entry.refusals.store(refusals, std::memory_order_relaxed);
  if (options_.when == When::hot && refusals % too_many != 0) return;
  const bool full = mask == exec::all_lanes;
  const std::uint64_t key = key_of(place, full);
  {
    const std::lock_guard lock(mutex_);
    Wanted& wanted = wanted_[key];
    if (wanted.ordered) return;
    const std::map<std::uint32_t, Shape> now = seen(place, rows, mask);
    for (auto& [row, shape] : wanted.entry_shapes)
      shape = wanted.made < most_made ? join(shape, now.at(row)) : Shape::vector();
    wanted.ordered = true;
  }
  order(key);
}

void KernelCode::make(std::uint64_t key) {
  std::unique_lock lock(mutex_);
  Wanted& wanted = wanted_.at(key);
  const Liveness& live = liveness(wanted.place.function);
  const Request request{.kernel = *kernel_,
                        .function = wanted.place.function,
                        .block = wanted.place.block,
                        .step = wanted.place.step,
                        .full = wanted.full,
                        .width = geometry_.width,
                        .fills = fills(wanted.place.function, wanted.full),
                        .entry = wanted.entry_shapes,
                        .host = library_.host(),
                        .leave = options_.leave};
  lock.unlock();
  exec::NativeCode code = nullptr;
  const auto began = std::chrono::steady_clock::now();
  try {
    code = library_.compile(request, live);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    if (code != nullptr) journal_.made(kernel_->name, spent.count());
  } catch (const std::exception& error) {
    // The interpreter does it: that is only slower.
    journal_.failed(kernel_->name, error.what());
    library_.tell(
        fmt::format("kernel {}, block {}: no native code: {}", kernel_->name, request.block, error.what()));
  }
  lock.lock();
  (wanted.full ? wanted.entry->full : wanted.entry->masked).store(code, std::memory_order_release);
  ++wanted.made;
  wanted.ordered = false;
}

}  // namespace wedjat::compile
