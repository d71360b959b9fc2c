// Special registers, what they are made of, and devices.
#include "semcc/front/translate.h"

namespace semcc::front {

SourceDecl Translator::source(Parser::SourceDeclContext* ctx) {
  return {ctx->word(0)->getText(), ctx->word(1)->getText(), unquote(ctx->STRING()),
          expr(ctx->expr()),       at(ctx->word(0)),        at(ctx->word(1))};
}

SpecialDecl Translator::special(Parser::SpecialDeclContext* ctx) {
  SpecialDecl result;
  // WARP_SZ alone is written without the sign.
  const bool has_sign = ctx->children.at(1)->getText() == "%";
  result.before = (has_sign ? "%" : "") + ctx->word(0)->getText();
  if (ctx->word().size() > 1) result.behind = ctx->word(1)->getText();
  if (ctx->NUM()) result.count = number_of(ctx->NUM()->getText());
  result.type = expr(ctx->expr(0));
  result.value = expr(ctx->expr(1));
  result.since = availability(ctx->since());
  result.manual = unquote(ctx->STRING(0));
  result.summary = unquote(ctx->STRING(1));
  result.text = text(ctx->expr(1));
  result.at = at(ctx->word(0));
  return result;
}

DeviceDecl Translator::device(Parser::DeviceDeclContext* ctx) {
  DeviceDecl result{ctx->word()->getText(), unquote(ctx->STRING()), {}, at(ctx->word())};
  for (auto* limit : ctx->limitDecl())
    result.limits.push_back({limit->word()->getText(), unquote(limit->STRING()), text(limit->expr()),
                             expr(limit->expr()), at(limit->word())});
  return result;
}

}  // namespace semcc::front
