#include "traces/read/ctf_tokens.h"

#include <algorithm>
#include <charconv>

#include "traces/format/error.h"

namespace wedjat::traces {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_word(char c) { return begins_word(c) || is_digit(c) || c == '.'; }

std::size_t length_while(std::string_view text, bool (*belongs)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
}

}  // namespace

CtfTokens::CtfTokens(std::string file, std::string_view text) : file_(std::move(file)), rest_(text) {
  advance();
}

void CtfTokens::fail(const std::string& cause) const {
  throw FormatError(file_, "line " + std::to_string(line_) + ": " + cause);
}

void CtfTokens::skip_space() {
  for (;;) {
    std::size_t length = length_while(rest_, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
    if (length == 0 && rest_.substr(0, 2) == "/*") {
      const auto end = rest_.find("*/", 2);
      if (end == rest_.npos) fail("a comment without end");
      length = end + 2;
    }
    if (length == 0) return;
    line_ += static_cast<std::uint64_t>(
        std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    rest_.remove_prefix(length);
  }
}

void CtfTokens::advance() {
  skip_space();
  token_ = {};
  if (rest_.empty()) return;
  std::size_t length = 1;
  if (begins_word(rest_[0])) {
    token_.kind = CtfToken::Kind::word;
    length = length_while(rest_, continues_word);
  } else if (is_digit(rest_[0])) {
    token_.kind = CtfToken::Kind::number;
    length = length_while(rest_, is_digit);
    if (std::from_chars(rest_.data(), rest_.data() + length, token_.value).ec != std::errc())
      fail("a number that does not fit into 64 bits");
  } else if (rest_[0] == '"') {
    token_.kind = CtfToken::Kind::text;
    const auto end = rest_.find_first_of("\"\n\\", 1);
    if (end == rest_.npos || rest_[end] != '"') fail("a text without end");
    token_.text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return;
  } else {
    token_.kind = CtfToken::Kind::sign;
    if (rest_[0] < '!' || rest_[0] > '~') fail("a byte that belongs into no metadata");
  }
  token_.text = rest_.substr(0, length);
  rest_.remove_prefix(length);
}

bool CtfTokens::is(std::string_view text) const {
  return token_.kind != CtfToken::Kind::text && token_.kind != CtfToken::Kind::end && token_.text == text;
}

CtfToken CtfTokens::take() {
  const CtfToken taken = token_;
  if (ended()) fail("the metadata end within a declaration");
  advance();
  return taken;
}

bool CtfTokens::take_if(std::string_view text) {
  if (!is(text)) return false;
  advance();
  return true;
}

void CtfTokens::expect(std::string_view text) {
  if (!take_if(text))
    fail("expected '" + std::string(text) + "', found " +
         (ended() ? "the end" : "'" + std::string(token_.text) + "'"));
}

std::string_view CtfTokens::take_word() {
  if (token_.kind != CtfToken::Kind::word) fail("expected a name");
  return take().text;
}

std::string_view CtfTokens::take_text() {
  if (token_.kind != CtfToken::Kind::text) fail("expected a text in quotes");
  return take().text;
}

std::uint64_t CtfTokens::take_number() {
  if (token_.kind != CtfToken::Kind::number) fail("expected a number");
  return take().value;
}

void CtfTokens::skip_block() {
  expect("{");
  for (std::uint64_t depth = 1; depth;) {
    if (is("{")) ++depth;
    if (is("}")) --depth;
    take();
  }
}

}  // namespace wedjat::traces
