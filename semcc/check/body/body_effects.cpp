// Memory, fences and barriers.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

using ir::Op;

void Body::want_effects(const char* what, Location at) const {
  if (!guards_.empty()) throw Refusal{at, fmt::format("{} under a condition known only at run time", what)};
  want_memory(what, at);
}

void Body::want_memory(const char* what, Location at) const {
  if (no_locals > 0) throw Refusal{at, fmt::format("{} inside an expression over lanes or an update", what)};
  if (!in_lanes) throw Refusal{at, fmt::format("{} outside forall", what)};
}

// What the conditions of the run time around come to; null if there are none.
ir::ExprPtr Body::guard(Location at) const {
  ir::ExprPtr all;
  for (const ir::ExprPtr& one : guards_) all = all ? build::logical("&&", all, one, at) : one;
  return all;
}

namespace {
void want_element(const ir::Type& type, Location at) {
  if (type.parts > 1 || type.width < 8 || (type.kind != ir::Kind::Integer && type.kind != ir::Kind::Float))
    throw Refusal{at, fmt::format("memory holds integers and floats of 8 to 128 bits, not {}", type.name())};
}
}  // namespace

ir::ExprPtr Body::memory_read(const ir::Type& type, const ir::MemoryLabels& labels, ir::ExprPtr address,
                              Location at) {
  want_memory("memory is read", at);
  want_element(type, at);
  const int index = add_local("loaded", type, ir::range_of(type), false);
  ir::Stmt& let = emit(ir::Stmt::What::Let, at);
  let.index = index;
  let.type = type;
  let.labels = labels;
  let.guard = guard(at);
  let.address = std::move(address);
  let.value = build::node(Op::MemoryRead, type, {}, at);
  return local(index, at);
}

ir::ExprPtr Body::memory_update(const ir::Type& type, const ir::MemoryLabels& labels, ir::ExprPtr address,
                                const std::function<ir::ExprPtr(ir::ExprPtr)>& change, Location at) {
  want_memory("memory is updated", at);
  want_element(type, at);
  const int index = add_local("old", type, ir::range_of(type), false);
  ++no_locals;
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{no_locals};
  const ir::ExprPtr now = change(local(index, at));
  ir::Stmt& let = emit(ir::Stmt::What::Let, at);
  let.index = let.old_local = index;
  let.type = type;
  let.labels = labels;
  let.guard = guard(at);
  let.address = std::move(address);
  let.value = build::node(Op::MemoryUpdate, type, {now}, at);
  return local(index, at);
}

void Body::memory_write(const ir::Type& type, const ir::MemoryLabels& labels, ir::ExprPtr address,
                        ir::ExprPtr value, Location at) {
  want_memory("memory is written", at);
  want_element(type, at);
  ir::Stmt& write = emit(ir::Stmt::What::MemoryWrite, at);
  write.type = type;
  write.labels = labels;
  write.guard = guard(at);
  write.address = std::move(address);
  write.value = std::move(value);
}

void Body::transfer(ir::Stmt transfer, const std::function<ir::ExprPtr(ir::ExprPtr, ir::ExprPtr)>& changed,
                    Location at) {
  want_memory("memory is copied", at);
  transfer.what = ir::Stmt::What::Transfer;
  transfer.guard = guard(at);
  transfer.at = at;
  if (changed) {
    want_element(transfer.type, at);
    transfer.old_local = add_local("old", transfer.type, ir::range_of(transfer.type), false);
    transfer.element_local = add_local("element", transfer.type, ir::range_of(transfer.type), false);
    ++no_locals;
    transfer.value = changed(local(transfer.old_local, at), local(transfer.element_local, at));
    --no_locals;
  }
  form_.body.push_back(std::move(transfer));
}

ir::ExprPtr Body::transferred(ir::Stmt transfer, const std::string& name, const ir::Type& type, Location at,
                              const std::function<ir::ExprPtr(ir::ExprPtr, ir::ExprPtr)>& changed) {
  const int index = transfer.index = add_local(name, type, ir::range_of(type), false);
  this->transfer(std::move(transfer), changed, at);
  return local(index, at);
}

void Body::prefetch(const ir::MemoryLabels& labels, ir::ExprPtr address, Location at) {
  want_effects("a prefetch", at);
  ir::Stmt& prefetch = emit(ir::Stmt::What::Prefetch, at);
  prefetch.labels = labels;
  prefetch.address = std::move(address);
}

void Body::barrier(const std::string& name, std::vector<ir::ExprPtr> args, Location at) {
  want_effects("a barrier", at);
  if (form_.level != ir::Level::Cta) throw Refusal{at, "barriers belong to cta bodies"};
  ir::Stmt& barrier = emit(ir::Stmt::What::Barrier, at);
  barrier.name = name;
  barrier.args = std::move(args);
}

ir::ExprPtr Body::barrier_result(const std::string& name, std::vector<ir::ExprPtr> args, Location at) {
  barrier(name, std::move(args), at);
  ir::Expr e{};
  e.op = Op::Special;
  e.type = name == "reduce_popc" ? integer_type(32, false) : pred_type();
  e.range = ir::range_of(e.type);
  e.name = barrier_result_name;
  e.at = at;
  return std::make_shared<const ir::Expr>(std::move(e));
}

void Body::fence(const front::Stmt& s, Evaluator& names) {
  want_effects("a fence", s.at);
  const auto word_of = [&](const std::string& text) -> std::string {
    const Value v = names.named(text, s.at);
    if (!v.is(Value::What::Word)) throw Refusal{s.at, fmt::format("{} is not a word", text)};
    return v.word;
  };
  ir::MemoryLabels labels;
  labels.sem = word_of(s.name);
  labels.scope = s.text.empty() ? "" : word_of(s.text);
  if (labels.sem.empty()) throw Refusal{s.at, "a fence needs its semantics: acquire, release, acq_rel or sc"};
  emit(ir::Stmt::What::Fence, s.at).labels = labels;
}

}  // namespace semcc::check
