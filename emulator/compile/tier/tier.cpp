#include "emulator/compile/tier/tier.h"

#include <condition_variable>
#include <deque>
#include <thread>

#include "emulator/compile/tier/kernel_code.h"
#include "emulator/compile/tier/library.h"
#include "emulator/exec/cta/launch.h"

namespace wedjat::compile {

namespace {

// Lanes stand side by side in rows of a block so wide, if they do so in every warp of it.
unsigned width_of(const exec::Dim3& block) {
  const bool divides = block.x == 4 || block.x == 8 || block.x == 16;
  return divides && block.y * block.z > 1 ? block.x : 32;
}

class Background final : public Orders {
 public:
  ~Background() override {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void place(std::shared_ptr<KernelCode> kernel, std::uint64_t key) override {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
    orders_.emplace_back(std::move(kernel), key);
    wake_.notify_one();
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return over_ || !orders_.empty(); });
      if (over_) return;
      const auto [kernel, key] = std::move(orders_.front());
      orders_.pop_front();
      lock.unlock();
      kernel->make(key);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<std::shared_ptr<KernelCode>, std::uint64_t>> orders_;
  std::thread thread_;
  bool over_ = false;
};

}  // namespace

struct Tier::State {
  explicit State(const TierOptions& given) : options(given), library(given.features, given.tell) {}

  // Kernels that nobody but this holds were unloaded.
  void forget_unused() {
    std::erase_if(kernels, [](const auto& known) {
      return known.second.use_count() == 1 && known.second->kernel().use_count() == 1;
    });
  }

  const TierOptions options;
  Library library;
  std::mutex mutex;
  std::map<std::pair<std::uint64_t, unsigned>, std::shared_ptr<KernelCode>> kernels;
  Background background;
};

Tier::Tier(const TierOptions& options) : state_(std::make_unique<State>(options)) {}
Tier::~Tier() = default;

std::shared_ptr<exec::NativeKernel> Tier::code_for(const exec::Launch& launch) {
  const unsigned width = width_of(launch.block);
  const std::lock_guard lock(state_->mutex);
  const auto [place, is_new] = state_->kernels.try_emplace({launch.kernel.number, width});
  if (!is_new) return place->second;
  std::shared_ptr<const kernel::Kernel> kernel = launch.kernel.weak_from_this().lock();
  if (!kernel) {
    state_->kernels.erase(place);
    return nullptr;
  }
  auto code = std::make_shared<KernelCode>(std::move(kernel), width, state_->options, state_->library,
                                           state_->background);
  place->second = code;
  state_->forget_unused();
  return code;
}

std::string Tier::missing() { return state_->library.why(); }

}  // namespace wedjat::compile
