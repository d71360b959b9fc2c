#include "emulator/exec/warp/frame.h"

#include <algorithm>

namespace wedjat::exec {

Frame& FramePool::make(Frame& frame, std::uint32_t function, std::byte* rows) const {
  frame.rows = rows;
  frame.function = &kernel_.functions[function];
  frame.function_index = function;
  return frame;
}

std::pair<Frame*, bool> FramePool::take(std::uint32_t function) {
  if (!free_.empty() && !free_[function].empty()) {
    Frame* frame = free_[function].back();
    free_[function].pop_back();
    return {frame, false};
  }
  const std::uint64_t bytes = std::max<std::uint64_t>(64, kernel_.functions[function].frame_bytes);
  if (held_ + bytes > limit) return {nullptr, false};
  if (first_.rows == nullptr) {
    first_rows_ = memory::HostPages(bytes);
    total_ = bytes;
    return {&make(first_, function, first_rows_.data()), true};
  }
  hold(bytes + sizeof(Frame));
  if (bytes > left_) {
    // Chunks grow with the depth of calls.
    const std::uint64_t size = std::max<std::uint64_t>(bytes, std::min<std::uint64_t>(total_, 4u << 20));
    chunks_.emplace_back(size);
    next_ = chunks_.back().data();
    left_ = size;
    total_ += size;
  }
  frames_.push_back(std::make_unique<Frame>());
  Frame& frame = make(*frames_.back(), function, next_);
  next_ += bytes;
  left_ -= bytes;
  return {&frame, true};
}

void FramePool::shrink() {
  if (own_ < many) return;
  free_.clear();
  hold(0 - own_);
  frames_.clear();
  chunks_.clear();
  total_ = first_rows_.size();
  next_ = nullptr;
  left_ = 0;
}

}  // namespace wedjat::exec
