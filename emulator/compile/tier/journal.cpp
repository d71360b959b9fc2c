#include "emulator/compile/tier/journal.h"

#include "emulator/compile/analysis/region.h"

namespace wedjat::compile {

namespace {

// The instruction without its guard and operands.
std::string opcode(const std::string& text) {
  std::size_t from = 0;
  if (text.starts_with('@')) from = std::min(text.find(' '), text.size() - 1) + 1;
  return text.substr(from, text.find_first_of(" ;", from) - from);
}

}  // namespace

void Journal::met(const kernel::Kernel& kernel, const exec::Probes* probes) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = reports_.try_emplace(kernel.name);
  if (!is_new && probes == nullptr) return;
  place->second.kernel = kernel.name;
  for (const kernel::Function& function : kernel.functions)
    for (const kernel::Step& step : function.steps) {
      if (!needs_loop(step, probes) || step.id >= kernel.origins.size()) continue;
      std::string where = opcode(kernel.origins[step.id].text);
      if (exec::is_probe(step)) where += " (" + probes->of(step).by_hand + ")";
      place->second.left_at.insert(std::move(where));
    }
}

void Journal::made(const std::string& kernel, double seconds) {
  const std::lock_guard lock(mutex_);
  ++reports_[kernel].pieces;
  reports_[kernel].seconds += seconds;
}

void Journal::found(const std::string& kernel, std::size_t pieces) {
  const std::lock_guard lock(mutex_);
  reports_[kernel].kept += static_cast<unsigned>(pieces);
}

void Journal::failed(const std::string& kernel, const std::string& why) {
  const std::lock_guard lock(mutex_);
  reports_[kernel].kernel = kernel;
  reports_[kernel].failures.insert(why);
}

std::vector<KernelReport> Journal::reports() const {
  const std::lock_guard lock(mutex_);
  std::vector<KernelReport> all;
  for (const auto& [kernel, report] : reports_) all.push_back(report);
  return all;
}

}  // namespace wedjat::compile
