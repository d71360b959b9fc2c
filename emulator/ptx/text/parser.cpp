#include "emulator/ptx/text/parser.h"

#include <UnbufferedTokenStream.h>

#include "emulator/ptx/text/lexer.h"

namespace wedjat::ptx {
namespace {

/// The first error is the last: the grammar is LL(1), so there is nothing to try again and recovery would
/// guess.
class FirstError final : public antlr4::BailErrorStrategy {
 public:
  explicit FirstError(const Source& source) : source_(source) {}
  void recover(antlr4::Parser* parser, std::exception_ptr) override { fail(parser); }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override { fail(parser); }
  void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}

 private:
  [[noreturn]] void fail(antlr4::Parser* parser) const {
    const antlr4::Token* const token = parser->getCurrentToken();
    if (token->getType() == antlr4::Token::EOF)
      source_.fail(offset_of(token), "the text ends in the middle of a statement");
    std::string message = "syntax error near '" + std::string(text_of(source_, token)) + "'";
    const auto expected = parser->getExpectedTokens().toList();
    std::vector<std::string> names;
    for (const ssize_t kind : expected)
      if (const std::string name = name_of(*parser, kind); names.empty() || names.back() != name)
        names.push_back(name);
    for (std::size_t i = 0; i < names.size() && names.size() <= 4; ++i)
      message += (i == 0 ? ", expected " : " or ") + names[i];
    source_.fail(offset_of(token), message);
  }

  static std::string name_of(const antlr4::Parser& parser, ssize_t token) {
    switch (token) {
      case Grammar::CALL:
      case Grammar::NAME:
        return "a name";
      case Grammar::NUMBER:
        return "a number";
      case Grammar::STRING:
        return "a string";
      case Grammar::WORD:
        return "a word with a dot";
      case Grammar::SPACE:
        return "a state space";
      default:
        return parser.getVocabulary().getDisplayName(static_cast<std::size_t>(token));
    }
  }

  const Source& source_;
};

/// The parser calls itself for what nests: a limit keeps hostile text from using up the stack.
class BoundedParser final : public Grammar {
 public:
  BoundedParser(antlr4::TokenStream* tokens, const Source& source) : Grammar(tokens), source_(source) {}
  void enterRule(antlr4::ParserRuleContext* context, std::size_t state, std::size_t rule) override {
    if (context->depth() > static_cast<int>(kMaxDepth))
      source_.fail(offset_of(getCurrentToken()), "nested too deeply");
    Grammar::enterRule(context, state, rule);
  }

 private:
  const Source& source_;
};

}  // namespace

struct Parser::Machine {
  Machine(const Source& source, std::size_t begin, std::size_t end, std::vector<BraceRange> elided)
      : stream(source, begin, end, std::move(elided)),
        lexer(source, stream),
        tokens(&lexer),
        parser(&tokens, source) {
    parser.removeErrorListeners();
    parser.setErrorHandler(std::make_shared<FirstError>(source));
    parser.setBuildParseTree(false);
    marker = tokens.mark();
  }

  /// Frees the contexts and tokens of the item before.
  Grammar& next() {
    parser.getTreeTracker().reset();
    tokens.release(marker);
    marker = tokens.mark();
    return parser;
  }

  CharStream stream;
  Lexer lexer;
  antlr4::UnbufferedTokenStream tokens;
  BoundedParser parser;
  ssize_t marker = 0;
};

Parser::Parser(const Source& source, std::size_t begin, std::size_t end, std::vector<BraceRange> elided)
    : machine_(std::make_unique<Machine>(source, begin, end, std::move(elided))) {}
Parser::~Parser() = default;

bool Parser::at_end() { return machine_->tokens.LA(1) == antlr4::Token::EOF; }
Grammar::ModuleItemContext& Parser::module_item() { return *machine_->next().moduleItem(); }
Grammar::StatementContext& Parser::statement() { return *machine_->next().statement(); }
Grammar::InitializerContext& Parser::initializer() { return *machine_->next().initializer(); }

}  // namespace wedjat::ptx
