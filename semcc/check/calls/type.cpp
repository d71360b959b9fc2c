// Types as values: width.T, is_signed.T, size(count), unspecified.T …
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using What = front::Expr::What;

// Words after dots that need no call.
Value Evaluator::member(const front::Expr& e) {
  if (is_value_name(*e.args[0])) {
    const Value base = value(*e.args[0]);
    if (e.text == "mask" && base.is(Value::What::Active))
      return Value::number(build::node(ir::Op::ActiveMask, integer_type(32, false, true), {}, e.at));
    if (e.text == "mask" && base.is(Value::What::Operand)) return Value::number(body_->pred_mask(base, e.at));
    throw Refusal{e.at, fmt::format("a value has no {}", e.text)};
  }
  const Callee c = callee(e);
  std::string dotted = c.name;
  for (const auto& suffix : c.suffixes) dotted += "." + suffix->text;
  static const std::map<std::string, unsigned> specials{
      {"cta.threads", 32},       {"cluster.rank", 32},       {"cluster.ctas", 32},
      {"warp.index", 32},        {"window.shared.base", 64}, {"window.shared.size", 64},
      {"window.local.base", 64}, {"window.local.size", 64},  {"window.const.base", 64},
      {"window.const.size", 64}, {"window.param.base", 64},  {"window.param.size", 64}};
  if (const auto special = specials.find(dotted); special != specials.end()) {
    ir::Expr s{};
    s.op = ir::Op::Special;
    s.type = integer_type(special->second, false);
    s.range = ir::range_of(s.type);
    s.name = dotted;
    s.at = e.at;
    return Value::number(std::make_shared<const ir::Expr>(std::move(s)));
  }
  Value result;
  if (c.suffixes.size() == 1 && type_query(c.name, c.suffixes, e.at, result)) return result;
  throw Refusal{e.at, fmt::format("unknown name {}", dotted)};
}

bool Evaluator::type_query(const std::string& name, const std::vector<front::ExprPtr>& suffixes, Location at,
                           Value& result) {
  using Query = Value (*)(const ir::Type&, Location);
  static const std::map<std::string, Query> queries{
      {"width", [](const ir::Type& t, Location l) { return Value::number(build::constant(t.bits(), l)); }},
      {"bytes",
       [](const ir::Type& t, Location l) { return Value::number(build::constant((t.bits() + 7) / 8, l)); }},
      {"parts", [](const ir::Type& t, Location l) { return Value::number(build::constant(t.parts, l)); }},
      {"is_signed",
       [](const ir::Type& t, Location l) { return Value::number(build::truth(t.is_signed, l)); }},
      {"is_float", [](const ir::Type& t,
                      Location l) { return Value::number(build::truth(t.kind == ir::Kind::Float, l)); }},
      {"is_bits", [](const ir::Type& t, Location l) { return Value::number(build::truth(t.is_bits, l)); }},
      {"is_unsigned",
       [](const ir::Type& t, Location l) {
         return Value::number(build::truth(t.kind == ir::Kind::Integer && !t.is_signed && !t.is_bits, l));
       }},
      {"canonical_nan", [](const ir::Type& t,
                           Location l) { return Value::number(build::constant(canonical_nan(t, l), t, l)); }},
      {"unspecified", [](const ir::Type& t,
                         Location l) { return Value::number(build::node(ir::Op::Unspecified, t, {}, l)); }},
      {"range",
       [](const ir::Type& t, Location) {
         Value v{Value::What::Range};
         v.type = t;
         return v;
       }},
  };
  const auto query = queries.find(name);
  if (query == queries.end() && !is_type_function(name)) return false;
  const ir::Type type = this->type(*suffixes[0]);
  result =
      query != queries.end() ? query->second(type, at) : Value::of_type(apply_type_function(name, type, at));
  return true;
}

bool Evaluator::call_type(const Callee& c, const front::Expr& e, Value& result) {
  if (c.name == "size") {  // v4, x4 -> 4, absent -> 1
    want_args(c, e, 0, 1);
    const std::string count = word(*e.args[1]);
    const bool known = count.empty() || (count.size() > 1 && (count[0] == 'v' || count[0] == 'x') &&
                                         count.find_first_not_of("0123456789", 1) == std::string::npos);
    if (!known) throw Refusal{e.at, fmt::format("{} is not a count: v2, v4, x4", count)};
    result = Value::number(build::constant(count.empty() ? 1 : std::stol(count.substr(1)), e.at));
    return true;
  }
  if (c.name == "available") {
    want_args(c, e, 0, 1, 2);
    front::Availability since;
    for (std::size_t i = 1; i < e.args.size(); ++i) {
      const front::Expr& arg = *e.args[i];
      const auto dot = arg.text.find('.');
      if (arg.what == What::Version) {
        since.major = std::stoi(arg.text.substr(0, dot));
        since.minor = std::stoi(arg.text.substr(dot + 1));
      } else if (arg.what == What::Name && arg.text.rfind("sm_", 0) == 0) {
        since.targets.push_back(arg.text);
      } else {
        throw Refusal{arg.at, "available takes a PTX version and an architecture: available(7.8, sm_90)"};
      }
    }
    needed.push_back(since);
    result = Value::number(build::truth(true, e.at));
    return true;
  }
  if (c.suffixes.empty() && is_type_function(c.name) && e.args.size() == 2) {
    const Value v = value(*e.args[1]);
    if (!v.is(Value::What::Type)) return false;  // bits(x) of a float
    result = Value::of_type(apply_type_function(c.name, v.type, e.at));
    return true;
  }
  return false;
}

}  // namespace semcc::check
