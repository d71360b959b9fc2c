// The lexer ANTLR generates, run without what its runtime spends most of its time on.
#pragma once

#include <array>
#include <vector>

#include "PtxLexer.h"
#include "emulator/ptx/text/char_stream.h"

namespace wedjat::ptx {

/// Remembers the lexer's DFA in a table: the runtime takes a lock and asks a hash table for every character,
/// so that threads would wait for each other.
class DfaCache final : public antlr4::atn::LexerATNSimulator {
 public:
  DfaCache(antlr4::Lexer* lexer, LexerATNSimulator& from)
      : LexerATNSimulator(lexer, from.atn, from._decisionToDFA, from.getSharedContextCache()) {}

 protected:
  antlr4::dfa::DFAState* getExistingTargetState(antlr4::dfa::DFAState* state, std::size_t symbol) override;

 private:
  static constexpr std::size_t kSymbols = 128;
  /// By number of state, then by character; null where nothing is known.
  std::vector<std::array<antlr4::dfa::DFAState*, kSymbols>> rows_;
};

/// Throws Error at text that begins no token.
class Lexer final : public grammar::PtxLexer {
 public:
  Lexer(const Source& source, CharStream& stream);
  /// Makes tokens that know their offsets and no more; the runtime's asks the type of its simulator several
  /// times.
  std::unique_ptr<antlr4::Token> nextToken() override;

 private:
  const Source& source_;
  CharStream& stream_;
  DfaCache* dfa_;  ///< owned by the base class
};

}  // namespace wedjat::ptx
