// Texts that somebody else chose, made harmless: nothing in them moves a cursor, changes a terminal, turns
// the direction of writing or ends a tag.
#pragma once

#include <string>
#include <string_view>

namespace wedjat::text {

/// Passes printable UTF-8, line feeds and tabs; shows every other byte as \xHH. Characters may come in
/// pieces.
class Neutralizer {
 public:
  std::string pass(std::string_view text);
  std::string rest();  ///< of a character that did not come to its end

 private:
  std::string begun_;  // bytes of an unfinished character
};

/// All of it at once, for a terminal.
std::string neutral(std::string_view text);

/// The same with the signs of HTML and XML escaped.
std::string html(std::string_view text);

}  // namespace wedjat::text
