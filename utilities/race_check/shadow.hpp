// Who touched which word of memory last.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "clocks.hpp"

namespace race_check {

struct Access {  // small: there are four of them a word
  Actor actor = nobody;
  std::uint32_t clock = 0, epoch = 0;
  std::uint32_t site = 0;    // index of the instruction in RaceCheck::sites
  std::uint16_t launch = 0;  // its index, modulo 2^16
  std::uint8_t lane = 0;
  std::uint8_t bytes : 4 = 0;  // of the word: one bit each
  std::uint8_t scope : 4 = 0;  // wedjat_access.scope if it is strong, else 0
  bool exists() const { return actor != nobody; }
};
static_assert(sizeof(Access) == 24);

struct Word {
  Access write, strong_write, read, read2;  // a strong write does not hide the plain one before it
};

/// Words by number (address / 4), in pages made when they are touched.
class Shadow {
 public:
  Word& operator[](std::uint64_t word) {
    const std::uint64_t number = word / words;
    if (number != last_number_) {
      auto& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[word % words];
  }
  void clear() {
    pages_.clear();
    last_number_ = ~std::uint64_t{0};
  }

 private:
  static constexpr std::uint64_t words = 256;
  using Page = std::array<Word, words>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
};

}  // namespace race_check
