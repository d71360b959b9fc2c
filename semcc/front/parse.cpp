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
  Parser::FileContext* tree = parser.file();
  if (listener.errors > 0) {  // a broken tree has holes: only its errors are worth showing
    File empty;
    empty.source = source;
    return empty;
  }
  return Translator(source).file(tree);
}

}  // namespace semcc::front
