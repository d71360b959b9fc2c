// Texels: texture.read.
#include <fmt/format.h>

#include <set>

#include "semcc/check/body.h"
#include "semcc/check/types.h"

namespace semcc::check {

// texture.read.C(geometry, handle, coordinates) with coordinates of type C: four channels of 32
// bits, the first lowest.
bool Evaluator::call_texture(const Callee& c, const front::Expr& e, Value& result) {
  if (c.name != "texture.read") return false;
  if (!body_) throw Refusal{e.at, "textures can only be read in a body"};
  want_args(c, e, 1, 3);
  static const std::set<std::string> geometries{"1d", "2d", "3d", "a1d", "a2d"};
  ir::Stmt stmt{};
  stmt.name = "texture_read";
  stmt.type = suffix_type(c, 0);
  stmt.text = word(*e.args[1]);
  stmt.labels.sem.clear();
  if (!geometries.count(stmt.text))
    throw Refusal{e.args[1]->at, fmt::format("{} is no geometry of a texture", stmt.text)};
  stmt.args.push_back(number(*e.args[2]));
  build::want_integer(stmt.args.back(), "a handle");
  for (const ir::ExprPtr& coordinate : elements(*e.args[3])) stmt.args.push_back(coordinate);
  result = Value::number(body_->transferred(std::move(stmt), "texel", integer_type(128, false), e.at));
  return true;
}

}  // namespace semcc::check
