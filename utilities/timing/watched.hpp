// A tool that learns of each launch what the model needs: blocks and accesses of all warps.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <wedjat/tool.hpp>

#include "watcher.hpp"

namespace timing {

class Watched : public wedjat::Tool {
 public:
  Watched();
  ~Watched() override;
  void kernel(const wedjat_kernel& k) override;
  bool launch_begin(const wedjat_launch& launch) override;
  void cta_end(const wedjat_launch& launch, std::uint64_t number) override;
  void memory(const wedjat_memory& m) override;
  void call(const wedjat_call& c) override;

 protected:
  /// In launch_end, once. The watcher sees all warps of all SMs; without one the `most` SMs are carried out
  /// that have most to do. `is_warm`: as if the kernel had been launched before.
  Prediction predict(const wedjat_launch& launch, std::size_t most, Watcher* watcher, bool is_warm = false);
  /// Instructions without a measured time, once for each in the text of the kernels.
  [[nodiscard]] std::uint64_t unmeasured() const;

 private:
  // The model, and with it all that was measured, is compiled once, and not with each tool.
  struct Running;
  struct State;

  std::uint32_t fetch_of(const wedjat_launch& launch);
  Running& running(const wedjat::Event& event);
  void on_block(const wedjat::Event& event);
  void on_access(const wedjat::Event& event);
  void on_division(const wedjat::Event& event);

  std::unique_ptr<State> state_;
};

}  // namespace timing
