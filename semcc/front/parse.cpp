#include "semcc/front/parse.h"

#include <antlr4-runtime.h>

#include <utility>
#include <vector>

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
// tokens, brackets are open, or an `if` stands in the `else` of another.
bool is_too_deep(antlr4::CommonTokenStream& tokens, int source, Diagnostics& diagnostics) {
  constexpr std::size_t most_tokens = 1000, most_open = 100, most_chained = 200;
  tokens.fill();
  std::size_t in_statement = 0, chained = 0;
  std::vector<std::size_t> chain{0};  // of each bracket that is open, and outside of all
  const std::vector<antlr4::Token*> all = tokens.getTokens();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string text = all[i]->getText(), next = i + 1 < all.size() ? all[i + 1]->getText() : "";
    if (text == "(" || text == "[" || text == "{") chain.push_back(0);
    if ((text == ")" || text == "]" || text == "}") && chain.size() > 1) {
      chained -= chain.back();
      chain.pop_back();
    }
    const bool ends = text == ";" || text == "{" || text == "}";
    in_statement = ends ? 0 : in_statement + 1;
    if (text == "else" && next != "{") ++chain.back(), ++chained;
    if (ends && next != "else") chained -= std::exchange(chain.back(), 0);
    const char* const wrong = chain.size() - 1 > most_open ? "more than 100 brackets are open"
                              : chained > most_chained     ? "more than 200 'else' are chained"
                              : in_statement > most_tokens ? "a statement of more than 1000 words"
                                                           : nullptr;
    if (wrong == nullptr) continue;
    diagnostics.error(Location{source, static_cast<int>(all[i]->getLine()),
                               static_cast<int>(all[i]->getCharPositionInLine()) + 1},
                      wrong);
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
