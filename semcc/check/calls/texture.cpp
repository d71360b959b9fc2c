// Texels: texture.read and what asks about textures and surfaces.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "semcc/check/body/body.h"
#include "semcc/check/types/types.h"

namespace semcc::check {

// texture.read.C(geometry, handle, sampler, coordinates, offsets), and a level of type C or two gradients
// where they are written; texture.gather(geometry, component, handle, sampler, coordinates, offsets): four
// channels of 32 bits, the first lowest. The sampler is a handle, too, or 0. surface.bytes(geometry, mode,
// handle, coordinates, n), surface.texel(geometry, mode, handle, coordinates): an address or 0.
// texture.query(what, handle), surface.query(what, handle): a u32.
bool Evaluator::call_texture(const Callee& c, const front::Expr& e, Value& result) {
  static const std::map<std::string, std::pair<std::string, std::size_t>> calls{
      {"texture.read", {"texture_read", 5}},   {"texture.gather", {"texture_gather", 6}},
      {"surface.bytes", {"surface_bytes", 5}}, {"surface.texel", {"surface_texel", 4}},
      {"texture.query", {"texture_query", 2}}, {"surface.query", {"surface_query", 2}}};
  const auto call = calls.find(c.name);
  if (call == calls.end()) return false;
  if (!body_) throw Refusal{e.at, "textures and surfaces can only be read in a body"};
  const auto& [name, count] = call->second;
  const bool gathers = name == "texture_gather", reads = name == "texture_read" || gathers;
  const bool asks = count == 2, places = !reads && !asks;
  // A level, or two gradients.
  const std::size_t more = name == "texture_read" && e.args.size() > count + 1
                               ? std::min<std::size_t>(e.args.size() - count - 1, 2)
                               : 0;
  want_args(c, e, reads && !gathers ? 1 : 0, count + more);
  static const std::set<std::string> geometries{"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"},
      modes{"trap", "clamp", "zero"}, components{"r", "g", "b", "a"};
  ir::Stmt stmt{};
  stmt.name = name;
  stmt.labels.sem.clear();
  stmt.text = word(*e.args[1]);
  if (!asks && !geometries.count(stmt.text))
    throw Refusal{e.args[1]->at, fmt::format("{} is no geometry of a texture", stmt.text)};
  std::size_t next = 2;
  if (reads && !gathers) stmt.type = suffix_type(c, 0);
  if (places || gathers) {
    stmt.mode = word(*e.args[next]);
    if (!(gathers ? components : modes).count(stmt.mode))
      throw Refusal{e.args[next]->at,
                    gathers ? "a component is r, g, b or a" : "a mode is trap, clamp or zero"};
    ++next;
  }
  stmt.args.push_back(number(*e.args[next++]));
  build::want_integer(stmt.args.back(), "a handle");
  if (reads) {
    stmt.args.push_back(number(*e.args[next++]));
    build::want_integer(stmt.args.back(), "a sampler");
  }
  if (!asks)
    for (const ir::ExprPtr& coordinate : elements(*e.args[next])) stmt.args.push_back(coordinate);
  if (reads) {
    stmt.part = static_cast<int>(stmt.args.size()) - 2;
    for (const ir::ExprPtr& offset : elements(*e.args[next + 1])) stmt.args.push_back(offset);
    const std::size_t before = stmt.args.size();
    for (std::size_t i = 0; i < more; ++i)
      for (const ir::ExprPtr& part : elements(*e.args[next + 2 + i])) stmt.args.push_back(part);
    stmt.level = static_cast<int>(stmt.args.size() - before);
  }
  if (name == "surface_bytes")
    stmt.part = static_cast<int>(build::number_of(number(*e.args[5]), "the number of bytes").get_si());
  const unsigned bits = reads ? 128 : places ? 64 : 32;
  result = Value::number(
      body_->transferred(std::move(stmt), reads ? "texel" : "at", integer_type(bits, false), e.at));
  return true;
}

}  // namespace semcc::check
