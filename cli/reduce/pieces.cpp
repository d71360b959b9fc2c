#include "cli/reduce/pieces.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace wedjat::reduce {
namespace {

bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string without_comments(const std::string& ptx) {
  std::string out;
  for (std::size_t i = 0; i < ptx.size();) {
    if (ptx[i] == '"') {
      const auto end = ptx.find('"', i + 1);
      const auto length = end == std::string::npos ? std::string::npos : end + 1 - i;
      out += ptx.substr(i, length);
      i = length == std::string::npos ? ptx.size() : i + length;
    } else if (ptx.compare(i, 2, "//") == 0) {
      i = std::min(ptx.find('\n', i), ptx.size());
    } else if (ptx.compare(i, 2, "/*") == 0) {
      const auto end = ptx.find("*/", i + 2);
      i = end == std::string::npos ? ptx.size() : end + 2;
      out += ' ';
    } else {
      out += ptx[i++];
    }
  }
  return out;
}

// Directives that end with their line, not with ';'.
bool ends_with_line(std::string_view text) {
  for (const std::string_view word : {".version", ".target", ".address_size", ".file", ".loc"})
    if (text.starts_with(word) && (text.size() == word.size() || blank(text[word.size()]))) return true;
  return false;
}

bool is_fixed(std::string_view text) {
  return text.starts_with(".version") || text.starts_with(".target") || text.starts_with(".address_size");
}

class Splitter {
 public:
  explicit Splitter(std::string text) : text_(std::move(text)) {}

  std::vector<Piece> all() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (now_.empty() && blank(c)) {
        ++at_;
      } else if (now_.empty() && ends_with_line(std::string_view(text_).substr(at_, 20))) {
        const auto end = std::min(text_.find('\n', at_), text_.size());
        now_ = text_.substr(at_, end - at_);
        while (blank(now_.back())) now_.pop_back();
        at_ = end;
        put(is_fixed(now_) ? Piece::Kind::fixed : Piece::Kind::statement);
      } else if (now_.empty() && (c == '{' || c == '}')) {
        take();
        put(c == '{' ? Piece::Kind::open : Piece::Kind::close);
      } else if (c == '"') {
        do take();
        while (at_ < text_.size() && text_[at_] != '"');
        if (at_ < text_.size()) take();
      } else if (c == '{' && begins_body()) {
        put(Piece::Kind::head);
      } else if (c == ';' && depth_ == 0) {
        take();
        put(Piece::Kind::statement);
      } else if (c == ':' && is_label()) {
        take();
        put(Piece::Kind::label);
      } else {
        depth_ += c == '{' || c == '(' || c == '[';
        depth_ -= c == '}' || c == ')' || c == ']';
        take();
      }
    }
    if (!now_.empty()) put(Piece::Kind::statement);
    return std::move(pieces_);
  }

 private:
  void take() {
    const char c = text_[at_++];
    if (!blank(c))
      now_ += c;
    else if (!now_.empty() && now_.back() != ' ')
      now_ += ' ';
  }

  void put(Piece::Kind kind) {
    while (!now_.empty() && now_.back() == ' ') now_.pop_back();
    pieces_.push_back({kind, std::exchange(now_, "")});
    depth_ = 0;
  }

  // The brace of a vector or of initial values stands behind an opcode or '=', that of a body behind a
  // directive which says so.
  bool begins_body() const {
    for (const std::string_view word : {".entry", ".func", ".section"})
      if (now_.find(word) != std::string::npos && depth_ == 0) return true;
    return false;
  }

  // Of a `prototype: .callprototype …` too: the name alone.
  bool is_label() const {
    // `shared::cta` is a word.
    if (depth_ != 0 || now_.empty() || now_.back() == ':') return false;
    if (at_ + 1 < text_.size() && text_[at_ + 1] == ':') return false;
    return now_.find(' ') == std::string::npos || now_.find(' ') + 1 == now_.size();
  }

  std::string text_, now_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> split(const std::string& ptx) { return Splitter(without_comments(ptx)).all(); }

std::string join(const std::vector<Piece>& pieces) {
  std::string out;
  std::size_t depth = 0;
  for (const Piece& piece : pieces) {
    if (piece.kind == Piece::Kind::close && depth != 0) --depth;
    if (piece.kind != Piece::Kind::label) out.append(2 * depth, ' ');
    out += piece.text + "\n";
    if (piece.kind == Piece::Kind::open) ++depth;
  }
  return out;
}

std::size_t closing(const std::vector<Piece>& pieces, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < pieces.size(); ++i) {
    if (pieces[i].kind == Piece::Kind::open) ++depth;
    if (pieces[i].kind == Piece::Kind::close && --depth == 0) return i;
  }
  return open;
}

std::vector<std::string> comma_parts(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '(' || c == '[';
    depth -= c == '}' || c == ')' || c == ']';
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  return parts;
}

}  // namespace wedjat::reduce
