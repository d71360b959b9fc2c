#include "traces/extract/capture.h"

#include <algorithm>

namespace wedjat::traces {

Capture::Capture(std::function<bool(std::uint64_t, const std::string&)> wanted, bool hardware,
                 std::function<void(Bundle&&)> caught)
    : wanted_(std::move(wanted)), caught_(std::move(caught)), hardware_(hardware) {
  log_.begin = [this](const wedjat_launch& launch) { return begin(launch); };
  log_.end = [this](const wedjat_launch& launch) { end(launch); };
  log_.changed = [this](std::uint64_t address, std::uint64_t bytes) { unknown_.remove(address, bytes); };
}

void Capture::watch(ReplayOptions& options, hooks::Hooks& hooks, const Trace& trace) {
  for (const Event& event : trace.events) processes_[event.sequence] = event.process;
  for (const Call& call : group_calls(trace).calls)
    if (call.base == "cuCtxSetLimit" && call.succeeded() && call.entry->number("limit") < limit_names.size())
      limits_.push_back(
          {call.sequence(), limit_names[call.entry->number("limit")], call.entry->number("value")});
  attach(hooks);
  options.hooks = &hooks;
  memory_limit_ = options.memory_limit;
  contract_none_ = options.contract == kernel::Contract::none;
  options.launching = [this](const Launching& launching) { announce(launching); };
  options.checked = [this](const Checked& checked) {
    if (bundle_ && checked.difference.same() && is_of_this_process(checked.sequence)) learn(checked, {});
  };
  options.differs = [this](const Checked& checked, std::span<const std::byte> expected,
                           std::span<const std::byte>) {
    if (bundle_ && is_of_this_process(checked.sequence)) learn(checked, expected);
  };
}

bool Capture::is_same_process(std::uint64_t sequence, std::uint64_t other) const {
  const auto a = processes_.find(sequence), b = processes_.find(other);
  return a != processes_.end() && b != processes_.end() && a->second == b->second;
}

bool Capture::is_of_this_process(std::uint64_t sequence) const {
  return is_same_process(sequence, bundle_->origin.sequence);
}

bool Capture::begin(const wedjat_launch& launch) {
  number_ = launches_++;
  if (!wanted_(number_, launching_->kernel)) return bundle_.has_value();
  finish();
  before_.emplace(*launching_, launch, log_.allocations, memory_limit_);
  return true;
}

void Capture::end(const wedjat_launch& launch) {
  if (before_) {
    if (launch.failure == nullptr) take();
    before_.reset();
  } else if (bundle_) {
    log_.touched.written.each_run(
        [&](std::uint64_t address, std::uint64_t bytes) { unknown_.remove(address, bytes); });
  }
}

void Capture::take() {
  device_ = &launching_->device;
  Bundle bundle = before_->bundle(*device_, log_.touched);
  bundle.origin.launch = number_;
  for (const auto& [sequence, name, value] : limits_)
    if (sequence < bundle.origin.sequence && is_same_process(sequence, bundle.origin.sequence))
      bundle.limits[std::string(name)] = value;
  for (auto& source : bundle.sources)
    if (contract_none_) source.contract = kernel::Contract::none;
  if (!hardware_) return caught_(std::move(bundle));
  bundle_.emplace(std::move(bundle));
  unknown_ = {};
  known_.clear();
  for (const Run& run : bundle_->expected) unknown_.add(run.address, run.bytes);
}

// A copy of rows of bytes that do not lie side by side names the first address alone.
void Capture::learn(const Checked& checked, std::span<const std::byte> hardware) {
  const std::string& call = checked.call;
  const bool plain = call.starts_with("cuMemcpyDtoH") || call.starts_with("memory after");
  if (!plain || checked.addresses != 0) return;
  const std::uint64_t begin = checked.address, end = checked.address + checked.difference.bytes;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
  unknown_.each_run([&](std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t first = std::max(address, begin), last = std::min(address + bytes, end);
    if (first < last) runs.emplace_back(first, last - first);
  });
  for (const auto& [address, bytes] : runs) {
    std::vector<std::byte> contents(bytes);
    if (hardware.empty())
      device_->read(address, contents);
    else
      std::ranges::copy(hardware.subspan(address - begin, bytes), contents.begin());
    known_[address] = std::move(contents);
    unknown_.remove(address, bytes);
  }
  if (unknown_.empty()) finish();
}

void Capture::finish() {
  if (!bundle_) return;
  if (!known_.empty()) {
    bundle_->hardware.emplace();
    for (const auto& [address, contents] : known_) add_contents(*bundle_->hardware, address, contents);
  }
  caught_(std::move(*bundle_));
  bundle_.reset();
}

}  // namespace wedjat::traces
