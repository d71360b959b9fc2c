#include "interposer/gen/model.h"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "interposer/gen/rules.h"

namespace wedjat::interposer {
namespace {
using nlohmann::json;

json read_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be opened");
  try {
    return json::parse(file);
  } catch (const json::exception& error) {
    throw std::runtime_error(path.string() + ": " + error.what());
  }
}

std::map<std::string, Rules> read_rules(const YAML::Node& node) {
  std::map<std::string, Rules> rules;
  for (const auto& entry : node) {
    Rules& of_function = rules[entry.first.as<std::string>()];
    for (const auto& rule : entry.second)
      of_function[rule.first.as<std::string>()] = rule.second.as<std::string>();
  }
  return rules;
}

// Which rules found nothing to apply to: a misspelt name must not pass for a rule.
class Unused {
 public:
  explicit Unused(const std::map<std::string, Rules>& rules) {
    for (const auto& [function, of_function] : rules) {
      if (of_function.empty()) left_.insert({function, ""});
      for (const auto& [key, text] : of_function) left_.insert({function, key});
    }
  }
  void use(const std::string& function, const std::string& key) { left_.erase({function, key}); }
  void check() const {
    std::string text;
    for (const auto& [function, key] : left_) text += "\n  " + function + (key.empty() ? "" : ": " + key);
    if (!text.empty()) throw std::runtime_error("cuda.yaml: rules that match nothing:" + text);
  }

 private:
  std::set<std::pair<std::string, std::string>> left_;
};

class Builder {
 public:
  Builder(const Types& types, std::map<std::string, Rules> rules)
      : types_(types), rules_(std::move(rules)), unused_(rules_) {}

  Function build(const json& entry) {
    Function function;
    function.name = entry.at("name");
    function.base = entry.at("base");
    function.version = entry.at("version");
    function.flavour = entry.at("flavour");
    unused_.use(function.base, "");
    for (const json& item : entry.at("parameters")) function.parameters.push_back(parameter(function, item));
    function.before = rule(function, "before");
    function.after = rule(function, "after");
    function.done = rule(function, "done");
    return function;
  }
  void check() const { unused_.check(); }

 private:
  std::string rule(const Function& function, const std::string& key) {
    for (const std::string& name : {function.name, function.base}) {
      const auto of_function = rules_.find(name);
      if (of_function == rules_.end()) continue;
      const auto found = of_function->second.find(key);
      if (found == of_function->second.end()) continue;
      unused_.use(name, key);
      return found->second;
    }
    return "";
  }

  Parameter parameter(const Function& function, const json& item) {
    Parameter parameter;
    parameter.name = item.at("name");
    parameter.spelling = item.at("type");
    try {
      parameter.type = types_.resolve(parameter.spelling);
      apply_rule(types_, rule(function, parameter.name), parameter);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("cuda.yaml: " + function.name + ": " + parameter.name + ": " + error.what());
    }
    return parameter;
  }

  const Types& types_;
  std::map<std::string, Rules> rules_;
  Unused unused_;
};

void mark_inert(const std::string& pattern, std::vector<Function>& functions) {
  const bool family = !pattern.empty() && pattern.back() == '*';
  const std::string start = family ? pattern.substr(0, pattern.size() - 1) : pattern;
  bool found = false;
  for (Function& function : functions) {
    if (family ? function.base.rfind(start, 0) != 0 : function.base != start) continue;
    found = function.inert = true;
  }
  if (!found) throw std::runtime_error("cuda.yaml: inert: there is no " + pattern);
}

std::vector<Enumeration> enumerations(const json& types) {
  std::map<std::string, std::string> alias;
  for (const json& entry : types) {
    if (!entry.contains("typedef") || !entry.contains("type")) continue;
    const std::string type = entry.at("type");
    if (type.rfind("enum ", 0) == 0)
      alias.try_emplace(type.substr(5), entry.at("typedef").get<std::string>());
  }
  std::vector<Enumeration> result;
  for (const json& entry : types) {
    if (!entry.contains("enum")) continue;
    Enumeration enumeration;
    enumeration.tag = entry.at("enum");
    enumeration.alias = alias.contains(enumeration.tag) ? alias[enumeration.tag] : enumeration.tag;
    for (const json& value : entry.at("values")) enumeration.values.emplace_back(value.at(0), value.at(1));
    result.push_back(std::move(enumeration));
  }
  return result;
}

}  // namespace

Model load_model(const std::filesystem::path& directory) {
  const json table = read_table(directory / "api_table.json");
  const YAML::Node yaml = YAML::LoadFile((directory / "cuda.yaml").string());
  const Types types(table.at("types"));

  Model model;
  model.cuda_version = table.at("cuda_version");
  Builder builder(types, read_rules(yaml["functions"]));
  for (const json& entry : table.at("functions")) model.functions.push_back(builder.build(entry));
  builder.check();
  for (const auto& name : yaml["inert"]) mark_inert(name.as<std::string>(), model.functions);
  model.enumerations = enumerations(table.at("types"));

  for (const auto& entry : yaml["members"]) {
    const auto tag = entry.first.as<std::string>();
    if (types.resolve("struct " + tag).kind != Kind::structure) {
      throw std::runtime_error("cuda.yaml: members: no struct " + tag);
    }
    for (const auto& member : entry.second) {
      model.members[tag].push_back({member.first.as<std::string>(), member.second.as<std::string>()});
    }
  }
  for (const auto& entry : yaml["sizes"]) {
    auto& sizes = model.attribute_sizes[entry.first.as<std::string>()];
    for (const auto& size : entry.second)
      sizes[size.first.as<std::int64_t>()] = size.second.as<std::uint32_t>();
  }
  return model;
}

}  // namespace wedjat::interposer
