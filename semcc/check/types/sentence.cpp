#include "semcc/check/types/sentence.h"

#include <fmt/format.h>

#include <cctype>

namespace semcc::check {
namespace {

constexpr std::size_t longest = 100;

}  // namespace

void want_sentence(const std::string& summary, front::Location at, front::Diagnostics& diagnostics) {
  const bool is_sentence = !summary.empty() && summary.size() <= longest &&
                           std::isupper(static_cast<unsigned char>(summary[0])) != 0 &&
                           summary.back() == '.' && summary.find(". ") == std::string::npos;
  if (!is_sentence)
    diagnostics.error(
        at, fmt::format("a summary is one sentence, from a capital to a full stop, of at most {} characters",
                        longest));
}

}  // namespace semcc::check
