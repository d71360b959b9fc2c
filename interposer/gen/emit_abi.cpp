// cuda_abi.h: what the recorder must know of cuda.h's types, so that it builds without a toolkit.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "interposer/gen/emit.h"

namespace wedjat::interposer {
namespace {
using nlohmann::ordered_json;

// "unsigned char[24]", name -> "unsigned char name[24]"
std::string declare(const std::string& type, const std::string& name) {
  const std::size_t bracket = type.find('[');
  if (bracket == std::string::npos) return type + " " + name;
  return type.substr(0, bracket) + " " + name + type.substr(bracket);
}

std::string fields(const ordered_json& list, int depth) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  std::string out;
  for (const ordered_json& field : list) {
    const std::string name = field.at("name");
    if (field.contains("fields")) {
      out += fmt::format("{}{} {{\n{}{}}} {};\n", indent, field.contains("union") ? "union" : "struct",
                         fields(field.at("fields"), depth + 1), indent, name);
    } else {
      out += fmt::format("{}{};\n", indent, declare(field.at("type"), name));
    }
  }
  return out;
}

}  // namespace

std::string declaration(const ordered_json& entry) {
  if (entry.contains("callback")) {
    std::string text = entry.at("callback");
    text.insert(text.find("(*") + 2, entry.at("typedef").get<std::string>());
    return "typedef " + text + ";\n";
  }
  if (entry.contains("typedef")) {
    return fmt::format("typedef {};\n", declare(entry.at("type"), entry.at("typedef")));
  }
  if (entry.contains("enum")) {
    std::string out = fmt::format("enum {} {{\n", entry.at("enum").get<std::string>());
    for (const ordered_json& value : entry.at("values")) {
      out += fmt::format("  {} = {},\n", value.at(0).get<std::string>(), value.at(1).get<std::int64_t>());
    }
    return out + "};\n";
  }
  const std::string word = entry.contains("union") ? "union" : "struct";
  const std::string tag = entry.at(word);
  if (!entry.contains("fields")) return fmt::format("{} {};\n", word, tag);
  std::string out = fmt::format("{} {} {{\n{}}} __attribute__((aligned({})));\n", word, tag,
                                fields(entry.at("fields"), 1), entry.at("align").get<int>());
  return out + fmt::format("_Static_assert(sizeof({} {}) == {}, \"layout\");\n", word, tag,
                           entry.at("size").get<int>());
}

std::string emit_abi(const std::filesystem::path& directory) {
  std::ifstream file(directory / "api_table.json");
  const ordered_json table = ordered_json::parse(file);
  std::string out =
      "// Generated from interposer/api/api_table.json: the types of the CUDA driver API.\n#pragma once\n\n"
      "#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\n#define _Static_assert "
      "static_assert\nextern \"C\" {\n#endif\n\n";
  for (const ordered_json& entry : table.at("types")) out += declaration(entry);
  return out + fmt::format("\n#define CUDA_VERSION {}\n\n", table.at("cuda_version").get<int>()) +
         "#ifdef __cplusplus\n}\n#undef _Static_assert\n#endif\n";
}

}  // namespace wedjat::interposer
