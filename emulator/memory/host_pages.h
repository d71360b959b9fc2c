// Zeroed host memory that costs nothing until it is touched.
#pragma once
#include <cstddef>
#include <utility>

namespace wedjat::memory {

class HostPages {
 public:
  static constexpr std::size_t alignment = 64;

  HostPages() = default;
  /// At least `size` bytes, all zero, aligned to `alignment`. Throws std::bad_alloc.
  explicit HostPages(std::size_t size);
  ~HostPages();
  HostPages(HostPages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HostPages& operator=(HostPages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  /// All zero again: at once, or when it is touched again.
  void clear();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  bool mapped() const;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace wedjat::memory
