// The table readers decode events with: traces/format/api_table.h as constant data.
#include <fmt/format.h>

#include <algorithm>

#include "interposer/gen/emit.h"

namespace wedjat::interposer {
namespace {

constexpr const char* kKinds[] = {"none", "integer", "floating", "handle", "pointer", "structure", "string"};
constexpr const char* kDirections[] = {"value", "in", "out", "inout"};

std::string kind(const Type& type) { return fmt::format("ApiKind::{}", kKinds[static_cast<int>(type.kind)]); }

std::string row(const Parameter& parameter) {
  const Type& element = parameter.element;
  return fmt::format("    {{\"{}\", \"{}\", {}, {}, {}, ApiDirection::{}, \"{}\", {}, {}, {}}},\n",
                     parameter.name, parameter.spelling, kind(parameter.type),
                     parameter.type.is_signed ? 1 : 0, parameter.type.size,
                     kDirections[static_cast<int>(parameter.direction)], element.spelling, kind(element),
                     element.is_signed ? 1 : 0, element.size);
}

constexpr const char* kLookups = R"(
template <typename Row, typename Key>
const Row* find_row(std::span<const Row> rows, const Key& key) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), key, [](const Row& a, const Key& b) { return a.key() < b; });
  return row != rows.end() && row->key() == key ? &*row : nullptr;
}
}  // namespace

std::span<const ApiFunction> api_functions() { return kFunctions; }

const ApiFunction* find_api_function(std::string_view name) {
  const auto row = std::lower_bound(std::begin(kFunctions), std::end(kFunctions), name,
                                    [](const ApiFunction& a, std::string_view b) { return a.name < b; });
  return row != std::end(kFunctions) && row->name == name ? &*row : nullptr;
}

std::string_view enumerator_name(std::string_view type, std::int64_t value) {
  const Enumeration* enumeration = find_row<Enumeration>(kEnumerations, type);
  if (enumeration == nullptr) return {};
  const Enumerator* enumerator = find_row<Enumerator>(enumeration->values, value);
  return enumerator ? enumerator->name : std::string_view();
}

std::string_view result_name(std::int32_t result) { return enumerator_name("CUresult", result); }

std::int32_t api_cuda_version() { return kCudaVersion; }

}  // namespace wedjat::traces
)";

}  // namespace

std::string emit_api_table(const Model& model) {
  std::string out =
      "// Generated from interposer/api/api_table.json and cuda.yaml.\n#include "
      "\"traces/format/api_table.h\"\n\n"
      "#include <algorithm>\n#include <iterator>\n\nnamespace wedjat::traces {\nnamespace {\n"
      "struct Enumerator {\n  std::int64_t value;\n  std::string_view name;\n  std::int64_t key() const { "
      "return value; }\n};\n"
      "struct Enumeration {\n  std::string_view type;\n  std::span<const Enumerator> values;\n"
      "  std::string_view key() const { return type; }\n};\n\n";
  out += fmt::format("constexpr std::int32_t kCudaVersion = {};\n", model.cuda_version);
  for (const Function& function : model.functions) {
    if (function.parameters.empty()) continue;
    out += fmt::format("constexpr ApiParameter k_{}[] = {{\n", function.name);
    for (const Parameter& parameter : function.parameters) out += row(parameter);
    out += "};\n";
  }
  out += "\nconstexpr ApiFunction kFunctions[] = {\n";
  for (const Function& function : model.functions) {
    out += fmt::format("    {{\"{}\", \"{}\", {}, \"{}\", {}, {}}},\n", function.name, function.base,
                       function.version, function.flavour, function.inert,
                       function.parameters.empty() ? "{}" : "k_" + function.name);
  }
  out += "};\n\n";

  std::vector<Enumeration> enumerations = model.enumerations;
  std::sort(enumerations.begin(), enumerations.end(),
            [](const Enumeration& a, const Enumeration& b) { return a.alias < b.alias; });
  for (Enumeration& enumeration : enumerations) {
    auto& values = enumeration.values;
    // Two names of one value: the first is the one the header leads with.
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    values.erase(std::unique(values.begin(), values.end(),
                             [](const auto& a, const auto& b) { return a.second == b.second; }),
                 values.end());
    out += fmt::format("constexpr Enumerator k_{}[] = {{\n", enumeration.tag);
    for (const auto& [name, value] : values) out += fmt::format("    {{{}, \"{}\"}},\n", value, name);
    out += "};\n";
  }
  out += "\nconstexpr Enumeration kEnumerations[] = {\n";
  for (const Enumeration& enumeration : enumerations) {
    out += fmt::format("    {{\"{}\", k_{}}},\n", enumeration.alias, enumeration.tag);
  }
  return out + "};\n" + kLookups;
}

}  // namespace wedjat::interposer
