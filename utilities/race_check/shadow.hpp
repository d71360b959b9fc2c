// Who touched which bytes of memory last.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace race_check {

inline constexpr unsigned page_cells = 256;

/// Of each cell of a page, the last access of one kind.
struct Last {
  std::array<std::uint32_t, page_cells> record{};        // number in Records; 0: nobody
  std::array<std::uint8_t, page_cells> lane{}, other{};  // two lanes that read it; the same if only one did
};

/// Cells of words, or of bytes. A strong write does not hide the plain one before it.
struct Page {
  Last write, strong_write, read;
  std::bitset<page_cells> parted;              // words that were touched in part: their bytes count
  std::unique_ptr<std::array<Page, 4>> bytes;  // of all words of the page
};

struct Cell {
  Page* page;
  unsigned at;
};

/// Cells by the number of their word (address / 4), in pages made when they are touched.
class Shadow {
 public:
  Cell word(std::uint64_t word) {
    return {&page(word / page_cells), static_cast<unsigned>(word % page_cells)};
  }
  static Cell byte(const Cell& word, unsigned byte) {
    Page& page = *word.page;
    if (page.bytes == nullptr) page.bytes = std::make_unique<std::array<Page, 4>>();
    if (!page.parted[word.at])
      for (unsigned b = 0; b < 4; ++b) copy(word, byte_cell(word, b));
    page.parted.set(word.at);
    return byte_cell(word, byte);
  }
  void clear() {
    pages_.clear();
    recent_.fill({});
  }
  /// Calls visit(word / page_cells, page) for each.
  template <class Visit>
  void each_page(Visit visit) {
    for (auto& [number, page] : pages_) visit(number, *page);
  }
  /// Calls visit(number) for each record that a cell names.
  template <class Visit>
  void each_record(Visit visit) {
    for (auto& [number, page] : pages_) each_record(*page, visit);
  }

 private:
  static Cell byte_cell(const Cell& word, unsigned byte) {
    const unsigned at = 4 * word.at + byte;
    return {&(*word.page->bytes)[at / page_cells], at % page_cells};
  }
  static void copy(const Cell& from, const Cell& to) {
    for (Last Page::*last : {&Page::write, &Page::strong_write, &Page::read}) {
      (to.page->*last).record[to.at] = (from.page->*last).record[from.at];
      (to.page->*last).lane[to.at] = (from.page->*last).lane[from.at];
      (to.page->*last).other[to.at] = (from.page->*last).other[from.at];
    }
  }
  template <class Visit>
  static void each_record(Page& page, Visit visit) {
    for (Last Page::*last : {&Page::write, &Page::strong_write, &Page::read})
      for (std::uint32_t& record : (page.*last).record) visit(record);
    if (page.bytes != nullptr)
      for (Page& bytes : *page.bytes) each_record(bytes, visit);
  }
  Page& page(std::uint64_t number) {
    Recent& recent = recent_[number % recent_.size()];
    if (recent.number != number) {
      auto& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      recent = {number, page.get()};
    }
    return *recent.page;
  }

  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Recent, 256> recent_{};
};

}  // namespace race_check
