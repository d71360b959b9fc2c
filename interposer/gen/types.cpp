#include "interposer/gen/types.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace wedjat::interposer {
namespace {

std::string trim(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  return text;
}

std::string without_prefix(std::string text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0 ? trim(text.substr(prefix.size())) : text;
}

const std::map<std::string, Type>& builtins() {
  static const std::map<std::string, Type> types = {
      {"void", {"void", Kind::none, 0, false, ""}},
      {"char", {"char", Kind::integer, 1, true, ""}},
      {"unsigned char", {"unsigned char", Kind::integer, 1, false, ""}},
      {"unsigned short", {"unsigned short", Kind::integer, 2, false, ""}},
      {"int", {"int", Kind::integer, 4, true, ""}},
      {"unsigned int", {"unsigned int", Kind::integer, 4, false, ""}},
      {"long long", {"long long", Kind::integer, 8, true, ""}},
      {"unsigned long long", {"unsigned long long", Kind::integer, 8, false, ""}},
      {"size_t", {"size_t", Kind::integer, 8, false, ""}},
      {"uint32_t", {"uint32_t", Kind::integer, 4, false, ""}},
      {"uint64_t", {"uint64_t", Kind::integer, 8, false, ""}},
      {"float", {"float", Kind::floating, 4, true, ""}},
      {"double", {"double", Kind::floating, 8, true, ""}},
  };
  return types;
}

}  // namespace

Types::Types(const nlohmann::json& types) {
  for (const auto& entry : types) {
    if (entry.contains("typedef")) {
      const std::string name = entry.at("typedef");
      if (entry.contains("callback")) {
        callbacks_[name] = true;
      } else {
        aliases_[name] = entry.at("type");
      }
    } else if (entry.contains("size")) {
      record_size_[entry.contains("struct") ? entry.at("struct") : entry.at("union")] = entry.at("size");
    }
  }
}

std::string Types::pointee(const std::string& spelling) {
  const std::string text = without_prefix(trim(spelling), "");
  return !text.empty() && text.back() == '*' ? trim(text.substr(0, text.size() - 1)) : "";
}

bool Types::is_const(const std::string& spelling) {
  return spelling.rfind("const ", 0) == 0 && pointee(spelling).empty();
}

Type Types::resolve(const std::string& spelling) const {
  const std::string text = trim(spelling);
  if (!pointee(text).empty()) return {text, Kind::pointer, 8, false, ""};
  const std::string name = without_prefix(text, "const ");
  Type type = resolve_name(name);
  type.spelling = name;
  return type;
}

Type Types::resolve_name(const std::string& name) const {
  if (const auto builtin = builtins().find(name); builtin != builtins().end()) return builtin->second;
  if (callbacks_.contains(name)) return {name, Kind::pointer, 8, false, ""};
  if (name.rfind("enum ", 0) == 0) return {name, Kind::integer, 4, false, ""};
  const std::string tag = without_prefix(without_prefix(name, "struct "), "union ");
  if (tag != name) {
    const auto size = record_size_.find(tag);
    return size == record_size_.end() ? Type{name, Kind::none, 0, false, tag}
                                      : Type{name, Kind::structure, size->second, false, tag};
  }
  const auto alias = aliases_.find(name);
  if (alias == aliases_.end()) throw std::runtime_error("type " + name + " is not in the table");
  if (const std::string target = pointee(alias->second); !target.empty())
    return {name, Kind::handle, 8, false, ""};
  Type type = resolve_name(alias->second);
  // A 64-bit number that the API gave a CU name stands for a driver object: CUdeviceptr, CUtexObject.
  if (type.kind == Kind::integer && type.size == 8 && name.rfind("CU", 0) == 0) type.kind = Kind::handle;
  return type;
}

}  // namespace wedjat::interposer
