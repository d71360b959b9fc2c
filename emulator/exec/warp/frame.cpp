#include "emulator/exec/warp/frame.h"

#include <algorithm>

namespace wedjat::exec {

std::pair<Frame*, bool> FramePool::take(std::uint32_t function) {
  if (auto& free = free_[function]; !free.empty()) {
    Frame* frame = free.back();
    free.pop_back();
    return {frame, false};
  }
  const kernel::Function& code = kernel_.functions[function];
  const std::uint64_t bytes = std::max<std::uint64_t>(64, code.frame_bytes);
  if (held_ + bytes > limit) return {nullptr, false};
  if (!frames_.empty()) hold(bytes + sizeof(Frame));
  if (bytes > left_) {
    // The first chunk holds the entry alone; later ones grow with the depth of calls.
    const std::uint64_t size =
        frames_.empty() ? bytes : std::max<std::uint64_t>(bytes, std::min<std::uint64_t>(total_, 4u << 20));
    chunks_.emplace_back(size);
    next_ = chunks_.back().data();
    left_ = size;
    total_ += size;
  }
  auto frame = std::make_unique<Frame>();
  frame->rows = next_;
  frame->function = &code;
  frame->function_index = function;
  next_ += bytes;
  left_ -= bytes;
  frames_.push_back(std::move(frame));
  return {frames_.back().get(), true};
}

void FramePool::shrink() {
  if (own_ < many) return;
  for (auto& free : free_) free.clear();
  hold(0 - own_);
  frames_.resize(1);
  chunks_.resize(1);
  total_ = chunks_.front().size();
  next_ = nullptr;
  left_ = 0;
}

}  // namespace wedjat::exec
