// Images in memory, ready to be called.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "emulator/compile/image/image.h"

namespace wedjat::compile {

/// Stays as long as this does, without moving.
class PlacedCode {
 public:
  /// What a word of an image's table has to be.
  using Resolve = std::function<std::uint64_t(const Image&, const Link&)>;

  /// Several images at once take less time than one after the other. Throws std::runtime_error.
  PlacedCode(std::span<const Image* const> images, const Resolve& resolve);
  ~PlacedCode();
  PlacedCode(const PlacedCode&) = delete;
  PlacedCode& operator=(const PlacedCode&) = delete;

  /// Where image `number` begins to run, as a function.
  template <class Function>
  Function* entry(std::size_t number) const {
    return reinterpret_cast<Function*>(entries_[number]);
  }

 private:
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::byte*> entries_;
  std::vector<std::byte*> frames_;
};

}  // namespace wedjat::compile
