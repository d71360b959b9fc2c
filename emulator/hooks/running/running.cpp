#include "emulator/hooks/running/running.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "emulator/exec/warp/warp.h"
#include "emulator/hooks/clients/client.h"

namespace wedjat::hooks {
static_assert(WEDJAT_SHARED_WINDOW == memory::shared_window.base &&
              WEDJAT_SHARED_WINDOW_BYTES == memory::shared_window.size &&
              WEDJAT_SHARED_STRIDE == memory::shared_stride &&
              WEDJAT_SHARED_RESERVED == memory::shared_reserved &&
              WEDJAT_HEAP_WINDOW == memory::heap_window.base &&
              WEDJAT_HEAP_WINDOW_BYTES == memory::heap_window.size &&
              WEDJAT_LOCAL_WINDOW == memory::local_window.base &&
              WEDJAT_LOCAL_WINDOW_BYTES == memory::local_window.size);

namespace {

kernel::Space space_of(wedjat_space space) {
  switch (space) {
    case WEDJAT_GLOBAL:
      return kernel::Space::Global;
    case WEDJAT_SHARED:
      return kernel::Space::Shared;
    case WEDJAT_SHARED_CLUSTER:
      return kernel::Space::SharedCluster;
    case WEDJAT_LOCAL:
      return kernel::Space::Local;
    case WEDJAT_CONST:
      return kernel::Space::Const;
    case WEDJAT_PARAM:
      return kernel::Space::Param;
    case WEDJAT_SPACE_NONE:
    case WEDJAT_GENERIC:
      break;
  }
  return kernel::Space::Generic;
}

std::byte* reach(wedjat_context* context, std::uint32_t lane, wedjat_space space, std::uint64_t address,
                 std::size_t bytes) {
  if (context == nullptr || lane >= 32 || bytes == 0) return nullptr;
  kernel::Step none{};  // names instruction 0 for the translation cache: its entry is a hint, always checked
  exec::Reach found;
  const kernel::Step& step = context->step != nullptr ? *context->step : none;
  if (!exec::reach_slowly(*context->warp, step, space_of(space), address, address, bytes, exec::Use::read,
                          found))
    return nullptr;
  return reinterpret_cast<std::byte*>(found.base + address + lane * found.stride);
}

std::atomic<std::uint64_t> launches = 0;

}  // namespace

RunningLaunch::RunningLaunch(const Instrumented& code, const wedjat_launch& launch,
                             std::span<const Watcher> watchers)
    : code_(code), launch_(launch), watchers_(watchers), number_(++launches) {
  if (code.expected_sites == 0) return;
  for (std::size_t t = 0; t < watchers.size(); ++t) expectations_.emplace_back(code.expected_sites);
  nothing_ = Expectation(code.expected_sites);
}

void RunningLaunch::begins(exec::CtaState& cta) {
  thread();
  if (cta.observed == nullptr) {
    const std::lock_guard lock(mutex_);
    CtaWatch& slot = slots_.emplace_back();
    slot.launch = this;
    slot.code = &code_;
    slot.counts.resize(code_.counters);
    slot.saved.resize(std::size_t{code_.saved_bytes} * ((cta.launch->block.count() + 31) / 32));
    cta.observed = &slot;
  }
  auto& slot = *static_cast<CtaWatch*>(cta.observed);
  slot.event.size = sizeof slot.event;
  slot.event.launch = &launch_;
  slot.event.cta = cta.index;
  const std::uint32_t xyz[] = {cta.ctaid.x, cta.ctaid.y, cta.ctaid.z};
  std::memcpy(slot.event.cta_xyz, xyz, sizeof xyz);
  slot.within.assign(code_.native->ranges, {});
  slot.watched.assign((cta.launch->block.count() + 31) / 32, {});
  for (std::size_t t = 0; t < watchers_.size(); ++t) begin_for(t, slot, cta);
  std::uint64_t number = cta.index * slot.watched.size();
  for (exec::Watched& warp : slot.watched) {
    warp.number = number++;
    expect_in(slot, warp);
    std::vector<std::uint64_t>& cells = slot.cells[warp.off];
    cells.resize(code_.native->cells);
    warp.cells = cells.data();
    warp.within = slot.within.data();
  }
  cta.watched = slot.watched.data();
}

void RunningLaunch::expect_in(CtaWatch& slot, exec::Watched& warp) {
  if (expectations_.empty()) return;
  std::vector<Expected*>& expected = slot.expected[warp.off];
  for (std::size_t t = expected.size(); t < expectations_.size(); ++t)
    expected.push_back(&(warp.off >> t & 1 ? nothing_ : expectations_[t]).state());
  warp.expected = expected.data();
}

void RunningLaunch::enter_thread() {
  const std::lock_guard lock(mutex_);
  thread_here = {number_, threads_++};
}

std::uint32_t current_thread() { return thread_here.index; }

void RunningLaunch::begin_for(std::size_t tool, CtaWatch& slot, const exec::CtaState& cta) {
  const auto& [client, filter, asked, watches] = watchers_[tool];
  if (!watches) return;
  const std::uint64_t bit = std::uint64_t{1} << tool;
  const bool listens = client->wants_ctas();
  const bool chosen = filter->holds_cta(cta.index) && (!listens || client->cta_begin(launch_, cta.index));
  const auto threads = static_cast<std::uint32_t>(cta.launch->block.count());
  for (std::uint32_t warp = 0; warp < slot.watched.size(); ++warp) {
    const std::uint32_t lanes = std::min(32u, threads - 32 * warp);
    if (!chosen || !filter->holds_warp(warp) ||
        (client->wants_warps() && !client->warp_begin(launch_, cta.index, warp, lanes)))
      slot.watched[warp].off |= bit;
  }
}

void RunningLaunch::warp_ends(exec::CtaState& cta, std::uint32_t warp) {
  const auto& slot = *static_cast<const CtaWatch*>(cta.observed);
  thread();
  for (std::size_t t = 0; t < watchers_.size(); ++t)
    if (watchers_[t].watches && watchers_[t].client->wants_warps() && !(slot.watched[warp].off >> t & 1))
      watchers_[t].client->warp_end(launch_, cta.index, warp);
}

bool RunningLaunch::watches_warps() const {
  return std::ranges::any_of(
      watchers_, [](const Watcher& watcher) { return watcher.watches && watcher.client->wants_warps(); });
}

void RunningLaunch::ends(exec::CtaState& cta) {
  thread();
  for (const auto& [client, filter, asked, watches] : watchers_)
    if (watches && client->wants_ctas() && filter->holds_cta(cta.index)) client->cta_end(launch_, cta.index);
}

void RunningLaunch::allocates(std::uint64_t address, std::uint64_t bytes) {
  const std::string label = std::string("malloc() in kernel ") + launch_.kernel->name;
  tell({sizeof(wedjat_memory), WEDJAT_HEAP_ALLOCATED, address, bytes, label.c_str()});
}

void RunningLaunch::frees(std::uint64_t address) {
  tell({sizeof(wedjat_memory), WEDJAT_HEAP_FREED, address, 0, ""});
}

void RunningLaunch::tell(const wedjat_memory& memory) {
  const std::lock_guard lock(mutex_);
  for (const Watcher& watcher : watchers_)
    if (watcher.watches) watcher.client->memory(memory);
}

void RunningLaunch::add_counts(std::size_t tool, std::vector<std::uint64_t>& to) const {
  const std::uint32_t first = code_.first_counter[tool], end = code_.first_counter[tool + 1];
  for (const CtaWatch& slot : slots_) {
    for (std::uint32_t i = first; i < end; ++i) to[i - first] += slot.counts[i];
    for (const auto& [off, counted] : slot.cells)
      for (const CellMeaning& cell : code_.cells)
        if (cell.tool == tool && !(off >> tool & 1))
          to[cell.counter - first] += counted[cell.cell] * cell.weight;
  }
}

int sleep_warp(wedjat_context* context, int asleep) {
  if (context == nullptr || context->asleep == nullptr) return -1;
  const std::uint64_t bit = std::uint64_t{1} << context->tool;
  *context->asleep = asleep != 0 ? *context->asleep | bit : *context->asleep & ~bit;
  return 0;
}

int name_within(wedjat_context* context, std::uint64_t low, std::uint64_t bytes) {
  if (context == nullptr || context->cta == nullptr || context->probe == nullptr) return -1;
  std::vector<exec::Within>& within = context->cta->within;
  if (bytes == 0) {
    within.assign(within.size(), {});
    return 0;
  }
  if (context->probe->range >= within.size()) return 0;  // it is told anyway
  const std::uint32_t each = context->probe->at->accesses[0].bytes;
  within[context->probe->range] = {low, bytes < each ? 0 : bytes - each + 1};
  return 0;
}

int run_original(wedjat_context* context) {
  if (context == nullptr || context->step == nullptr || context->mask == 0) return -1;
  const kernel::Form& form = *context->step->form;
  (context->mask == exec::all_lanes ? form.full : form.masked)(*context->warp, *context->step, context->mask);
  return 0;
}

int read_memory(wedjat_context* context, std::uint32_t lane, wedjat_space space, std::uint64_t address,
                void* to, std::size_t bytes) {
  const std::byte* from = reach(context, lane, space, address, bytes);
  if (from == nullptr) return -1;
  std::memcpy(to, from, bytes);
  return 0;
}

int write_memory(wedjat_context* context, std::uint32_t lane, wedjat_space space, std::uint64_t address,
                 const void* from, std::size_t bytes) {
  if (context == nullptr || !context->may_write) return -1;
  std::byte* to = reach(context, lane, space, address, bytes);
  if (to == nullptr) return -1;
  std::memcpy(to, from, bytes);
  return 0;
}

namespace {

// Where the register lies in the frame of the running function; no_register if it does not.
std::uint32_t row_of(const wedjat_context* context, std::uint32_t index) {
  if (context == nullptr || context->code == nullptr) return kernel::no_register;
  const wedjat_kernel& inspected = *context->code->inspected;
  if (index >= inspected.register_count || inspected.registers[index].function != context->function)
    return kernel::no_register;
  const kernel::Function& function = context->code->kernel->functions[context->function];
  const std::uint32_t element = index - context->code->first_register[context->function];
  return element < function.register_rows.size() ? function.register_rows[element] : kernel::no_register;
}

}  // namespace

const void* register_row(wedjat_context* context, std::uint32_t index) {
  const std::uint32_t row = row_of(context, index);
  return row == kernel::no_register ? nullptr : context->warp->rows + row;
}

int write_register(wedjat_context* context, std::uint32_t index, std::uint32_t lane, const void* from) {
  const std::uint32_t row = row_of(context, index);
  if (row == kernel::no_register || lane >= 32 || !context->may_write) return -1;
  const kernel::Function& function = context->code->kernel->functions[context->function];
  if (function.register_fixed[index - context->code->first_register[context->function]]) return -1;
  const unsigned bits = context->code->inspected->registers[index].bits;
  std::byte* const to = context->warp->rows + row;
  if (bits != 1) {
    std::memcpy(to + std::size_t{bits / 8} * lane, from, bits / 8);
    return 0;
  }
  std::uint32_t mask;
  std::memcpy(&mask, to, sizeof mask);
  const bool value = *static_cast<const std::uint8_t*>(from) != 0;
  mask = value ? mask | 1u << lane : mask & ~(1u << lane);
  std::memcpy(to, &mask, sizeof mask);
  return 0;
}

}  // namespace wedjat::hooks
