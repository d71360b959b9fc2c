// PTX text in pieces that can be taken out: statements, labels, braces, heads of functions.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace wedjat::reduce {

struct Piece {
  enum class Kind {
    fixed,      ///< .version, .target, .address_size
    statement,  ///< ends with ';', or is a line of its own (.loc, .file)
    label,
    head,  ///< of a function or section that has a body
    open,
    close
  } kind = Kind::statement;
  std::string text;
};

/// Comments are gone, and blanks are one blank.
std::vector<Piece> split(const std::string& ptx);
std::string join(const std::vector<Piece>& pieces);

/// The piece that closes the brace which piece `open` is; its own place if there is none.
std::size_t closing(const std::vector<Piece>& pieces, std::size_t open);

/// Parts of `text` between commas outside brackets.
std::vector<std::string> comma_parts(const std::string& text);

}  // namespace wedjat::reduce
