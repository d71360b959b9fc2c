// Statements and expressions.
#include "semcc/front/translate.h"

namespace semcc::front {
namespace {

ExprPtr make(Expr::What what, Location at, std::string text, std::vector<ExprPtr> args = {}) {
  return std::make_shared<Expr>(Expr{what, at, std::move(text), 0, std::move(args)});
}

}  // namespace

Block Translator::block(Parser::BlockContext* ctx) {
  Block result;
  for (auto* s : ctx->stmt()) result.push_back(statement(s));
  return result;
}

Stmt Translator::statement(Parser::StmtContext* ctx) {
  using What = Stmt::What;
  Stmt result{};
  result.at = at(ctx);
  if (auto* let = dynamic_cast<Parser::LetContext*>(ctx)) {
    result.what = What::Let;
    result.name = let->word()->getText();
    result.value = expr(let->expr());
  } else if (auto* var = dynamic_cast<Parser::VarContext*>(ctx)) {
    result.what = What::Var;
    result.name = var->word()->getText();
    result.type = expr(var->expr(0));
    result.value = expr(var->expr(1));
  } else if (auto* condition = dynamic_cast<Parser::IfContext*>(ctx)) {
    result.what = What::If;
    result.value = expr(condition->expr());
    result.body = block(condition->block(0));
    if (condition->block().size() > 1) result.otherwise = block(condition->block(1));
    if (condition->stmt()) result.otherwise.push_back(statement(condition->stmt()));
  } else if (auto* loop = dynamic_cast<Parser::ForContext*>(ctx)) {
    result.what = What::For;
    result.name = loop->word()->getText();
    result.value = expr(loop->expr(0));
    result.last = expr(loop->expr(1));
    result.body = block(loop->block());
  } else if (auto* all = dynamic_cast<Parser::ForallContext*>(ctx)) {
    result.what = What::Forall;
    result.name = all->word()->getText();
    result.value = expr(all->expr());
    result.body = block(all->block());
  } else if (auto* require = dynamic_cast<Parser::RequireContext*>(ctx)) {
    result.what = What::Require;
    result.value = expr(require->expr());
    result.name = require->STRING() ? "undefined" : "misaligned";
    result.text = require->STRING() ? unquote(require->STRING()) : "misaligned address";
  } else if (auto* fence = dynamic_cast<Parser::FenceContext*>(ctx)) {
    result.what = What::Fence;
    result.name = fence->word(0)->getText();
    if (fence->word().size() > 1) result.text = fence->word(1)->getText();
  } else if (auto* ret = dynamic_cast<Parser::ReturnContext*>(ctx)) {
    result.what = What::Return;
    result.value = expr(ret->expr());
  } else if (auto* assign = dynamic_cast<Parser::AssignContext*>(ctx)) {
    result.what = What::Assign;
    result.target = expr(assign->expr(0));
    result.value = expr(assign->expr(1));
  } else if (auto* perform = dynamic_cast<Parser::PerformContext*>(ctx)) {
    result.what = What::Perform;
    result.value = expr(perform->expr());
  }
  return result;
}

ExprPtr Translator::argument(Parser::ArgumentContext* ctx) {
  if (ctx->expr().size() == 1) return expr(ctx->expr(0));
  return make(Expr::What::Each, at(ctx), "", {expr(ctx->expr(0)), expr(ctx->expr(1))});
}

ExprPtr Translator::expr(Parser::ExprContext* ctx) {
  using What = Expr::What;
  if (auto* name = dynamic_cast<Parser::NamedContext*>(ctx))
    return make(What::Name, at(ctx), name->getText());
  if (auto* group = dynamic_cast<Parser::GroupContext*>(ctx)) return expr(group->expr());
  if (auto* number = dynamic_cast<Parser::NumberContext*>(ctx)) {
    const std::string text = number->getText();
    if (number->FLOAT())
      return std::make_shared<Expr>(Expr{What::Float, at(ctx), text, mpz_class(text.substr(2), 16), {}});
    if (number->VERSION()) return make(What::Version, at(ctx), text);
    return std::make_shared<Expr>(Expr{What::Number, at(ctx), text, number_of(text), {}});
  }
  // An operator's own place is the best one to point at: `a + b` at the +.
  if (auto* member = dynamic_cast<Parser::DotContext*>(ctx))
    return make(What::Member, at(member->path()), member->path()->getText(), {expr(member->expr())});
  if (auto* call = dynamic_cast<Parser::CallContext*>(ctx)) {
    std::vector<ExprPtr> args{expr(call->expr())};
    for (auto* a : call->argument()) args.push_back(argument(a));
    return make(What::Call, at(ctx), "", std::move(args));
  }
  if (auto* index = dynamic_cast<Parser::IndexContext*>(ctx)) {
    std::vector<ExprPtr> args;
    for (auto* e : index->expr()) args.push_back(expr(e));
    const What what = args.size() == 3 ? What::Slice : What::Index;
    return make(what, at(ctx), "", std::move(args));
  }
  if (auto* element = dynamic_cast<Parser::ElementContext*>(ctx))
    return make(What::Element, at(ctx), "",
                {expr(element->expr(0)), expr(element->expr(1)), expr(element->expr(2))});
  if (auto* pair = dynamic_cast<Parser::PairLambdaContext*>(ctx)) {
    const auto bound = [&](std::size_t i) {
      return make(What::Name, at(pair->word(i)), pair->word(i)->getText());
    };
    return make(What::PairLambda, at(ctx), "", {bound(0), bound(1), expr(pair->expr())});
  }
  if (auto* unary = dynamic_cast<Parser::UnaryContext*>(ctx))
    return make(What::Unary, at(ctx), unary->op->getText(), {expr(unary->expr())});
  if (auto* binary = dynamic_cast<Parser::BinaryContext*>(ctx))
    return make(What::Binary, at(binary->op), binary->op->getText(),
                {expr(binary->expr(0)), expr(binary->expr(1))});
  if (auto* choice = dynamic_cast<Parser::ConditionalContext*>(ctx))
    return make(What::Conditional, at(ctx), "",
                {expr(choice->expr(0)), expr(choice->expr(1)), expr(choice->expr(2))});
  if (auto* lambda = dynamic_cast<Parser::LambdaContext*>(ctx))
    return make(What::Lambda, at(ctx), lambda->word()->getText(), {expr(lambda->expr())});
  std::vector<ExprPtr> args;
  for (auto* e : dynamic_cast<Parser::SetOfContext&>(*ctx).expr()) args.push_back(expr(e));
  return make(What::Set, at(ctx), "", std::move(args));
}

}  // namespace semcc::front
