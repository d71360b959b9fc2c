#include "emulator/compile/tier/tier.h"

#include <sched.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "emulator/compile/tier/kernel_code.h"
#include "emulator/compile/tier/library.h"
#include "emulator/exec/cta/launch.h"
#include "emulator/exec/warp/probe.h"

namespace wedjat::compile {

namespace {

unsigned processors_of_process() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return std::thread::hardware_concurrency();
  return static_cast<unsigned>(CPU_COUNT(&set));
}

class Background final : public Orders {
 public:
  ~Background() override { stop(); }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    const std::lock_guard only_one(joining_);
    if (thread_.joinable()) thread_.join();
  }

  void place(std::shared_ptr<KernelCode> kernel, std::uint64_t key) override {
    std::unique_lock lock(mutex_);
    if (over_) return;
    // A launch that has the only one gains nothing from code that is made beside it: while both take turns,
    // it interprets what the code would run in a part of the time.
    if (processors_ == 1) {
      lock.unlock();
      return kernel->make(key);
    }
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
    orders_.emplace_back(std::move(kernel), key);
    wake_.notify_one();
  }

  unsigned processors() const override { return processors_; }

 private:
  void serve() {
    // Of the same priority as the launch: on a processor that is busy, code would otherwise come so late that
    // most of what it was made for is interpreted by then.
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return over_ || !orders_.empty(); });
      if (over_) return made_.clear();
      const auto [kernel, key] = std::move(orders_.front());
      orders_.pop_front();
      lock.unlock();
      kernel->make(key);
      made_.insert(kernel);
      lock.lock();
      if (orders_.empty()) {
        lock.unlock();
        for (const auto& each : made_) each->keep();
        made_.clear();
        lock.lock();
      }
    }
  }

  std::mutex mutex_, joining_;
  std::condition_variable wake_;
  std::deque<std::pair<std::shared_ptr<KernelCode>, std::uint64_t>> orders_;
  std::set<std::shared_ptr<KernelCode>> made_;  // of the thread: not kept yet
  std::thread thread_;
  const unsigned processors_ = processors_of_process();
  bool over_ = false;
};

}  // namespace

struct Tier::State {
  explicit State(const TierOptions& given)
      : options(given), library(given.features, given.tell), kept_tried(given.cache.empty()) {
    if (!given.cache.empty()) cache.emplace(given.cache, given.cache_bytes, given.tell);
  }

  // Kernels that nobody but their code holds were unloaded.
  void forget_unused() {
    for (auto first = kernels.begin(); first != kernels.end();) {
      std::set<const KernelCode*> codes;
      auto last = first;
      for (; last != kernels.end() && std::get<0>(last->first) == std::get<0>(first->first); ++last)
        codes.insert(last->second.get());
      const bool unused = static_cast<std::size_t>(first->second->kernel().use_count()) == codes.size();
      first = unused ? kernels.erase(first, last) : last;
    }
  }

  /// Number of the kernel and size of the block.
  using Key = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  Keeping* keeping() {
    if (!kept_tried) {
      kept_tried = true;
      Maker maker = maker_of(Library::path(), options.features, options.leave);
      if (!maker.program.empty() && !maker.compiler.empty()) kept.emplace(Keeping{*cache, std::move(maker)});
    }
    return kept ? &*kept : nullptr;
  }

  const TierOptions options;
  Library library;
  std::optional<CodeCache> cache;
  std::optional<Keeping> kept;
  bool kept_tried;  // what is kept was looked for, or is not to be
  Journal journal;
  std::mutex mutex;
  std::map<Key, std::shared_ptr<KernelCode>> kernels;
  Background background;
};

Tier::Tier(const TierOptions& options) : state_(std::make_unique<State>(options)) {}
Tier::~Tier() = default;

std::shared_ptr<exec::NativeKernel> Tier::code_for(const exec::Launch& launch) {
  const std::lock_guard lock(state_->mutex);
  const exec::Dim3& block = launch.block;
  const auto [place, is_new] =
      state_->kernels.try_emplace(State::Key{launch.kernel.number, block.x, block.y, block.z});
  if (!is_new) return place->second;
  std::shared_ptr<const kernel::Kernel> kernel = launch.kernel.weak_from_this().lock();
  if (!kernel) {
    state_->kernels.erase(place);
    return nullptr;
  }
  std::shared_ptr<const exec::Probes> probes;
  if (launch.observer != nullptr) probes = launch.observer->probes();
  if (probes != nullptr && !probes->refused.empty()) {
    state_->journal.failed(kernel->name, probes->refused);
    state_->kernels.erase(place);
    return nullptr;
  }
  const Geometry geometry = geometry_of(launch);
  // Blocks of other sizes may look the same.
  for (auto known = state_->kernels.lower_bound({launch.kernel.number, 0, 0, 0});
       known != state_->kernels.end() && std::get<0>(known->first) == launch.kernel.number; ++known)
    if (known != place && known->second->geometry() == geometry) return place->second = known->second;
  auto code =
      std::make_shared<KernelCode>(std::move(kernel), geometry, state_->options, state_->library,
                                   state_->background, state_->journal, state_->keeping(), std::move(probes));
  place->second = code;
  state_->forget_unused();
  return code;
}

void Tier::stop() {
  state_->background.stop();
  keep();
}

void Tier::keep() {
  const std::lock_guard lock(state_->mutex);
  for (const auto& [key, kernel] : state_->kernels) kernel->keep();
}

std::vector<KernelReport> Tier::reports() const { return state_->journal.reports(); }

std::string Tier::missing() { return state_->library.why(); }

}  // namespace wedjat::compile
