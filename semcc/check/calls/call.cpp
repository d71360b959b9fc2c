// Calls: who is called, and functions written in the language.
#include <fmt/format.h>

#include <algorithm>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using What = front::Expr::What;

// memory.read.T -> name "memory.read", suffixes {T}; wrap.T -> "wrap", {T}; x.bit -> receiver x, name "bit".
Evaluator::Callee Evaluator::callee(const front::Expr& e) {
  Callee result;
  if (e.what == What::Member && is_value_name(*e.args[0])) {
    result.receiver = e.args[0].get();
    result.name = e.text;
    return result;
  }
  std::vector<front::ExprPtr> words;
  const front::Expr* at = &e;
  for (; at->what == What::Member; at = at->args[0].get())
    words.push_back(std::make_shared<front::Expr>(front::Expr{What::Name, at->at, at->text, 0, {}}));
  if (at->what != What::Name) throw Refusal{e.at, "this cannot be called"};
  std::reverse(words.begin(), words.end());
  result.name = at->text;
  static const std::set<std::string> rooms{"memory",  "multicast", "tensor", "texture", "surface",
                                           "barrier", "reduce",    "target", "window",  "multiply"};
  if (rooms.count(result.name) && !words.empty()) {
    result.name += "." + words.front()->text;
    words.erase(words.begin());
  }
  result.suffixes = std::move(words);
  return result;
}

Value Evaluator::call(const front::Expr& e) {
  const Callee c = callee(*e.args[0]);
  if (c.receiver) {
    std::vector<ir::ExprPtr> args;
    for (std::size_t i = 1; i < e.args.size(); ++i) args.push_back(number(*e.args[i]));
    return method(*c.receiver, c.name, args, e.at);
  }
  if (c.name.rfind("target.", 0) == 0) {
    const int profile = scope_->library->profile;
    if (profile < 0)
      throw Refusal{
          e.at,
          fmt::format("{} needs the profile of a target, and there is no folder profiles/ with it", c.name)};
    const auto& functions = scope_->files->at(profile).functions;
    const auto found = functions.find(c.name.substr(7));
    if (found == functions.end())
      throw Refusal{e.at, fmt::format("the target's profile has no function {}", c.name.substr(7))};
    return function(*found->second, c, e);
  }
  if (const auto found = scope_->functions.find(c.name); found != scope_->functions.end())
    return function(*found->second, c, e);
  Value result;
  if (call_type(c, e, result) || call_integer(c, e, result) || call_float(c, e, result) ||
      call_memory(c, e, result) || call_transfer(c, e, result) || call_multicast(c, e, result) ||
      call_texture(c, e, result) || call_warp(c, e, result) || call_barrier(c, e, result) ||
      call_matrix(c, e, result))
    return result;
  throw Refusal{e.at, fmt::format("unknown function {}", c.name)};
}

void Evaluator::want_args(const Callee& c, const front::Expr& e, std::size_t suffixes, std::size_t least,
                          std::size_t most) {
  if (c.suffixes.size() != suffixes)
    throw Refusal{e.at, fmt::format("{} takes {} type argument{} after dots, not {}", c.name, suffixes,
                                    suffixes == 1 ? "" : "s", c.suffixes.size())};
  const std::size_t given = e.args.size() - 1;
  if (given < least || given > most)
    throw Refusal{e.at,
                  fmt::format("{} takes {} argument{}, not {}", c.name,
                              least == most ? std::to_string(least) : fmt::format("{} to {}", least, most),
                              most == 1 ? "" : "s", given)};
}

ir::Type Evaluator::suffix_type(const Callee& c, std::size_t i) { return type(*c.suffixes[i]); }

