// Memory that other processes reach too: a file that lies in memory alone, and mapped here. Another process
// of the same user opens it through this one's descriptor, so nothing is left behind when processes end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "interposer/live/state/failure.h"

namespace wedjat::live {

class SharedPages {
 public:
  /// Where another process finds them; it may come as bytes from anywhere.
  struct Name {
    std::uint64_t magic = 0;
    std::int32_t process = 0, descriptor = -1;
    std::uint64_t file = 0, size = 0;
    bool is_one() const;  // that name() gave, at some time
  };

  /// Zeroed. Null if the host has no room, or no descriptors left.
  static std::shared_ptr<SharedPages> make(std::uint64_t size);
  /// Null if that process or its pages are gone, or nothing was ever called so.
  static std::shared_ptr<SharedPages> find(const Name& name);
  /// Null if the descriptor, which stays the caller's, is of anything else.
  static std::shared_ptr<SharedPages> of_descriptor(int descriptor);

  ~SharedPages();
  SharedPages(const SharedPages&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t file() const { return file_; }  // no other pages of this machine have it
  Name name() const;
  /// One more descriptor of them, the caller's; -1 if there are none left.
  int descriptor() const;

 private:
  // Takes the descriptor.
  static std::shared_ptr<SharedPages> of(int descriptor);
  SharedPages(int descriptor, std::byte* data, std::uint64_t size, std::uint64_t file)
      : descriptor_(descriptor), data_(data), size_(size), file_(file) {}

  int descriptor_;
  std::byte* data_;
  std::uint64_t size_, file_;
};

/// Of the descriptor that a program was given, which comes as a pointer. Fails as the driver does.
std::shared_ptr<SharedPages> pages_of(const void* descriptor, CUmemAllocationHandleType type);

}  // namespace wedjat::live
