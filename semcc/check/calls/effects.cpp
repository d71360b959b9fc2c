// Memory and barrier events.
#include <fmt/format.h>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

ir::Space space_named(const std::string& word, Location at) {
  using ir::Space;
  static const std::map<std::string, Space> spaces{{"", Space::Generic},
                                                   {"generic", Space::Generic},
                                                   {"global", Space::Global},
                                                   {"shared", Space::Shared},
                                                   {"shared::cta", Space::Shared},
                                                   {"shared::cluster", Space::SharedCluster},
                                                   {"shared_cluster", Space::SharedCluster},
                                                   {"local", Space::Local},
                                                   {"const", Space::Const},
                                                   {"param", Space::Param},
                                                   {"param::entry", Space::ParamEntry},
                                                   {"param_entry", Space::ParamEntry},
                                                   {"param::func", Space::ParamFunc},
                                                   {"param_func", Space::ParamFunc},
                                                   {"texture", Space::Texture},
                                                   {"surface", Space::Surface},
                                                   {"sampler", Space::Sampler},
                                                   {"tensor", Space::Tensor}};
  const auto found = spaces.find(word);
  if (found == spaces.end()) throw Refusal{at, fmt::format("{} is not a state space", word)};
  return found->second;
}

}  // namespace

ir::Space space_of(Evaluator& names, const front::Expr& e) { return space_named(names.word(e), e.at); }

// sem and scope, if given, follow at `sem` and `sem` + 1.
ir::MemoryLabels Evaluator::labels(const Args& args, std::size_t space, std::size_t sem, Location at) {
  ir::MemoryLabels result;
  result.space = space_of(*this, *args[space]);
  if (args.size() > sem) result.sem = word(*args[sem]);
  if (args.size() > sem + 1) result.scope = word(*args[sem + 1]);
  if (result.scope == "no_scope") result.scope.clear();
  static const std::set<std::string> sems{"",        "weak",    "volatile", "relaxed", "acquire",
                                          "release", "acq_rel", "sc",       "mmio"};
  static const std::set<std::string> scopes{"", "cta", "cluster", "gpu", "sys"};
  if (!sems.count(result.sem))
    throw Refusal{args[sem]->at, fmt::format("{} is not a memory semantics", result.sem)};
  if (!scopes.count(result.scope))
    throw Refusal{args[sem + 1]->at, fmt::format("{} is not a scope", result.scope)};
  if (result.sem.empty()) result.sem = "weak";
  return result;
}

bool Evaluator::call_memory(const Callee& c, const front::Expr& e, Value& result) {
  const bool known = c.name == "memory.read" || c.name == "memory.write" || c.name == "memory.update" ||
                     c.name == "prefetch";
  if (!known) return false;
  if (!body_) throw Refusal{e.at, "memory can only be touched in a body"};
  const auto address = [&](std::size_t i) {
    const ir::ExprPtr a = number(*e.args[i]);
    build::want_integer(a, "an address");
    return a;
  };
  if (c.name == "prefetch") {
    want_args(c, e, 0, 2);
    body_->prefetch(labels(e.args, 1, 3, e.at), address(2), e.at);
    return true;
  }
  if (c.name == "memory.read") {
    want_args(c, e, 1, 2, 4);
    result =
        Value::number(body_->memory_read(suffix_type(c, 0), labels(e.args, 1, 3, e.at), address(2), e.at));
    return true;
  }
  if (c.name == "memory.write") {
    want_args(c, e, 1, 3, 5);
    const ir::Type type = suffix_type(c, 0);
    body_->memory_write(type, labels(e.args, 1, 4, e.at), address(2),
                        fit(number(*e.args[3]), type, "what is written", e.args[3]->at), e.at);
    return true;
  }
  want_args(c, e, 1, 5);
  const front::Expr& change = *e.args[5];
  if (change.what != front::Expr::What::Lambda)
    throw Refusal{change.at, "the last argument of memory.update is `old => new`"};
  const ir::Type type = suffix_type(c, 0);
  ir::MemoryLabels where = labels(e.args, 1, 3, e.at);
  if (where.sem == "weak") where.sem = "relaxed";  // there is no weak update
  const auto apply = [&](const ir::ExprPtr& old) {
    push();
    define(change.text, Value::number(old));
    ir::ExprPtr now = fit(number(*change.args[0]), type, "the new value", change.at);
    pop();
    return now;
  };
  result = Value::number(body_->memory_update(type, where, address(2), apply, e.at));
  return true;
}

bool Evaluator::call_barrier(const Callee& c, const front::Expr& e, Value& result) {
  if (c.name.rfind("barrier.", 0) != 0) return false;
  const std::string what = c.name.substr(8);
  const bool reduces = what == "popc" || what == "and" || what == "or";
  const bool cluster = what == "cluster_arrive" || what == "cluster_wait";
  if (!reduces && !cluster && what != "sync" && what != "arrive") return false;
  if (!body_) throw Refusal{e.at, "barriers can only be met in a body"};
  if (cluster) {
    want_args(c, e, 0, 0);
    body_->barrier(what, {}, e.at);
    return true;
  }
  want_args(c, e, 0, reduces ? 3 : 2);
  std::vector<ir::ExprPtr> args;
  for (std::size_t i = 1; i < e.args.size(); ++i) args.push_back(number(*e.args[i]));
  build::want_integer(args[0], "the barrier's number");
  build::want_integer(args[1], "the number of threads");
  if (!reduces) {
    body_->barrier(what, std::move(args), e.at);
    return true;
  }
  build::want_pred(args[2], "what is reduced");
  result = Value::number(body_->barrier_result("reduce_" + what, std::move(args), e.at));
  return true;
}

}  // namespace semcc::check
