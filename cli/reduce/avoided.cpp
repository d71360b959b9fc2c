#include "cli/reduce/avoided.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace wedjat::reduce {

// Not std::regex: libstdc++ calls itself for each character, so a long list of values would end the program.
struct Avoided::Expression {
  regex_t compiled;

  explicit Expression(const std::string& text) {
    const int failed = regcomp(&compiled, text.c_str(), REG_EXTENDED | REG_NOSUB);
    if (failed == 0) return;
    char why[200];
    regerror(failed, &compiled, why, sizeof why);
    throw std::invalid_argument(fmt::format("--avoid '{}': {}", text, why));
  }
  ~Expression() { regfree(&compiled); }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
};

Avoided::Avoided(const std::string& text) : expression_(std::make_shared<const Expression>(text)) {}

std::size_t Avoided::matches(const Case& of) const {
  return static_cast<std::size_t>(std::ranges::count_if(of.pieces, [&](const Piece& piece) {
    const int result = regexec(&expression_->compiled, piece.text.c_str(), 0, nullptr, 0);
    if (result != 0 && result != REG_NOMATCH) throw std::bad_alloc();
    return result == 0;
  }));
}

}  // namespace wedjat::reduce
