// One number a driver function, and what cuGetProcAddress must know of each.
#include <fmt/format.h>

#include <iterator>

#include "interposer/gen/emit.h"

namespace wedjat::interposer {
namespace {

std::string sizes(const Model& model) {
  std::string out;
  for (const auto& [name, table] : model.attribute_sizes) {
    out += fmt::format("constexpr unsigned size_of_{}(int attribute) {{\n  switch (attribute) {{\n", name);
    for (auto row = table.begin(); row != table.end(); ++row) {
      out += fmt::format("    case {}:", row->first);
      const auto next = std::next(row);
      out += next != table.end() && next->second == row->second ? "\n"
                                                                : fmt::format(" return {};\n", row->second);
    }
    out += "    default: return 0;\n  }\n}\n";
  }
  return out;
}

}  // namespace

std::string emit_entries(const Model& model) {
  std::string out =
      "// Generated from interposer/api/api_table.json and cuda.yaml.\n#pragma once\n\n#include <cstdint>\n\n"
      "namespace wedjat::interposer {\n\nenum class Entry : std::uint16_t {\n";
  for (const Function& function : model.functions) out += fmt::format("  {},\n", function.name);
  out +=
      fmt::format("}};\n\ninline constexpr int kEntries = {};\ninline constexpr int kCudaVersion = {};\n\n",
                  model.functions.size(), model.cuda_version);
  return out + sizes(model) + "\n}  // namespace wedjat::interposer\n";
}

std::string emit_entry_table(const Model& model) {
  std::string out =
      "// Generated from interposer/api/api_table.json.\n#include \"cuda_abi.h\"\n"
      "#include \"interposer/shim/driver/entry_table.h\"\n\nextern \"C\" {\n";
  for (const Function& function : model.functions) {
    std::string types;
    for (const Parameter& parameter : function.parameters)
      types += (types.empty() ? "" : ", ") + parameter.spelling;
    out += fmt::format("CUresult {}({});\n", function.name, types);
  }
  out += "}\n\nnamespace wedjat::interposer {\n\nconst EntryInfo kEntryTable[kEntries] = {\n";
  for (const Function& function : model.functions) {
    out +=
        fmt::format("    {{\"{0}\", \"{1}\", {2}, {3}, reinterpret_cast<void*>(&::{0})}},\n", function.name,
                    function.base, function.version, function.flavour.empty() ? "false" : "true");
  }
  return out + "};\n\n}  // namespace wedjat::interposer\n";
}

}  // namespace wedjat::interposer
