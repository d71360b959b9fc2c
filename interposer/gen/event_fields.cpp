#include "interposer/gen/event_fields.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

namespace wedjat::interposer {
namespace {

Field field(const std::string& name, Field::Shape shape, const Type& type) {
  switch (type.kind) {
    case Kind::integer:
      return {name, shape, fmt::format("{}int{}_t", type.is_signed ? "" : "u", type.size * 8), false, false};
    case Kind::floating:
      return {name, shape, type.size == 4 ? "float" : "double", false, true};
    case Kind::handle:
    case Kind::pointer:
      return {name, shape, "uint64_t", true, false};
    case Kind::string:
      return {name, Field::Shape::text, "char", false, false};
    case Kind::structure:
    case Kind::none:
      break;
  }
  return {name, Field::Shape::sequence, "uint8_t", false, false};
}

void check(const Function& function, const std::vector<Field>& fields, std::set<std::string> taken) {
  for (const Field& each : fields) {
    if (!taken.insert(each.name).second)
      throw std::runtime_error(function.name + ": two fields named " + each.name);
  }
}

}  // namespace

std::vector<Field> entry_fields(const Function& function) {
  std::vector<Field> fields;
  for (const Parameter& parameter : function.parameters) {
    fields.push_back(field(parameter.name, Field::Shape::scalar, parameter.type));
  }
  for (const Parameter& parameter : function.parameters) {
    if (parameter.is_in())
      fields.push_back(field(parameter.name + "_in", Field::Shape::sequence, parameter.element));
  }
  check(function, fields, {"seq"});
  return fields;
}

std::vector<Field> exit_fields(const Function& function) {
  std::vector<Field> fields;
  for (const Parameter& parameter : function.parameters) {
    if (parameter.is_out())
      fields.push_back(field(parameter.name + "_out", Field::Shape::sequence, parameter.element));
  }
  check(function, fields, {"seq", "call", "result"});
  return fields;
}

}  // namespace wedjat::interposer
