#include "semcc/front/parse.h"

#include <antlr4-runtime.h>

#include "PtxSemLexer.h"
#include "semcc/front/translate.h"

namespace semcc::front {
namespace {

class Listener : public antlr4::BaseErrorListener {
 public:
  Listener(int source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}
  void syntaxError(antlr4::Recognizer*, antlr4::Token* token, std::size_t line, std::size_t column,
                   const std::string& message, std::exception_ptr) override {
    ++errors;
    // ANTLR lists every keyword it would have taken: what was found says more.
    const bool listing = token && message.find("missing") != 0;
    const bool end = token && token->getType() == antlr4::Token::EOF;
    diagnostics_.error(Location{source_, static_cast<int>(line), static_cast<int>(column) + 1},
                       end       ? "the file ends in the middle of something"
                       : listing ? "unexpected " + token->getText()
                                 : message);
  }
  int errors = 0;

 private:
  int source_;
  Diagnostics& diagnostics_;
};

// What comes after the parser goes down its tree by recursion, which can be as deep as a statement has
// tokens, or brackets are open.
bool is_too_deep(antlr4::CommonTokenStream& tokens, int source, Diagnostics& diagnostics) {
  constexpr std::size_t most_tokens = 1000, most_open = 100;
  tokens.fill();
  std::size_t in_statement = 0, open = 0;
  for (const antlr4::Token* const token : tokens.getTokens()) {
    const std::string text = token->getText();
    const bool opens = text == "(" || text == "[" || text == "{",
               closes = text == ")" || text == "]" || text == "}";
    in_statement = text == ";" || text == "{" || text == "}" ? 0 : in_statement + 1;
    open = opens ? open + 1 : open - (closes && open != 0 ? 1 : 0);
    if (in_statement <= most_tokens && open <= most_open) continue;
    diagnostics.error(
        Location{source, static_cast<int>(token->getLine()),
                 static_cast<int>(token->getCharPositionInLine()) + 1},
        open > most_open ? "more than 100 brackets are open" : "a statement of more than 1000 words");
    return true;
  }
  return false;
}

}  // namespace

File parse(const Sources& sources, int source, Diagnostics& diagnostics) {
  antlr4::ANTLRInputStream input(sources[source].text);
  grammar::PtxSemLexer lexer(&input);
  antlr4::CommonTokenStream tokens(&lexer);
  Parser parser(&tokens);
  Listener listener(source, diagnostics);
  lexer.removeErrorListeners();
  parser.removeErrorListeners();
  lexer.addErrorListener(&listener);
  parser.addErrorListener(&listener);
  Parser::FileContext* const tree = is_too_deep(tokens, source, diagnostics) ? nullptr : parser.file();
  if (tree == nullptr || listener.errors > 0) {  // a broken tree has holes: only its errors are worth showing
    File empty;
    empty.source = source;
    return empty;
  }
  return Translator(source).file(tree);
}

}  // namespace semcc::front
