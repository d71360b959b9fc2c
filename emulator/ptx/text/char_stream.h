// The text ANTLR reads: bytes of a Source at their own offsets, with ranges left out.
#pragma once

#include <antlr4-runtime.h>

#include <string_view>
#include <vector>

#include "emulator/ptx/text/outline.h"

namespace wedjat::ptx {

/// index() is always an offset into the whole source, so tokens know their place.
class CharStream final : public antlr4::CharStream {
 public:
  /// Reads [begin, end) without the elided ranges, which must be ascending and non-empty.
  CharStream(const Source& source, std::size_t begin, std::size_t end, std::vector<BraceRange> elided);

  void consume() override;
  std::size_t LA(ssize_t i) override;
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::size_t index() override { return at_; }
  void seek(std::size_t index) override;
  std::size_t size() override { return end_; }
  std::string getSourceName() const override { return source_.name(); }
  std::string getText(const antlr4::misc::Interval& interval) override;
  std::string toString() const override { return std::string(text_.substr(begin_, end_ - begin_)); }

 private:
  void find_next_range();

  const Source& source_;
  std::string_view text_;
  std::size_t begin_, end_, at_;
  std::vector<BraceRange> elided_;
  std::size_t next_ = 0;        ///< the first elided range not yet passed
  std::size_t next_begin_ = 0;  ///< where it begins; beyond the end if there is none
};

}  // namespace wedjat::ptx
