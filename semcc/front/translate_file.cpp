// Files and their vocabulary.
#include <algorithm>

#include "semcc/front/translate.h"

namespace semcc::front {

Location Translator::at(const antlr4::Token* token) const {
  return {source_, static_cast<int>(token->getLine()), static_cast<int>(token->getCharPositionInLine()) + 1};
}

std::string Translator::text(const antlr4::ParserRuleContext* first,
                             const antlr4::ParserRuleContext* last) const {
  const auto begin = first->start->getStartIndex(), end = last->stop->getStopIndex();
  return first->start->getInputStream()->getText({static_cast<ssize_t>(begin), static_cast<ssize_t>(end)});
}

std::string Translator::unquote(antlr4::tree::TerminalNode* node) {
  const std::string quoted = node->getText();
  return quoted.substr(1, quoted.size() - 2);
}

mpz_class number_of(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  return mpz_class(text, text.rfind("0x", 0) == 0 || text.rfind("0b", 0) == 0 ? 0 : 10);
}

Availability Translator::availability(Parser::SinceContext* ctx) {
  Availability result;
  if (!ctx) return result;
  if (ctx->VERSION()) {
    const std::string version = ctx->VERSION()->getText();
    const auto dot = version.find('.');
    result.major = std::stoi(version.substr(0, dot));
    result.minor = std::stoi(version.substr(dot + 1));
  }
  if (ctx->target())
    for (auto* arch : ctx->target()->SM()) result.targets.push_back(arch->getText());
  return result;
}

std::vector<Member> Translator::members(Parser::MembersContext* ctx) {
  std::vector<Member> result;
  for (auto* member : ctx->member())
    result.push_back({member->path()->getText(), availability(member->since()), at(member)});
  return result;
}

SetDecl Translator::set(Parser::SetDeclContext* ctx) {
  const std::string kind = ctx->kind->getText();
  SetDecl result;
  result.kind = kind == "modifier" ? SetDecl::Kind::Modifier
                : kind == "types"  ? SetDecl::Kind::Types
                                   : SetDecl::Kind::Hint;
  result.name = ctx->word()->getText();
  result.members = members(ctx->members());
  if (ctx->STRING()) result.absent = unquote(ctx->STRING());
  result.at = at(ctx->word());
  return result;
}

TableDecl Translator::table(Parser::TableDeclContext* ctx) {
  TableDecl result{ctx->word()->getText(), expr(ctx->expr()), {}, at(ctx->word())};
  for (auto* value : ctx->tableValue()) {
    const mpz_class magnitude = number_of(value->NUM()->getText());
    result.values.push_back(value->getText()[0] == '-' ? mpz_class(-magnitude) : magnitude);
  }
  return result;
}

ListDecl Translator::list(Parser::ListDeclContext* ctx) {
  ListDecl result{ctx->word()->getText(), {}, at(ctx->word())};
  for (auto* spelling : ctx->spelling()) result.entries.push_back({spelling->getText(), at(spelling)});
  return result;
}

RowsDecl Translator::rows(Parser::RowsDeclContext* ctx) {
  RowsDecl result{ctx->word(0)->getText(), {}, {}, at(ctx->word(0))};
  for (std::size_t i = 1; i < ctx->word().size(); ++i) result.columns.push_back(ctx->word(i)->getText());
  for (auto* row : ctx->row()) {
    auto& entries = result.rows.emplace_back();
    for (auto* spelling : row->spelling()) entries.push_back({spelling->getText(), at(spelling)});
  }
  return result;
}

LeadingDecl Translator::leading(Parser::LeadingDeclContext* ctx) {
  LeadingDecl result{ctx->word(0)->getText(), {}, at(ctx->word(0))};
  for (std::size_t i = 1; i < ctx->word().size(); ++i)
    result.words.push_back({ctx->word(i)->getText(), at(ctx->word(i))});
  return result;
}

Param Translator::param(Parser::ParamContext* ctx) {
  return {ctx->word()->getText(), ctx->expr() ? expr(ctx->expr()) : nullptr, at(ctx)};
}

Function Translator::function(Parser::FunctionDeclContext* ctx) {
  Function result;
  result.name = ctx->word(0)->getText();
  for (std::size_t i = 1; i < ctx->word().size(); ++i) result.type_params.push_back(ctx->word(i)->getText());
  for (auto* p : ctx->param()) result.params.push_back(param(p));
  result.result = expr(ctx->expr(0));
  result.at = at(ctx->word(0));
  if (ctx->block()) {
    result.body = block(ctx->block());
  } else {
    Stmt stmt{};
    stmt.what = Stmt::What::Return;
    stmt.value = expr(ctx->expr(1));
    stmt.at = stmt.value->at;
    result.body.push_back(std::move(stmt));
  }
  return result;
}

LayoutDecl Translator::layout(Parser::LayoutDeclContext* ctx) {
  LayoutDecl result{ctx->word(0)->getText(), {}, expr(ctx->expr(0)), expr(ctx->expr(1)), at(ctx->word(0))};
  for (std::size_t i = 1; i < ctx->word().size(); ++i) result.params.push_back(ctx->word(i)->getText());
  return result;
}

File Translator::file(Parser::FileContext* ctx) {
  File result;
  result.source = source_;
  for (auto* import : ctx->importDecl())
    result.imports.push_back({import->word()->getText(), at(import->word())});
  for (auto* declaration : ctx->declaration()) {
    if (auto* s = declaration->setDecl()) result.sets.push_back(set(s));
    if (auto* a = declaration->aliasDecl())
      result.aliases.push_back({a->word()->getText(), expr(a->expr()), at(a->word())});
    if (auto* s = declaration->stateDecl())
      result.states.push_back({s->word()->getText(), expr(s->expr()), at(s->word())});
    if (auto* t = declaration->tableDecl()) result.tables.push_back(table(t));
    if (auto* l = declaration->listDecl()) result.lists.push_back(list(l));
    if (auto* r = declaration->rowsDecl()) result.rows.push_back(rows(r));
    if (auto* l = declaration->leadingDecl()) result.leading.push_back(leading(l));
    if (auto* l = declaration->layoutDecl()) result.layouts.push_back(layout(l));
    if (auto* f = declaration->functionDecl())
      result.functions.push_back(std::make_shared<Function>(function(f)));
    if (auto* s = declaration->sourceDecl()) result.sources.push_back(source(s));
    if (auto* s = declaration->specialDecl()) result.specials.push_back(special(s));
    if (auto* d = declaration->deviceDecl()) result.devices.push_back(device(d));
    if (auto* i = declaration->instruction()) result.instructions.push_back(instruction(i));
  }
  return result;
}

}  // namespace semcc::front
