#include "emulator/exec/warp/frame.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace wedjat::exec {

namespace {

// Rows of first frames, for the next launch of their kernel on this thread: a short one would spend much of
// its time filling in constants.
struct KeptRows {
  std::uint64_t kernel;  ///< Kernel::number
  memory::HostPages rows;
};
constexpr std::size_t most_kept = 64, most_kept_bytes = 128 << 10;
thread_local bool rows_over = false;  // the thread ends

std::vector<KeptRows>& kept_rows() {
  struct All {
    std::vector<KeptRows> rows;
    ~All() { rows_over = true; }
  };
  static thread_local All all;
  return all.rows;
}

// Empty: there are none.
memory::HostPages recall_rows(std::uint64_t kernel) {
  if (rows_over) return {};
  std::vector<KeptRows>& all = kept_rows();
  const auto last = std::ranges::find(all.rbegin(), all.rend(), kernel, &KeptRows::kernel);
  if (last == all.rend()) return {};
  memory::HostPages rows = std::move(last->rows);
  all.erase(std::next(last).base());
  return rows;
}

}  // namespace

FramePool::~FramePool() {
  const std::size_t bytes = first_rows_.size();
  // Kernels made by hand have no number.
  if (rows_over || kernel_.number == 0 || bytes == 0 || bytes > most_kept_bytes) return;
  std::vector<KeptRows>& all = kept_rows();
  if (all.size() == most_kept) all.erase(all.begin());
  all.push_back({kernel_.number, std::move(first_rows_)});
}

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
    first_rows_ = recall_rows(kernel_.number);
    holds_constants_ = first_rows_.size() != 0;
    if (!holds_constants_) first_rows_ = memory::HostPages(bytes);
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
