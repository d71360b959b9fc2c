#include "emulator/exec/access/update_algebra.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/exec/access/fault.h"

namespace wedjat::exec {

namespace {

using kernel::OperandKind;
using kernel::Space;

// Numbers at which operations on words differ, and some without a pattern.
constexpr std::array<std::uint64_t, 16> samples = {0,
                                                   1,
                                                   2,
                                                   3,
                                                   0x7fffffff,
                                                   0x80000000,
                                                   0xffffffff,
                                                   0x5bd1e995,
                                                   0x12345678,
                                                   0xdeadbeef,
                                                   0x80000001,
                                                   0xfffffffe,
                                                   0x7fffffffffffffff,
                                                   0x8000000000000000,
                                                   ~0ull,
                                                   0x9e3779b97f4a7c15};

}  // namespace

UpdateRunner::UpdateRunner(const kernel::Kernel& kernel, const kernel::Function& function,
                           const kernel::Step& step)
    : step_(&step), steps_(kernel.origins.size()), row_bytes_(function.frame_bytes) {}

std::optional<UpdateRunner> UpdateRunner::of(const kernel::Kernel& kernel, const kernel::Function& function,
                                             const kernel::Step& step) {
  if (step.form == nullptr || (step.form->effects & kernel::effect::updates_memory) == 0) return std::nullopt;
  UpdateRunner runner(kernel, function, step);
  unsigned addresses = 0, values = 0, element = 0;
  for (unsigned i = 0; i < step.form->operands; element += step.form->operand[i++].count) {
    const kernel::OperandSpec& spec = step.form->operand[i];
    if (spec.kind == OperandKind::Address) {
      if (spec.space != Space::Global && spec.space != Space::Generic) return std::nullopt;
      ++addresses;
      runner.address_ = step.row[element];
    } else if (spec.in && addresses == 1 && !spec.optional) {
      if (spec.count != 1 || spec.parts != 1 || (spec.bits != 32 && spec.bits != 64)) return std::nullopt;
      ++values;
      runner.value_ = step.row[element];
      runner.bytes_ = spec.bits / 8u;
    }
  }
  if (addresses != 1 || values != 1) return std::nullopt;
  return runner;
}

void UpdateRunner::apply(std::byte* memory, const std::byte* values, std::size_t count) const {
  MemoryPort port;
  port.cache.resize(steps_);
  port.concurrent = true;
  const memory::HostPages rows(row_bytes_);
  // Its addresses are those of the host: the allocation that the step reached last says so.
  const auto base = reinterpret_cast<std::uint64_t>(memory);
  port.cache[step_->id].extent = {base, count * bytes_, memory};
  WarpContext context;
  context.rows = rows.data();
  context.memory = &port;
  auto* const address = reinterpret_cast<std::uint64_t*>(rows.data() + address_);
  for (std::size_t done = 0; done < count; done += lanes) {
    const std::size_t here = std::min<std::size_t>(lanes, count - done);
    for (std::size_t lane = 0; lane < here; ++lane) address[lane] = base + (done + lane) * bytes_;
    std::memcpy(rows.data() + value_, values + done * bytes_, here * bytes_);
    step_->masked(context, *step_, all_lanes >> (lanes - here));
  }
}

namespace {

UpdateAlgebra tried(const UpdateRunner& runner) {
  using Words = std::array<std::byte, samples.size() * 8>;
  const unsigned bytes = runner.element_bytes();
  const auto fill = [&](auto value_at) {
    Words words{};
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::uint64_t value = value_at(i);
      std::memcpy(words.data() + i * bytes, &value, bytes);
    }
    return words;
  };
  const auto updated = [&](Words words, const Words& by) {
    alignas(64) Words at = words;
    runner.apply(at.data(), by.data(), samples.size());
    return at;
  };
  UpdateAlgebra algebra{.commutes = true, .neutral = std::nullopt};
  const Words all = fill([](std::size_t i) { return samples[i]; });
  for (std::size_t turn = 0; turn < samples.size() && algebra.commutes; ++turn) {
    const Words by = fill([&](std::size_t i) { return samples[(i + turn) % samples.size()]; });
    for (const std::uint64_t old : samples) {
      const Words from = fill([&](std::size_t) { return old; });
      algebra.commutes =
          algebra.commutes && updated(updated(from, all), by) == updated(updated(from, by), all);
    }
  }
  const std::uint64_t top = std::uint64_t{1} << (8 * bytes - 1);
  for (const std::uint64_t candidate : {std::uint64_t{0}, ~std::uint64_t{0}, top, top - 1})
    if (const Words none = fill([&](std::size_t) { return candidate; });
        !algebra.neutral && updated(none, all) == all && updated(all, none) == all)
      algebra.neutral = candidate;
  return algebra;
}

}  // namespace

UpdateAlgebra algebra_of(const UpdateRunner& runner) {
  try {
    return tried(runner);
  } catch (const Fault&) {
    // What refuses some values, as an mbarrier does, is no operation on words.
    return {.commutes = false, .neutral = std::nullopt};
  }
}

}  // namespace wedjat::exec
