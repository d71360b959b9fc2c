// The words of CTF metadata text (TSDL, Common Trace Format 1.8.3, section 7), with their lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wedjat::traces {

struct CtfToken {
  enum class Kind { word, number, text, sign, end } kind = Kind::end;
  std::string_view text;    // word (dots belong to it), digits, what stands between quotes, one character
  std::uint64_t value = 0;  // of a number
};

// Reads one token ahead. All throw FormatError naming file, line and cause.
class CtfTokens {
 public:
  // `file` is used in errors; `text` must outlive the tokens.
  CtfTokens(std::string file, std::string_view text);

  const CtfToken& next() const { return token_; }
  bool ended() const { return token_.kind == CtfToken::Kind::end; }
  bool is(std::string_view text) const;  // the next token is this word or sign

  CtfToken take();
  bool take_if(std::string_view text);
  void expect(std::string_view text);
  std::string_view take_word();
  std::string_view take_text();
  std::uint64_t take_number();
  // A whole `{ … }`, whatever lies inside.
  void skip_block();

  [[noreturn]] void fail(const std::string& cause) const;

 private:
  void advance();
  void skip_space();

  std::string file_;
  std::string_view rest_;
  std::uint64_t line_ = 1;
  CtfToken token_;
};

}  // namespace wedjat::traces
