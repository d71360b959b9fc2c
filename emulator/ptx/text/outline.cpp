#include "emulator/ptx/text/outline.h"

#include <array>
#include <string>

namespace wedjat::ptx {
namespace {

/// Bytes that need a look; all others are skipped at one table look-up each.
constexpr std::array<bool, 256> stop_table() {
  std::array<bool, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool is_text = (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r');
    table[c] = !is_text || c == '{' || c == '}' || c == '"' || c == '/';
  }
  return table;
}
constexpr auto kStop = stop_table();

class Scan {
 public:
  explicit Scan(const Source& source) : source_(source), text_(source.text()) {}

  std::vector<BraceRange> run() {
    std::vector<BraceRange> ranges;
    std::size_t depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (!kStop[static_cast<unsigned char>(text_[at_])]) continue;
      switch (text_[at_]) {
        case '"':
          skip_string();
          break;
        case '/':
          skip_comment();
          break;
        case '{':
          if (depth++ == 0) ranges.push_back({at_ + 1, 0});
          break;
        case '}':
          if (depth == 0) source_.fail(at_, "'}' without '{'");
          if (--depth == 0) ranges.back().end = at_;
          break;
        default:
          refuse_byte();
      }
    }
    if (depth != 0) source_.fail(ranges.back().begin - 1, "'{' is never closed");
    return ranges;
  }

 private:
  [[noreturn]] void refuse_byte() const {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(text_[at_]);
    source_.fail(at_, std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15] + " is not PTX text");
  }

  /// From the opening to the closing quote.
  void skip_string() {
    const std::size_t open = at_;
    while (++at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\n' || text_[at_] == '\r') break;
      if (kStop[static_cast<unsigned char>(text_[at_])] && (text_[at_] < ' ' || text_[at_] > '~'))
        refuse_byte();
    }
    if (at_ >= text_.size() || text_[at_] != '"') source_.fail(open, "string without end");
  }

  /// From the '/' to the last character of the comment; a lone '/' is an operator.
  void skip_comment() {
    const std::size_t open = at_;
    if (at_ + 1 >= text_.size()) return;
    if (text_[at_ + 1] == '/') {
      while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') check_comment_byte();
    } else if (text_[at_ + 1] == '*') {
      ++at_;
      do {
        if (at_ + 2 >= text_.size()) source_.fail(open, "comment without end");
        check_comment_byte();
      } while (text_[at_] != '*' || text_[at_ + 1] != '/' || at_ < open + 2);
      ++at_;
    }
  }

  void check_comment_byte() {
    const auto byte = static_cast<unsigned char>(text_[++at_]);
    if (kStop[byte] && (byte < ' ' || byte > '~')) refuse_byte();
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<BraceRange> outline(const Source& source) { return Scan(source).run(); }

}  // namespace wedjat::ptx
