// ANTLR's parser of Ptx.g4 over a stretch of a source, one item or statement at a time.
#pragma once

#include <memory>
#include <string_view>

#include "PtxParser.h"
#include "emulator/ptx/text/char_stream.h"

namespace wedjat::ptx {

using Grammar = grammar::PtxParser;

/// Expressions, initialisers and operands may nest this deep (in grammar rules; a parenthesis is two).
inline constexpr unsigned kMaxDepth = 400;

/// A context that a call returns lives until the next call. All throw Error at the first token that fits no
/// rule.
class Parser {
 public:
  Parser(const Source& source, std::size_t begin, std::size_t end, std::vector<BraceRange> elided = {});
  ~Parser();

  bool at_end();
  Grammar::ModuleItemContext& module_item();
  Grammar::StatementContext& statement();
  Grammar::InitializerContext& initializer();

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

/// The text of a token, and the offset in the source where it begins.
inline std::size_t offset_of(const antlr4::Token* token) { return token->getStartIndex(); }
inline std::string_view text_of(const Source& source, const antlr4::Token* token) {
  return source.text().substr(token->getStartIndex(), token->getStopIndex() - token->getStartIndex() + 1);
}

}  // namespace wedjat::ptx
