// A set of bytes of an address space, kept as bits by page: what a kernel reads, what it writes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>

namespace wedjat::traces {

class ByteSet {
 public:
  static constexpr std::uint64_t page = 4096;

  void add(std::uint64_t address, std::uint64_t bytes) {
    change(address, bytes, true, [](std::uint64_t& word, std::uint64_t mask) { word |= mask; });
  }
  void remove(std::uint64_t address, std::uint64_t bytes) {
    change(address, bytes, false, [](std::uint64_t& word, std::uint64_t mask) { word &= ~mask; });
  }
  bool contains(std::uint64_t address) const {
    const auto found = pages_.find(address / page);
    return found != pages_.end() && (found->second[address % page / 64] >> address % 64 & 1) != 0;
  }
  bool empty() const {
    for (const auto& [number, bits] : pages_)
      for (const std::uint64_t word : bits)
        if (word != 0) return false;
    return true;
  }

  // Calls visit(address, bytes) for each run of bytes without a gap, in ascending order.
  template <class Visit>
  void each_run(Visit visit) const {
    std::uint64_t begin = 0, end = 0;  // of the run so far; none if they are the same
    for (const auto& [number, bits] : pages_) {
      for (std::size_t w = 0; w < bits.size(); ++w) {
        std::uint64_t word = bits[w];
        const std::uint64_t first = number * page + w * 64;
        while (word != 0) {
          const auto skipped = static_cast<unsigned>(std::countr_zero(word));
          const auto count = static_cast<unsigned>(std::countr_one(word >> skipped));
          if (begin != end && end != first + skipped) {
            visit(begin, end - begin);
            begin = first + skipped;
          } else if (begin == end) {
            begin = first + skipped;
          }
          end = first + skipped + count;
          word = skipped + count == 64 ? 0 : word & ~std::uint64_t{0} << (skipped + count);
        }
      }
    }
    if (begin != end) visit(begin, end - begin);
  }

 private:
  using Bits = std::array<std::uint64_t, page / 64>;

  template <class Change>
  void change(std::uint64_t address, std::uint64_t bytes, bool create, Change change) {
    while (bytes != 0) {
      const std::uint64_t in_word = address % 64, here = bytes < 64 - in_word ? bytes : 64 - in_word;
      const std::uint64_t mask = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << in_word;
      if (Bits* const bits = page_of(address / page, create)) change((*bits)[address % page / 64], mask);
      address += here;
      bytes -= here;
    }
  }
  // Neighbours come together: the page of the last change is remembered.
  Bits* page_of(std::uint64_t number, bool create) {
    if (last_ != nullptr && last_number_ == number) return last_;
    const auto found = pages_.find(number);
    if (found == pages_.end() && !create) return nullptr;
    last_ = found == pages_.end() ? &pages_[number] : &found->second;
    last_number_ = number;
    return last_;
  }

  std::map<std::uint64_t, Bits> pages_;
  Bits* last_ = nullptr;  // nodes of a map stay where they are
  std::uint64_t last_number_ = 0;
};

}  // namespace wedjat::traces
