// Frames of one warp: the rows of a function while lanes of the warp are in it.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/exec/access/context.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/memory/host_pages.h"

namespace wedjat::exec {

struct Frame {
  std::byte* rows = nullptr;
  const kernel::Function* function = nullptr;
  std::uint32_t function_index = 0;
  std::uint32_t depth = 0;
  std::uint32_t lanes = 0;  ///< that are in it or in what it called
  Frame* caller = nullptr;
  const kernel::Terminator* call = nullptr;    ///< of the caller's block: where its results go
  alignas(64) std::uint32_t local_base[32]{};  ///< of the function's local frame, by lane
};

/// Frames come and go in any order (lanes return apart), so each function keeps a list of free ones. A reused
/// frame still holds its constant rows: they are filled when a frame is made, once per warp slot and launch.
class FramePool {
 public:
  /// `held`: bytes that the frames of the CTA's warps hold.
  FramePool(const kernel::Kernel& kernel, std::uint64_t& held) : kernel_(kernel), held_(held) {}
  ~FramePool();
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  /// A frame of the function and whether its rows are fresh; null if the frames passed what one CTA may hold.
  std::pair<Frame*, bool> take(std::uint32_t function);
  /// The first frame was that of a warp of an earlier launch: rows of constants hold them.
  bool holds_constants() const { return holds_constants_; }
  /// Forgets all frames but the first, if they are many: deep calls of one CTA are no burden to the next.
  void shrink();
  void give_back(Frame* frame) {
    free_.resize(kernel_.functions.size());
    free_[frame->function_index].push_back(frame);
  }

 private:
  Frame& make(Frame& frame, std::uint32_t function, std::byte* rows) const;
  void hold(std::uint64_t more) { held_ += more, own_ += more; }

  static constexpr std::uint64_t limit = 512u << 20;  ///< bytes of one CTA, besides the frames of its entry
  static constexpr std::uint64_t many = 1u << 20;     ///< bytes of one warp

  const kernel::Kernel& kernel_;
  std::uint64_t& held_;
  // Most kernels call nothing: the first frame needs none of what others do.
  Frame first_;
  memory::HostPages first_rows_;
  bool holds_constants_ = false;
  std::vector<std::vector<Frame*>> free_;  // by function; empty until one is given back
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<memory::HostPages> chunks_;
  std::byte* next_ = nullptr;
  std::uint64_t left_ = 0, total_ = 0;  ///< of the last chunk; of all
  std::uint64_t own_ = 0;               ///< of `held_`
};

}  // namespace wedjat::exec
