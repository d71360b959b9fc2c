#include "interposer/api/functions.h"

#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

namespace wedjat::interposer {
using nlohmann::ordered_json;
namespace {

struct Symbol {
  std::string name;
  int order = 1;  // 1 for cuX, 2 for cuX_v2 ...
  CXCursor cursor;
};

struct Pointer {
  int version = 0;
  CXType type;  // the function type behind PFN_...
};

// (base, flavour)
using Key = std::pair<std::string, std::string>;

void collect_function(CXCursor cursor, std::map<Key, std::vector<Symbol>>& symbols) {
  static const std::regex shape("(cu[A-Z]\\w*?)(?:_v([0-9]))?(?:_(ptds|ptsz))?");
  const std::string name = spelling(cursor);
  std::smatch match;
  if (!std::regex_match(name, match, shape)) return;
  symbols[{match[1], match[3]}].push_back({name, match[2].matched ? std::stoi(match[2]) : 1, cursor});
}

void collect_pointer(CXCursor cursor, std::map<Key, std::vector<Pointer>>& pointers) {
  static const std::regex shape("PFN_(cu\\w+?)_v([0-9]+)(?:_(ptds|ptsz))?");
  const std::string name = spelling(cursor);
  std::smatch match;
  if (!std::regex_match(name, match, shape)) return;
  const CXType type = clang_getPointeeType(clang_getTypedefDeclUnderlyingType(cursor));
  pointers[{match[1], match[3]}].push_back({std::stoi(match[2]), clang_getCanonicalType(type)});
}

ordered_json parameters_of(CXCursor function) {
  ordered_json parameters = ordered_json::array();
  for (int i = 0; i < clang_Cursor_getNumArguments(function); ++i) {
    const CXCursor argument = clang_Cursor_getArgument(function, static_cast<unsigned>(i));
    std::string name = spelling(argument);
    if (name.empty()) name = "argument" + std::to_string(i);
    parameters.push_back({{"name", name}, {"type", spelling(clang_getCursorType(argument))}});
  }
  return parameters;
}

ordered_json describe(const Key& key, const Symbol& symbol, const Pointer& pointer) {
  if (clang_equalTypes(clang_getCanonicalType(clang_getCursorType(symbol.cursor)), pointer.type) == 0) {
    throw std::runtime_error(symbol.name + " and its PFN typedef of version " +
                             std::to_string(pointer.version) + " differ in type");
  }
  return {{"name", symbol.name},
          {"base", key.first},
          {"version", pointer.version},
          {"flavour", key.second},
          {"parameters", parameters_of(symbol.cursor)}};
}

}  // namespace

ordered_json describe_functions(CXCursor root) {
  std::map<Key, std::vector<Symbol>> symbols;
  std::map<Key, std::vector<Pointer>> pointers;
  for_each_child(root, [&](CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_FunctionDecl) collect_function(cursor, symbols);
    if (kind == CXCursor_TypedefDecl) collect_pointer(cursor, pointers);
  });

  std::vector<ordered_json> functions;
  for (auto& [key, group] : symbols) {
    auto& versions = pointers[key];
    if (versions.size() != group.size()) {
      throw std::runtime_error(key.first + " " + key.second + ": " + std::to_string(group.size()) +
                               " exported names but " + std::to_string(versions.size()) + " PFN typedefs");
    }
    std::sort(group.begin(), group.end(), [](const Symbol& a, const Symbol& b) { return a.order < b.order; });
    std::sort(versions.begin(), versions.end(),
              [](const Pointer& a, const Pointer& b) { return a.version < b.version; });
    for (std::size_t i = 0; i < group.size(); ++i) functions.push_back(describe(key, group[i], versions[i]));
  }
  std::sort(functions.begin(), functions.end(),
            [](const ordered_json& a, const ordered_json& b) { return a["name"] < b["name"]; });
  return functions;
}

ordered_json describe_runtime_functions(CXCursor root) {
  static const std::regex shape("cuda[A-Z]\\w*");
  std::map<std::string, ordered_json> functions;
  for_each_child(root, [&](CXCursor cursor) {
    const std::string name = spelling(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_FunctionDecl && std::regex_match(name, shape))
      functions[name] = {{"name", name},
                         {"result", spelling(clang_getCursorResultType(cursor))},
                         {"parameters", parameters_of(cursor)}};
  });
  ordered_json all = ordered_json::array();
  for (auto& [name, function] : functions) all.push_back(std::move(function));
  return all;
}

}  // namespace wedjat::interposer
