// What the emitter writes for bodies built by hand: machine widths, sharing, refusals.
#include "semcc/emit/executors/executors.h"

#include <doctest/doctest.h>

#include "tests/semcc/emit/executors/ir_builder.h"

namespace semcc::test {
namespace {

std::string text_of(const ir::Program& p) { return emit::emit_executors(p).files.at("integer/add.cpp"); }
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ir::Form add_of(ir::Type type) {
  return form("add", {type.name()}, {out("d", type), in("a", type), in("b", type)},
              {assign(0, wrap(type, add(operand(1, type), operand(2, type))))});
}

}  // namespace

TEST_CASE("a wrapped sum needs no more than the register's width") {
  const std::string text = text_of(program({add_of(u32)}));
  CHECK(contains(text, "add_u32_full"));
  CHECK(contains(text, "add_u32_masked"));
  CHECK(!contains(text, "u64"));
}

TEST_CASE("an exact sum that is clamped is formed in the next wider word") {
  const auto sum = add(operand(1, s32), operand(2, s32));
  const std::string text = text_of(program({form(
      "add", {"sat", "s32"}, {out("d", s32), in("a", s32), in("b", s32)}, {assign(0, clamp(s32, sum))})}));
  CHECK(contains(text, "bounded(s64("));
}

TEST_CASE("the high half of a product is formed in one wider multiplication") {
  const auto product = mul(operand(1, u32), operand(2, u32));
  const std::string text =
      text_of(program({form("mul", {"hi", "u32"}, {out("d", u32), in("a", u32), in("b", u32)},
                            {assign(0, slice(product, 63, 32))})}));
  CHECK(contains(text, ">> 32"));
  CHECK(!contains(text, "128"));
}

TEST_CASE("what is required fails as the semantics call it, whatever the text says") {
  for (const std::string name : {"undefined", "misaligned"}) {
    Stmt require{};
    require.what = Stmt::What::Require;
    require.name = name;
    require.text = "as you like";
    require.value = operation(Op::Less, pred, {operand(1, u32), constant(10)});
    ir::Form with = add_of(u32);
    with.body.insert(with.body.begin(), require);
    CHECK(contains(text_of(program({with})), "exec::" + name + "(warp, step, failed, \"as you like\")"));
  }
}

TEST_CASE("forms with the same code share a symbol") {
  const ir::Program p =
      program({add_of(u32), add_of(u64),
               form("add", {"b32"}, {out("d", u32), in("a", u32), in("b", u32)}, add_of(u32).body)});
  const emit::Executors executors = emit::emit_executors(p);
  const auto& forms = p.families[0].forms;
  CHECK(executors.symbol.at(&forms[0]) == executors.symbol.at(&forms[2]));
  CHECK(executors.symbol.at(&forms[0]) != executors.symbol.at(&forms[1]));
  CHECK(executors.files.count("executors.h") == 1);
}

TEST_CASE("packed words whose parts are treated alike are so many more lanes") {
  const auto part = [](int part, ir::Rounding rounding, int other) {
    const auto exact = [](int index, int p) {
      return operation(Op::Exact, {Kind::Real}, {operand(index, f16x2, p)});
    };
    ir::Type f16x1 = f16;
    ir::Expr sum = *operation(Op::Round, f16x1,
                              {operation(Op::RealAdd, {Kind::Real}, {exact(1, part), exact(2, other)})});
    sum.rounding = rounding;
    return assign(0, node(sum), part);
  };
  const auto text = [&](Stmt low, Stmt high) {
    return text_of(program({form("add", {"f16x2"}, {out("d", f16x2), in("a", f16x2), in("b", f16x2)},
                                 {std::move(low), std::move(high)})}));
  };
  const auto rn = ir::Rounding::rn, rz = ir::Rounding::rz;
  CHECK(contains(text(part(0, rn, 0), part(1, rn, 1)), "lane < 64"));
  CHECK(contains(text(part(0, rn, 0), part(1, rn, 1)), "sum<f16>("));
  // Not alike: another operation, another part.
  CHECK(contains(text(part(0, rn, 0), part(1, rz, 1)), "lane < 32"));
  CHECK(contains(text(part(0, rn, 1), part(1, rn, 0)), "lane < 32"));
}

TEST_CASE("only a sequentially consistent fence that reaches beyond the cluster waits") {
  const auto waits = [](const char* sem, const char* scope) {
    Stmt fence{.what = Stmt::What::Fence};
    fence.labels.sem = sem;
    fence.labels.scope = scope;
    return contains(text_of(program({form("fence", {sem, scope}, {}, {fence})})), "memory_order_seq_cst");
  };
  for (const char* scope : {"gpu", "sys"}) {
    CHECK(waits("sc", scope));
    CHECK(!waits("acq_rel", scope));
  }
  for (const char* scope : {"cta", "cluster"}) CHECK(!waits("sc", scope));
}

TEST_CASE("a value that fits no machine word is refused") {
  const auto wide =
      operation(Op::Shl, integer(0, false), {operand(1, u64), constant(70)}, {0, mpz_class(1) << 134});
  const auto bad = form("add", {"u64"}, {out("d", u64), in("a", u64)}, {assign(0, slice(wide, 133, 70))});
  CHECK_THROWS_AS(emit::emit_executors(program({bad})), emit::Error);
}

TEST_CASE("two directed roundings in one body are refused") {
  const auto sum = [](ir::Rounding rounding) {
    const auto exact = [](int index) { return operation(Op::Exact, {Kind::Real}, {operand(index, f32)}); };
    ir::Expr expr = *operation(Op::Round, f32, {operation(Op::RealAdd, {Kind::Real}, {exact(2), exact(3)})});
    expr.rounding = rounding;
    return node(expr);
  };
  const auto body = [&](ir::Rounding second) {
    return form("add", {"f32"}, {out("d", f32), out("e", f32), in("a", f32), in("b", f32)},
                {assign(0, sum(ir::Rounding::rz)), assign(1, sum(second))});
  };
  CHECK_THROWS_AS(emit::emit_executors(program({body(ir::Rounding::rp)})), emit::Error);
  CHECK(contains(text_of(program({body(ir::Rounding::rz)})), "RoundingScope scope(HostRounding::zero)"));
}

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace

TEST_CASE("what is combined with a predicate is compared by a function that forms share") {
  const auto compared = operation(Op::Less, pred, {operand(1, u32), operand(2, u32)});
  const auto with = [&](const char* logic, Op op) {
    return form("setp", {logic, "u32"}, {out("p", pred), in("a", u32), in("b", u32), in("c", pred)},
                {assign(0, operation(op, pred, {compared, operand(3, pred)}))});
  };
  const std::string text =
      text_of(program({with("and", Op::LogicalAnd), with("or", Op::LogicalOr), with("xor", Op::LogicalXor)}));
  for (const char* sign : {"&", "|", "^"})
    CHECK(contains(text, "(told_0 " + std::string(sign) + " c_row[0])"));
  CHECK(count(text, "lane_bits(") == 1);
}

TEST_CASE("two predicates of one comparison are told by one word, and both before either row changes") {
  const auto compared = operation(Op::Less, pred, {operand(2, u32), operand(3, u32)});
  const auto body = [&](ExprPtr second) {
    return text_of(program(
        {form("setp", {"u32"}, {out("p", pred), out("q", pred), in("a", u32), in("b", u32), in("c", pred)},
              {assign(0, compared), assign(1, std::move(second))})}));
  };
  const std::string text = body(operation(Op::LogicalNot, pred, {compared}));
  CHECK(count(text, "lane_bits(") == 1);
  CHECK(text.find("word_1 = ~told_0") < text.find("p_row[0] ="));
  // Two comparisons are one loop.
  CHECK(!contains(body(operation(Op::Less, pred, {operand(3, u32), operand(2, u32)})), "told_0"));
}

TEST_CASE("predicates that are combined with each other need no loop") {
  const auto either = operation(Op::LogicalXor, pred, {operand(1, pred), operand(2, pred)});
  const std::string text =
      text_of(program({form("xor", {"pred"}, {out("d", pred), in("a", pred), in("b", pred)},
                            {assign(0, operation(Op::LogicalNot, pred, {either}))})}));
  CHECK(contains(text, "~(a_row[0] ^ b_row[0])"));
  CHECK(!contains(text, "for ("));
}

TEST_CASE("a comparison of what a result needs too stays in the loop of that result") {
  Stmt let{};
  let.what = Stmt::What::Let;
  let.index = 0;
  let.value = wrap(u32, add(operand(2, u32), operand(3, u32)));
  const auto is_set = operation(Op::NotEqual, pred, {local(0, u32), constant(0)});
  ir::Form with = form(
      "lop", {"u32"}, {out("d", u32), out("p", pred), in("a", u32), in("b", u32), in("c", pred)},
      {let, assign(0, local(0, u32)), assign(1, operation(Op::LogicalOr, pred, {is_set, operand(4, pred)}))});
  with.locals = {{"sum", u32, ir::range_of(u32)}};
  const std::string text = text_of(program({with}));
  CHECK(!contains(text, "told_0"));
  CHECK(contains(text, "lane_bits("));
}

TEST_CASE("updates that do the same to an element share what is compiled for them") {
  ir::Operand address = in("a", u64);
  address.kind = ir::OperandKind::Address;
  const auto of = [&](const char* name, ir::Space space, int operand_of_change) {
    Stmt update{};
    update.what = Stmt::What::Let;
    update.index = 0;
    update.old_local = 1;
    update.type = u32;
    update.labels.space = space;
    update.address = operand(1, u64);
    update.value =
        operation(Op::MemoryUpdate, u32, {wrap(u32, add(local(1, u32), operand(operand_of_change, u32)))},
                  ir::range_of(u32));
    ir::Form f = form("red", {name}, {out("d", u32), address, in("b", u32), in("c", u32)},
                      {update, assign(0, local(0, u32))});
    f.locals = {{"got", u32, ir::range_of(u32)}, {"old", u32, ir::range_of(u32)}};
    return f;
  };
  const std::string text =
      text_of(program({of("one", ir::Space::Global, 2), of("other", ir::Space::Shared, 3)}));
  CHECK(contains(text, "(warp, step, mask, a_row, got_0, shared_0{b_row});"));
  CHECK(contains(text, "(warp, step, mask, a_row, got_0, shared_0{c_row});"));
  CHECK(!contains(text, "shared_1"));
}

TEST_CASE("consecutive reads become one vector access, made before anything is written") {
  ir::Operand address = in("a", u64);
  address.kind = ir::OperandKind::Address;
  ir::Operand d = out("d", u32);
  d.kind = ir::OperandKind::Vector;
  d.count = 2;
  const auto read = [](int index, ExprPtr where) {
    Stmt statement{};
    statement.what = Stmt::What::Let;
    statement.index = index;
    statement.type = u32;
    statement.labels.space = ir::Space::Global;
    statement.address = std::move(where);
    statement.value = operation(Op::MemoryRead, u32, {}, ir::range_of(u32));
    return statement;
  };
  ir::Form f = form("ld", {"v2", "u32"}, {d, address},
                    {read(0, operand(1, u64)), read(1, wrap(u64, add(operand(1, u64), constant(4)))),
                     assign(0, local(0, u32), 0), assign(0, local(1, u32), 1)});
  f.locals = {{"v0", u32, ir::range_of(u32)}, {"v1", u32, ir::range_of(u32)}};
  const std::string text = text_of(program({f}));
  CHECK(contains(text, "exec::read_vectors<u32, Space::Global, 2>(warp, step, mask, a_row, {"));
}

}  // namespace semcc::test
