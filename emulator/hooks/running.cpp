#include "emulator/hooks/running.h"

#include <cstring>

#include "emulator/exec/warp.h"
#include "emulator/hooks/client.h"

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
  if (!exec::reach_slowly(*context->warp, step, space_of(space), address, address, bytes, found))
    return nullptr;
  return reinterpret_cast<std::byte*>(found.base + address + lane * found.stride);
}

}  // namespace

void RunningLaunch::begins(exec::CtaState& cta) {
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
  for (Client* client : cta_listeners_) client->cta(launch_, cta.index, false);
}

void RunningLaunch::ends(exec::CtaState& cta) {
  for (Client* client : cta_listeners_) client->cta(launch_, cta.index, true);
}

void RunningLaunch::add_counts(std::size_t tool, std::vector<std::uint64_t>& to) const {
  const std::uint32_t first = code_.first_counter[tool], end = code_.first_counter[tool + 1];
  for (const CtaWatch& slot : slots_)
    for (std::uint32_t i = first; i < end; ++i) to[i - first] += slot.counts[i];
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

}  // namespace wedjat::hooks
