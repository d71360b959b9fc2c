#include "cli/reduce/avoided.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace wedjat::reduce {

struct Avoided::Expression {
  std::regex regex;
};

Avoided::Avoided(const std::string& text) try
    : expression_(std::make_shared<const Expression>(Expression{std::regex(text)})) {
} catch (const std::regex_error& error) {
  throw std::invalid_argument(fmt::format("--avoid '{}': {}", text, error.what()));
}

std::size_t Avoided::matches(const Case& of) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      of.pieces, [&](const Piece& piece) { return std::regex_search(piece.text, expression_->regex); }));
}

}  // namespace wedjat::reduce
