// Takes pieces out of the text: many at once first, then fewer.
#include <fmt/format.h>

#include <algorithm>

#include "cli/reduce/pass.h"

namespace wedjat::reduce {
namespace {

using Kind = Piece::Kind;

// Braces leave in pairs: one whose partner stays, stays.
bool take_out(std::vector<Piece>& pieces, std::size_t first, std::size_t end) {
  std::vector<bool> gone(pieces.size());
  for (std::size_t i = first; i < end; ++i)
    gone[i] = pieces[i].kind == Kind::statement || pieces[i].kind == Kind::label;
  for (std::size_t i = first; i < end; ++i) {
    if (pieces[i].kind != Kind::open) continue;
    const std::size_t close = closing(pieces, i);
    if (close == i || close >= end) continue;
    const bool has_head = i > 0 && pieces[i - 1].kind == Kind::head;
    if (has_head && i - 1 < first) continue;  // a body without its head is none
    gone[i] = gone[close] = true;
    if (has_head) gone[i - 1] = true;
  }
  std::vector<Piece> kept;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (!gone[i]) kept.push_back(std::move(pieces[i]));
  const bool smaller = kept.size() != pieces.size();
  pieces = std::move(kept);
  return smaller;
}

class Chunks : public Pass {
 public:
  explicit Chunks(std::size_t size) : size_(size) {}
  std::string name() const override { return fmt::format("{} statements at once", size_); }
  std::size_t count(const Case& of) const override { return (of.pieces.size() + size_ - 1) / size_; }
  bool apply(Case& to, std::size_t change) const override {
    // From the end: what is computed last is needed least by what stands before it.
    const std::size_t end = to.pieces.size() - std::min(change * size_, to.pieces.size());
    return take_out(to.pieces, end - std::min(size_, end), end);
  }

 private:
  std::size_t size_;
};

// Whole functions, and blocks in braces, wherever they lie.
class Bodies : public Pass {
 public:
  std::string name() const override { return "functions and blocks"; }
  std::size_t count(const Case& of) const override { return of.pieces.size(); }
  bool apply(Case& to, std::size_t change) const override {
    if (to.pieces[change].kind != Kind::open) return false;
    const std::size_t first = change > 0 && to.pieces[change - 1].kind == Kind::head ? change - 1 : change;
    return take_out(to.pieces, first, closing(to.pieces, change) + 1);
  }
};

// From a label to before the next one.
class Blocks : public Pass {
 public:
  std::string name() const override { return "basic blocks"; }
  std::size_t count(const Case& of) const override { return of.pieces.size(); }
  bool apply(Case& to, std::size_t change) const override {
    if (to.pieces[change].kind != Kind::label) return false;
    std::size_t end = change + 1;
    while (end < to.pieces.size() && to.pieces[end].kind == Kind::statement) ++end;
    return take_out(to.pieces, change, end);
  }
};

// The braces of a block go, what is in it stays.
class Braces : public Pass {
 public:
  std::string name() const override { return "braces"; }
  std::size_t count(const Case& of) const override { return of.pieces.size(); }
  bool apply(Case& to, std::size_t change) const override {
    if (to.pieces[change].kind != Kind::open) return false;
    if (change > 0 && to.pieces[change - 1].kind == Kind::head) return false;
    const std::size_t close = closing(to.pieces, change);
    to.pieces.erase(to.pieces.begin() + static_cast<std::ptrdiff_t>(close));
    to.pieces.erase(to.pieces.begin() + static_cast<std::ptrdiff_t>(change));
    return true;
  }
};

}  // namespace

std::vector<std::unique_ptr<Pass>> text_passes(std::size_t pieces) {
  std::vector<std::unique_ptr<Pass>> all;
  all.push_back(std::make_unique<Bodies>());
  all.push_back(std::make_unique<Blocks>());
  for (std::size_t size = std::max<std::size_t>(pieces / 2, 1);; size /= 2) {
    all.push_back(std::make_unique<Chunks>(size));
    if (size == 1) break;
  }
  all.push_back(std::make_unique<Braces>());
  return all;
}

}  // namespace wedjat::reduce
