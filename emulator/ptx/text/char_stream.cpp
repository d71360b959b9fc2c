#include "emulator/ptx/text/char_stream.h"

#include <algorithm>

namespace wedjat::ptx {

CharStream::CharStream(const Source& source, std::size_t begin, std::size_t end,
                       std::vector<BraceRange> elided)
    : source_(source),
      text_(source.text()),
      begin_(begin),
      end_(end),
      at_(begin),
      elided_(std::move(elided)) {
  find_next_range();
}

void CharStream::find_next_range() {
  next_begin_ = next_ < elided_.size() ? elided_[next_].begin : std::string_view::npos;
}

void CharStream::consume() {
  if (++at_ != next_begin_) return;
  at_ = elided_[next_++].end;
  find_next_range();
}

std::size_t CharStream::LA(ssize_t i) {
  if (i > 0) {
    const std::size_t at = at_ + static_cast<std::size_t>(i) - 1;
    return at < end_ ? static_cast<unsigned char>(text_[at]) : EOF;
  }
  const auto back = static_cast<std::size_t>(-i);
  return i < 0 && at_ >= begin_ + back ? static_cast<unsigned char>(text_[at_ - back]) : EOF;
}

void CharStream::seek(std::size_t index) {
  at_ = index;
  const auto after =
      std::upper_bound(elided_.begin(), elided_.end(), index,
                       [](std::size_t at, const BraceRange& range) { return at < range.begin; });
  next_ = static_cast<std::size_t>(after - elided_.begin());
  find_next_range();
}

std::string CharStream::getText(const antlr4::misc::Interval& interval) {
  const auto from = static_cast<std::size_t>(interval.a), to = static_cast<std::size_t>(interval.b) + 1;
  return from < to && from < end_ ? std::string(text_.substr(from, std::min(to, end_) - from))
                                  : std::string();
}

}  // namespace wedjat::ptx
