// ANTLR's parse tree to the syntax tree. Split over translate_*.cpp by what is translated.
#pragma once
#include "PtxSemParser.h"
#include "semcc/front/syntax.h"

namespace semcc::front {

using Parser = grammar::PtxSemParser;

class Translator {
 public:
  explicit Translator(int source) : source_(source) {}

  File file(Parser::FileContext* ctx);

 private:
  Location at(const antlr4::ParserRuleContext* ctx) const { return at(ctx->start); }
  Location at(const antlr4::Token* token) const;
  // As written, comments included.
  std::string text(const antlr4::ParserRuleContext* first, const antlr4::ParserRuleContext* last) const;
  std::string text(const antlr4::ParserRuleContext* ctx) const { return text(ctx, ctx); }
  static std::string unquote(antlr4::tree::TerminalNode* node);

  SetDecl set(Parser::SetDeclContext* ctx);
  std::vector<Member> members(Parser::MembersContext* ctx);
  Availability availability(Parser::SinceContext* ctx);
  TableDecl table(Parser::TableDeclContext* ctx);
  ListDecl list(Parser::ListDeclContext* ctx);
  RowsDecl rows(Parser::RowsDeclContext* ctx);
  LeadingDecl leading(Parser::LeadingDeclContext* ctx);
  Function function(Parser::FunctionDeclContext* ctx);
  LayoutDecl layout(Parser::LayoutDeclContext* ctx);
  Param param(Parser::ParamContext* ctx);

  SourceDecl source(Parser::SourceDeclContext* ctx);
  SpecialDecl special(Parser::SpecialDeclContext* ctx);
  DeviceDecl device(Parser::DeviceDeclContext* ctx);

  Instruction instruction(Parser::InstructionContext* ctx);
  void item(Parser::ItemContext* ctx, Instruction& into);
  FormDecl form(Parser::FormItemContext* ctx);
  void operands(Parser::OperandsContext* ctx, std::vector<OperandDecl>& into);
  void operand_ref(Parser::OperandRefContext* ctx, bool optional, std::vector<OperandRef>& into);
  BodyDecl body(Parser::BodyContext* ctx);

  Block block(Parser::BlockContext* ctx);
  Stmt statement(Parser::StmtContext* ctx);
  ExprPtr expr(Parser::ExprContext* ctx);
  ExprPtr argument(Parser::ArgumentContext* ctx);

  int source_;
};

mpz_class number_of(std::string text);  // 12, 0x_ff, 0b1

}  // namespace semcc::front
