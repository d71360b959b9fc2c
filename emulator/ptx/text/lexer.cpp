#include "emulator/ptx/text/lexer.h"

namespace wedjat::ptx {

antlr4::dfa::DFAState* DfaCache::getExistingTargetState(antlr4::dfa::DFAState* state, std::size_t symbol) {
  if (symbol >= kSymbols || state->stateNumber < 0)
    return LexerATNSimulator::getExistingTargetState(state, symbol);
  const auto number = static_cast<std::size_t>(state->stateNumber);
  if (number >= rows_.size()) rows_.resize(number + 1);
  antlr4::dfa::DFAState*& known = rows_[number][symbol];
  if (known == nullptr) known = LexerATNSimulator::getExistingTargetState(state, symbol);
  return known;
}

Lexer::Lexer(const Source& source, CharStream& stream)
    : PtxLexer(&stream),
      source_(source),
      stream_(stream),
      dfa_(new DfaCache(this, *getInterpreter<antlr4::atn::LexerATNSimulator>())) {
  setInterpreter(dfa_);
}

std::unique_ptr<antlr4::Token> Lexer::nextToken() {
  for (;;) {
    const std::size_t begin = stream_.index();
    type = antlr4::Token::EOF;
    if (stream_.LA(1) != antlr4::Token::EOF) {
      type = antlr4::Token::INVALID_TYPE;
      std::size_t matched = 0;
      try {
        matched = dfa_->match(&stream_, DEFAULT_MODE);
      } catch (const antlr4::LexerNoViableAltException&) {
        source_.fail(begin, "'" + std::string(source_.text().substr(begin, 1)) + "' begins no PTX token");
      }
      // `-> skip` has set the type, anything else has not.
      if (type == SKIP) continue;
      type = matched;
    }
    return std::make_unique<antlr4::CommonToken>(
        std::pair<antlr4::TokenSource*, antlr4::CharStream*>{nullptr, &stream_}, type,
        antlr4::Token::DEFAULT_CHANNEL, begin, stream_.index() - 1);
  }
}

}  // namespace wedjat::ptx
