#include "emulator/sched/races/conduct.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace wedjat::sched {

namespace {

constexpr std::uint32_t longest_penalty = 1024;
// Longer launches are not tried on one thread: it could take long.
constexpr double brief_seconds = 0.1;

void look_at(const kernel::Kernel& kernel, Conduct& conduct) {
  using namespace kernel;
  bool reads_textures = false, uses_surfaces = false, writes_surfaces = false, allocates = false;
  for (const Function& function : kernel.functions)
    for (const Step& step : function.steps) {
      if (step.flags & step_flag::system) {
        const auto op = static_cast<SystemOp>(step.flags >> 8);
        allocates |= op == SystemOp::Malloc || op == SystemOp::Free;
      }
      for (unsigned i = 0; step.form != nullptr && i < step.form->operands; ++i) {
        const std::string_view names = step.form->operand[i].format;
        reads_textures |= names == "texture";
        uses_surfaces |= names == "surface";
        writes_surfaces |= names == "surface" &&
                           (step.form->effects & (effect::writes_memory | effect::updates_memory)) != 0;
      }
    }
  conduct.alone = allocates || (reads_textures && writes_surfaces);
  conduct.has_texels = reads_textures || uses_surfaces;
}

}  // namespace

bool Patience::tries() {
  if (wait_ == 0) return true;
  --wait_;
  return false;
}

void Patience::ended(bool well) {
  penalty_ = well ? 0 : std::clamp(2 * penalty_, 1u, longest_penalty);
  wait_ = penalty_;
}

void Conduct::learn(bool raced, bool abandoned, bool missed_reads) {
  every_read |= missed_reads;
  if (!missed_reads) together_.ended(!raced && !abandoned);
}

bool Conduct::is_faster_alone(unsigned threads) const {
  // To try it takes so many times as long at worst.
  if (each_alone_ == 0) return last_ < brief_seconds && since_ > 0 && 2 * since_ >= threads * last_;
  const bool faster = each_alone_ < each_together_;
  const double other = std::max(each_alone_, each_together_) * static_cast<double>(steps_);
  const bool asks = since_ >= patience_ * other && (faster || last_ < brief_seconds);
  return asks != faster;
}

void Conduct::took(bool on_one, double seconds, std::uint64_t steps) {
  if (steps == 0) return;
  const bool was_faster = each_alone_ != 0 && each_alone_ < each_together_;
  (on_one ? each_alone_ : each_together_) = seconds / static_cast<double>(steps);
  const bool is_faster = each_alone_ != 0 && each_alone_ < each_together_;
  last_ = seconds;
  steps_ = steps;
  since_ = on_one == was_faster ? since_ + seconds : 0;
  if (is_faster != was_faster)
    patience_ = least_patience;
  else if (since_ == 0)
    patience_ = std::min(4 * patience_, most_patience);
}

Conduct& conduct_of(const kernel::Kernel& kernel) {
  static std::mutex mutex;
  static std::unordered_map<std::uint64_t, Conduct> all;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = all.try_emplace(kernel.number);
  if (is_new) {
    look_at(kernel, place->second);
    place->second.updates.emplace(kernel);
  }
  return place->second;
}

}  // namespace wedjat::sched
