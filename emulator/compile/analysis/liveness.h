// Which rows of a function may be read again, at each of its blocks.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/compile/analysis/step_rows.h"

namespace wedjat::compile {

/// A set of rows, by number.
class RowSet {
 public:
  explicit RowSet(std::size_t rows = 0) : words_((rows + 63) / 64) {}
  bool has(std::uint32_t row) const { return (words_[row / 64] >> (row % 64) & 1) != 0; }
  void add(std::uint32_t row) { words_[row / 64] |= std::uint64_t{1} << (row % 64); }
  void remove(std::uint32_t row) { words_[row / 64] &= ~(std::uint64_t{1} << (row % 64)); }
  /// Returns whether it grew.
  bool add(const RowSet& other);
  template <class Each>
  void for_each(const Each& each) const {
    for (std::size_t word = 0; word < words_.size(); ++word)
      for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1)
        each(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(__builtin_ctzll(rest))));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Of one function, which must outlive this.
class Liveness {
 public:
  /// `probes`: of its steps that only watch; null: it has none.
  explicit Liveness(const kernel::Function& function, const exec::Probes* probes = nullptr);

  /// Rows that steps name have numbers from 0 on; `offset` is where one lies in the frame.
  std::size_t rows() const { return offsets_.size(); }
  std::uint32_t offset(std::uint32_t row) const { return offsets_[row]; }
  std::uint32_t number(std::uint32_t offset) const { return numbers_.at(offset); }

  /// Rows live before each step of a block, and before its end. Fills are rows like others.
  std::vector<RowSet> through(std::uint32_t block) const;
  /// Those at the start of a block.
  const RowSet& at(std::uint32_t block) const { return at_block_[block]; }
  std::vector<RowUse> rows_of(const kernel::Step& step) const { return compile::rows_of(step, probes_); }
  const exec::Probes* probes() const { return probes_; }

 private:
  void name(const std::vector<RowUse>& uses);
  void before_step(RowSet& live, const kernel::Step& step) const;
  void before_end(RowSet& live, const kernel::Terminator& end) const;
  RowSet after(const kernel::Terminator& end) const;

  const kernel::Function& function_;
  const exec::Probes* const probes_;
  std::vector<std::uint32_t> offsets_;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::vector<RowSet> at_block_;
};

}  // namespace wedjat::compile
