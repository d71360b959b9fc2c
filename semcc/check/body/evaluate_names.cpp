// Names and types.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

// Words the built-in functions know besides the members of sets: roundings, state spaces, memory orders,
// scopes.
const std::set<std::string>& own_words() {
  static const std::set<std::string> words{
      "rn",      "rz",      "rm",          "rp",         "rna",      "rni",     "rzi",
      "rmi",     "rpi",     "none",        "generic",    "global",   "shared",  "shared_cluster",
      "local",   "const",   "param",       "weak",       "volatile", "relaxed", "acquire",
      "release", "acq_rel", "sc",          "mmio",       "no_scope", "cta",     "cluster",
      "gpu",     "sys",     "param_entry", "param_func", "texture",  "surface", "sampler",
      "tensor"};
  return words;
}

}  // namespace

Value* Evaluator::local(const std::string& name) {
  auto& blocks = frames_.back();
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
    if (const auto found = block->find(name); found != block->end()) return &found->second;
  return nullptr;
}

Value Evaluator::name(const front::Expr& e) { return named(e.text, e.at); }

Value Evaluator::named(const std::string& word, Location at) {
  if (const Value* value = local(word)) {
    if (value->is(Value::What::Poison)) throw Refusal{at, ""};
    return value->is(Value::What::Variable) ? Value::number(body_->variable(value->index)) : *value;
  }
  if (const auto alias = scope_->aliases.find(word); alias != scope_->aliases.end())
    return Value::of_type(type(*alias->second->type));
  if (const auto set = scope_->sets.find(word); set != scope_->sets.end()) {
    mentioned_.insert(word);
    if (const auto found = bound_.find(word); found != bound_.end()) return found->second;
    if (set->second->kind == front::SetDecl::Kind::Types)
      throw Refusal{
          at, fmt::format("{} is a set of types, and this form does not say which of them it means", word)};
    return Value::of_word("");
  }
  if (const auto found = bound_.find(word); found != bound_.end()) return found->second;
  if (scope_->states.count(word)) {
    if (!body_) throw Refusal{at, fmt::format("{} is a state: it can only be read in a body", word)};
    return Value::number(body_->state(word, at));
  }
  if (word == "active") return Value{Value::What::Active};
  if (word == "form") return Value::of_word(form_name_);
  if (word == "true" || word == "false") return Value::number(build::truth(word == "true", at));
  if (auto type = type_named(word)) return Value::of_type(*type);
  if (word == "none") return Value::of_word("");
  if (scope_->words.count(word) || own_words().count(word)) return Value::of_word(word);
  throw Refusal{at, fmt::format("unknown name {}", word)};
}

ir::Type Evaluator::type(const front::Expr& e) {
  const Value v = value(e);
  if (!v.is(Value::What::Type)) throw Refusal{e.at, "this must be a type"};
  return v.type;
}

std::string Evaluator::word(const front::Expr& e) {
  const Value v = value(e);
  if (v.is(Value::What::Type)) return v.type.name();
  if (!v.is(Value::What::Word)) throw Refusal{e.at, "this must be a modifier's word"};
  return v.word;
}

bool Evaluator::decide(const front::Expr& e) {
  const ir::ExprPtr condition = number(e);
  build::want_pred(condition, "a condition");
  if (!build::is_constant(condition)) throw Refusal{e.at, "this condition must be known at compile time"};
  return condition->constant != 0;
}

mpz_class Evaluator::integer(const front::Expr& e, const char* what) {
  return build::number_of(number(e), what);
}

ir::ExprPtr Evaluator::number(const front::Expr& e) { return number(value(e), e.at); }

ir::ExprPtr Evaluator::number(const Value& v, Location at) {
  switch (v.what) {
    case Value::What::Number:
      return v.expr;
    case Value::What::Operand:
      return body_->read(v, nullptr, at);
    case Value::What::Word:
      return build::truth(!v.word.empty(), at);
    case Value::What::Poison:
      throw Refusal{at, ""};
    case Value::What::Type:
      throw Refusal{at, fmt::format("{} is a type, not a value", v.type.name())};
    default:
      throw Refusal{at, "this is not a value"};
  }
}

// True for an expression that starts at a value: then `.word` is a method, otherwise a type argument.
bool Evaluator::is_value_name(const front::Expr& e) {
  if (e.what != front::Expr::What::Name)
    return e.what != front::Expr::What::Member || is_value_name(*e.args[0]);
  if (const Value* value = local(e.text)) {
    using W = Value::What;
    return value->is(W::Number) || value->is(W::Operand) || value->is(W::Variable) || value->is(W::Poison);
  }
  return scope_->states.count(e.text) > 0 || e.text == "active";
}

}  // namespace semcc::check
