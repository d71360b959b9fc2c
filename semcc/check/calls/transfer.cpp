// Bytes that go from one memory to another: memory.copy, memory.reduce and copies through tensor maps.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

const front::Expr& lambda(const front::Expr& e) {
  if (e.what != front::Expr::What::Lambda)
    throw Refusal{e.at, "a reduction ends with `old => element => new`"};
  return e;
}

}  // namespace

// Numbers, or the elements of a vector operand.
std::vector<ir::ExprPtr> Evaluator::elements(const front::Expr& e) {
  std::vector<ir::ExprPtr> all;
  if (e.what == front::Expr::What::Set) {
    for (const front::ExprPtr& element : e.args) all.push_back(number(*element));
    return all;
  }
  const Value whole = value(e);
  const bool vector = whole.is(Value::What::Operand) && whole.element < 0 &&
                      body_->form().operands[static_cast<std::size_t>(whole.index)].count > 1;
  if (!vector) {
    all.push_back(number(whole, e.at));
    return all;
  }
  const unsigned count = body_->form().operands[static_cast<std::size_t>(whole.index)].count;
  for (unsigned i = 0; i < count; ++i) {
    Value element = whole;
    element.element = static_cast<int>(i);
    all.push_back(number(element, e.at));
  }
  return all;
}

bool Evaluator::call_transfer(const Callee& c, const front::Expr& e, Value& result) {
  static const std::map<std::string, std::string> names{
      {"memory.copy", "copy"},          {"memory.reduce", "reduce"},        {"tensor.load", "tensor_load"},
      {"tensor.store", "tensor_store"}, {"tensor.reduce", "tensor_reduce"}, {"tensor.type", "tensor_type"}};
  const auto found = names.find(c.name);
  if (found == names.end()) return false;
  if (!body_) throw Refusal{e.at, "memory can only be touched in a body"};
  const bool reduces = c.name == "memory.reduce" || c.name == "tensor.reduce";
  const bool tensor = c.name.rfind("tensor.", 0) == 0;
  ir::Stmt stmt{};
  stmt.name = found->second;
  if (reduces && c.suffixes.size() == 1) stmt.type = suffix_type(c, 0);

  std::size_t next = 1;
  const auto add = [&](const ir::ExprPtr& value) {
    build::want_integer(value, "an address or a number");
    stmt.args.push_back(value);
  };
  const auto add_one = [&] { add(number(*e.args[next++])); };
  const auto add_all = [&] {
    const std::vector<ir::ExprPtr> all = elements(*e.args[next++]);
    for (const ir::ExprPtr& one : all) add(one);
    return static_cast<int>(all.size());
  };
  if (c.name == "tensor.type") {
    want_args(c, e, 0, 1);
    add_one();
  } else if (tensor) {
    want_args(c, e, reduces ? 1 : 0, reduces ? 6 : 5, reduces ? 6 : c.name == "tensor.load" ? 6 : 5);
    const front::Expr& mode = *e.args[next++];
    const Value* const bound = local(mode.text);
    stmt.text = bound && bound->is(Value::What::Word) ? bound->word : mode.text;
    if (stmt.text != "tile" && stmt.text != "im2col")
      throw Refusal{e.args[1]->at, fmt::format("{} is no mode of a tensor: tile or im2col", stmt.text)};
    if (c.name == "tensor.load") {
      stmt.labels.space = space_of(*this, *e.args[next++]);
      add_one();
      add_one();
      stmt.part = add_all();
      if (next < e.args.size()) add_all();
    } else {  // the IR has both addresses first
      stmt.labels.space = ir::Space::Global;
      const std::size_t map = next, coordinates = next + 1;
      stmt.from = space_of(*this, *e.args[next + 2]);
      add(number(*e.args[map]));
      add(number(*e.args[next + 3]));
      next = coordinates;
      stmt.part = add_all();
    }
  } else {
    want_args(c, e, reduces ? 1 : 0, reduces ? 6 : 5, 6);
    stmt.labels.space = space_of(*this, *e.args[1]);
    stmt.from = space_of(*this, *e.args[3]);
    add(number(*e.args[2]));
    add(number(*e.args[4]));
    add(number(*e.args[5]));
    if (!reduces && e.args.size() > 6) add(number(*e.args[6]));
  }
  if (c.name == "tensor.load" || c.name == "tensor.type") {
    result = Value::number(body_->transferred(std::move(stmt), "bytes", integer_type(32, false), e.at));
    return true;
  }
  const ir::Type type = stmt.type;
  const auto apply = [&](const ir::ExprPtr& old, const ir::ExprPtr& element) {
    const front::Expr& outer = lambda(*e.args.back());
    const front::Expr& inner = lambda(*outer.args[0]);
    push();
    define(outer.text, Value::number(old));
    define(inner.text, Value::number(element));
    ir::ExprPtr now = fit(number(*inner.args[0]), type, "the new element", inner.at);
    pop();
    return now;
  };
  if (reduces)
    body_->transfer(std::move(stmt), apply, e.at);
  else
    body_->transfer(std::move(stmt), nullptr, e.at);
  return true;
}

}  // namespace semcc::check
