// Instruction families.
#include <algorithm>

#include "semcc/front/translate.h"

namespace semcc::front {

Instruction Translator::instruction(Parser::InstructionContext* ctx) {
  Instruction result;
  for (auto* word : ctx->word()) result.name += (result.name.empty() ? "" : ".") + word->getText();
  result.at = at(ctx->word(0));
  result.text = text(ctx);
  for (auto* i : ctx->item()) item(i, result);
  return result;
}

void Translator::item(Parser::ItemContext* ctx, Instruction& into) {
  if (auto* manual = dynamic_cast<Parser::ManualContext*>(ctx)) {
    into.manual = unquote(manual->STRING());
  } else if (auto* summary = dynamic_cast<Parser::SummaryContext*>(ctx)) {
    into.summary = unquote(summary->STRING());
  } else if (auto* local = dynamic_cast<Parser::LocalSetContext*>(ctx)) {
    into.sets.push_back(set(local->setDecl()));
  } else if (auto* alias = dynamic_cast<Parser::LocalAliasContext*>(ctx)) {
    auto* a = alias->aliasDecl();
    into.aliases.push_back({a->word()->getText(), expr(a->expr()), at(a->word())});
  } else if (auto* f = dynamic_cast<Parser::FormItemContext*>(ctx)) {
    into.forms.push_back(form(f));
  } else if (auto* o = dynamic_cast<Parser::OperandsContext*>(ctx)) {
    operands(o, into.operands);
  } else if (auto* legal = dynamic_cast<Parser::LegalContext*>(ctx)) {
    into.legal.push_back({expr(legal->expr(0)), legal->expr().size() > 1 ? expr(legal->expr(1)) : nullptr,
                          legal->STRING() ? unquote(legal->STRING()) : "", text(legal), at(legal->expr(0))});
  } else if (auto* note = dynamic_cast<Parser::NoteContext*>(ctx)) {
    into.notes.push_back(unquote(note->STRING()));
  } else if (auto* trait = dynamic_cast<Parser::TraitContext*>(ctx)) {
    into.traits.push_back({{}, trait->expr() ? expr(trait->expr()) : nullptr, at(trait)});
    for (auto* word : trait->word()) into.traits.back().words.push_back({word->getText(), at(word)});
  } else if (auto* open = dynamic_cast<Parser::UnspecifiedItemContext*>(ctx)) {
    into.unspecified.push_back(unquote(open->STRING()));
  } else if (auto* b = dynamic_cast<Parser::BodyContext*>(ctx)) {
    into.bodies.push_back(body(b));
  } else if (auto* control = dynamic_cast<Parser::ControlContext*>(ctx)) {
    into.control = control->word()->getText();
    into.control_at = at(control->word());
  } else if (auto* r = dynamic_cast<Parser::RefusedContext*>(ctx)) {
    RefusedDecl refused{{}, unquote(r->STRING()), at(r)};
    for (auto* word : r->word()) refused.forms.push_back(word->getText());
    into.refused.push_back(std::move(refused));
  } else if (dynamic_cast<Parser::NothingContext*>(ctx)) {
    into.control = "nothing";
  } else if (auto* prove = dynamic_cast<Parser::ProveContext*>(ctx)) {
    ProveDecl claim{prove->word()->getText(), {}, expr(prove->expr()), text(prove), at(prove->word())};
    for (auto* p : prove->param()) claim.params.push_back(param(p));
    into.proofs.push_back(std::move(claim));
  } else if (auto* example = dynamic_cast<Parser::ExampleContext*>(ctx)) {
    ExampleDecl shown{unquote(example->STRING()), {}, at(example->STRING()->getSymbol())};
    for (auto* e : example->expr()) shown.expected.push_back(text(e));
    into.examples.push_back(std::move(shown));
  }
}

void Translator::operand_ref(Parser::OperandRefContext* ctx, bool optional, std::vector<OperandRef>& into) {
  using How = OperandRef::How;
  if (auto* pair = dynamic_cast<Parser::PairRefContext*>(ctx)) {
    into.push_back({How::Plain, pair->word(0)->getText(), optional, at(pair->word(0))});
    into.push_back({How::Paired, pair->word(1)->getText(), true, at(pair->word(1))});
  } else if (auto* both = dynamic_cast<Parser::BothRefContext*>(ctx)) {
    into.push_back({How::Plain, both->word(0)->getText(), optional, at(both->word(0))});
    into.push_back({How::Paired, both->word(1)->getText(), false, at(both->word(1))});
  } else if (auto* negatable = dynamic_cast<Parser::NegatableRefContext*>(ctx)) {
    into.push_back({How::Negatable, negatable->word()->getText(), optional, at(negatable->word())});
  } else if (auto* address = dynamic_cast<Parser::AddressRefContext*>(ctx)) {
    into.push_back({How::Address, address->word()->getText(), optional, at(address->word())});
  } else if (auto* joined = dynamic_cast<Parser::JoinedRefContext*>(ctx)) {
    into.push_back({How::Address, joined->word(0)->getText(), optional, at(joined->word(0))});
    if (auto* between = joined->between())
      into.push_back(
          {How::Joined, between->word()->getText(), between->getText().front() == '{', at(between->word())});
    into.push_back({How::Joined, joined->word(1)->getText(), optional, at(joined->word(1))});
  } else if (auto* list = dynamic_cast<Parser::ListRefContext*>(ctx)) {
    into.push_back({How::List, list->word()->getText(), optional, at(list->word())});
  } else if (auto* minus = dynamic_cast<Parser::MinusRefContext*>(ctx)) {
    operand_ref(minus->operandRef(), optional, into);
    into.push_back({How::Minus, minus->word()->getText(), false, at(minus->word())});
  } else if (auto* selectable = dynamic_cast<Parser::SelectableRefContext*>(ctx)) {
    into.push_back({How::Plain, selectable->word(0)->getText(), optional, at(selectable->word(0))});
    into.push_back({How::Selectable, selectable->word(1)->getText(), false, at(selectable->word(1))});
  } else if (auto* selected = dynamic_cast<Parser::SelectedRefContext*>(ctx)) {
    into.push_back({How::Plain, selected->word(0)->getText(), optional, at(selected->word(0))});
    into.push_back({How::Selected, selected->word(1)->getText(), false, at(selected->word(1))});
  } else if (auto* plain = dynamic_cast<Parser::PlainRefContext*>(ctx)) {
    into.push_back({How::Plain, plain->word()->getText(), optional, at(plain)});
  }
}

FormDecl Translator::form(Parser::FormItemContext* ctx) {
  FormDecl result;
  const auto words = ctx->word();
  if (words.size() > 1) result.name = words[0]->getText();
  result.opcode = words.back()->getText();
  result.at = at(words.back());
  for (auto* s : ctx->suffix())
    result.suffixes.push_back({s->path()->getText(), s->getText()[0] == '{', at(s->path())});
  const antlr4::ParserRuleContext* end =
      ctx->suffix().empty() ? static_cast<antlr4::ParserRuleContext*>(words.back()) : ctx->suffix().back();
  if (auto* list = ctx->operandList()) {
    end = list;
    for (auto* child : list->children) {
      if (auto* plain = dynamic_cast<Parser::OperandRefContext*>(child))
        operand_ref(plain, false, result.operands);
      if (auto* opt = dynamic_cast<Parser::OptOperandContext*>(child))
        operand_ref(opt->operandRef(), true, result.operands);
    }
  }
  result.text = text(words.back(), end);
  if (ctx->bind())
    for (auto* b : ctx->bind()->binding()) {
      Binding binding{b->word()->getText(), {}, b->members() != nullptr, at(b)};
      if (b->members())
        binding.members = members(b->members());
      else
        binding.members.push_back({b->path()->getText(), {}, at(b->path())});
      result.bindings.push_back(std::move(binding));
    }
  result.since = availability(ctx->since());
  return result;
}

void Translator::operands(Parser::OperandsContext* ctx, std::vector<OperandDecl>& into) {
  for (auto* declaration : ctx->operandDecl()) {
    OperandDecl operand;
    const std::string direction = declaration->direction->getText();
    operand.in = direction != "out";
    operand.out = direction != "in";
    for (auto* child : declaration->children) operand.sink = operand.sink || child->getText() == "sink";
    operand.type = expr(declaration->expr());
    for (auto* f : declaration->filter())
      operand.filters.push_back({f->word()->getText(), f->expr() ? expr(f->expr()) : nullptr, at(f->word())});
    for (auto* word : declaration->word()) {
      operand.name = word->getText();
      operand.at = at(word);
      into.push_back(operand);
    }
  }
}

BodyDecl Translator::body(Parser::BodyContext* ctx) {
  BodyDecl result;
  const std::string level = ctx->level->getText();
  result.level = level == "thread" ? BodyDecl::Level::Thread
                 : level == "warp" ? BodyDecl::Level::Warp
                                   : BodyDecl::Level::Cta;
  // After the form names may stand `aligned`, at warp level `sync m`, at thread level `until p`; a form may
  // itself be called sync or aligned.
  std::vector<std::string> words;
  for (auto* word : ctx->word()) words.push_back(word->getText());
  const bool commas =
      std::any_of(ctx->children.begin(), ctx->children.end(), [](auto* c) { return c->getText() == ","; });
  if (words.size() > (commas ? 0u : 1u) && words.back() == "aligned") {
    result.aligned = true;
    words.pop_back();
  } else if (words.size() == 1 && words[0] == "aligned") {
    result.aligned = true;
    words.clear();
  }
  if (result.level == BodyDecl::Level::Warp && words.size() >= 2 && words[words.size() - 2] == "sync") {
    result.sync = words.back();
    words.resize(words.size() - 2);
  }
  if (result.level == BodyDecl::Level::Thread && words.size() >= 2 && words[words.size() - 2] == "until") {
    result.until = words.back();
    words.resize(words.size() - 2);
  }
  result.forms = std::move(words);
  result.block = block(ctx->block());
  result.text = text(ctx);
  result.at = at(ctx);
  return result;
}

}  // namespace semcc::front