Value Evaluator::method(const front::Expr& receiver, const std::string& name,
                        const std::vector<ir::ExprPtr>& args, Location at) {
  const Value base = value(receiver);
  if (args.size() != 1) throw Refusal{at, fmt::format("{} takes one argument", name)};
  if (name == "part") {
    if (!base.is(Value::What::Operand)) throw Refusal{at, "only packed operands have parts"};
    return Value::number(
        body_->read_part(base, build::number_of(args[0], "the number of a part"), nullptr, at));
  }
  const ir::ExprPtr x = number(base, at);
  if (name == "bit") return Value::number(build::bit(x, args[0], at));
  if (name == "byte") {
    if (build::is_constant(args[0]))
      return Value::number(build::slice(x, 8 * args[0]->constant + 7, 8 * args[0]->constant, at));
    const ir::ExprPtr by = build::integer(ir::Op::Mul, args[0], build::constant(8, at), at);
    return Value::number(build::slice(build::integer(ir::Op::Shr, x, by, at), 7, 0, at));
  }
  throw Refusal{at,
                fmt::format("a value has no {}: there are bit, byte and, of packed operands, part", name)};
}

Value Evaluator::function(const front::Function& f, const Callee& c, const front::Expr& call) {
  want_args(c, call, f.type_params.size(), f.params.size());
  if (std::find(calls_.begin(), calls_.end(), &f) != calls_.end())
    throw Refusal{call.at, fmt::format("{} calls itself: functions are inlined", f.name)};
  std::map<std::string, Value> frame;
  for (std::size_t i = 0; i < f.type_params.size(); ++i) frame[f.type_params[i]] = value(*c.suffixes[i]);
  std::vector<Value> args;
  for (std::size_t i = 1; i < call.args.size(); ++i) args.push_back(value(*call.args[i]));

  const Scope* outer = scope_;
  scope_ = &scope_->files->at(f.at.file);
  calls_.push_back(&f);
  frames_.push_back({std::move(frame)});
  // Leaves the function however it is left.
  struct Leave {
    Evaluator& e;
    const Scope* outer;
    ~Leave() {
      e.frames_.pop_back();
      e.calls_.pop_back();
      e.scope_ = outer;
    }
  } leave{*this, outer};

  for (std::size_t i = 0; i < args.size(); ++i) {
    const front::Param& p = f.params[i];
    if (p.type && !args[i].is(Value::What::Word) && !args[i].is(Value::What::Matrix)) {
      const ir::ExprPtr given = number(args[i], call.args[i + 1]->at);
      const ir::ExprPtr fitted =
          fit(given, type(*p.type), fmt::format("parameter {} of {}", p.name, f.name), call.args[i + 1]->at);
      args[i] = Value::number(body_ ? body_->keep(fitted, p.name) : fitted);
    }
    define(p.name, args[i]);
  }
  std::optional<Value> result;
  if (body_)
    result = body_->run_function(f.body, *this);
  else if (f.body.size() == 1 && f.body[0].what == front::Stmt::What::Return)
    result = value(*f.body[0].value);
  if (!result) throw Refusal{f.at, fmt::format("{} does not return a value on every path", f.name)};
  if (result->is(Value::What::Word) || result->is(Value::What::Matrix)) return *result;
  return Value::number(
      fit(number(*result, f.at), type(*f.result), fmt::format("the result of {}", f.name), f.at));
}

// `value` as a value of `type`: proven to lie in its range.
ir::ExprPtr fit(ir::ExprPtr value, const ir::Type& type, const std::string& what, Location at) {
  if (type.kind == ir::Kind::Integer && value->type.kind == ir::Kind::Integer) {
    if (type.width == 0) return value;
    const ir::Interval range = ir::range_of(type);
    if (!range.contains(value->range))
      throw Refusal{
          at,
          fmt::format(
              "{} is {} ({}..{}), but the value may be {}..{}: narrow it with wrap.{}, clamp.{} or a slice",
              what, type.name(), range.low.get_str(), range.high.get_str(), value->range.low.get_str(),
              value->range.high.get_str(), type.name(), type.name())};
    return value->type == type ? value : build::wrap(type, value, at);
  }
  if (!(value->type == type))
    throw Refusal{at, fmt::format("{} is {}, but the value is {}", what, type.name(), value->type.name())};
  return value;
}

}  // namespace semcc::check
