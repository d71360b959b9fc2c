#include "interposer/gen/live.h"

#include <yaml-cpp/yaml.h>

#include <sstream>
#include <stdexcept>

namespace wedjat::interposer {
namespace {

const Function& function_of(const Model& model, const std::string& name) {
  for (const Function& function : model.functions)
    if (without_flavour(function) == name) return function;
  throw std::runtime_error("calls.yaml: there is no function " + name);
}

bool has_parameter(const Function& function, const std::string& name) {
  for (const Parameter& parameter : function.parameters)
    if (parameter.name == name) return true;
  return false;
}

std::int64_t value_of(const Model& model, const std::string& tag, const std::string& name) {
  for (const Enumeration& enumeration : model.enumerations) {
    if (enumeration.tag != tag) continue;
    for (const auto& [known, value] : enumeration.values)
      if (known == name) return value;
  }
  throw std::runtime_error("h200.yaml: there is no " + name);
}

void read_calls(const YAML::Node& yaml, const Model& model, LiveModel& live) {
  for (const char* needs : {"nothing", "driver", "object", "context"})
    for (const auto& entry : yaml[needs]) {
      const auto name = entry.as<std::string>();
      function_of(model, name);
      if (!live.calls.emplace(name, LiveCall{needs, {}, {}}).second)
        throw std::runtime_error("calls.yaml: " + name + " is listed twice");
    }
  for (const auto& list : yaml["beside_captures"])
    for (const auto& entry : list.second) {
      const auto call = live.calls.find(entry.as<std::string>());
      if (call == live.calls.end())
        throw std::runtime_error("calls.yaml: beside_captures: " + entry.as<std::string>() +
                                 " is not listed");
      call->second.beside_captures.insert(list.first.as<std::string>());
    }
  for (const auto& entry : yaml["optional"]) {
    const auto name = entry.first.as<std::string>();
    const auto call = live.calls.find(name);
    if (call == live.calls.end())
      throw std::runtime_error("calls.yaml: optional: " + name + " is not listed");
    for (const auto& parameter : entry.second) {
      if (!has_parameter(function_of(model, name), parameter.as<std::string>()))
        throw std::runtime_error("calls.yaml: " + name + " has no " + parameter.as<std::string>());
      call->second.optional.insert(parameter.as<std::string>());
    }
  }
}

}  // namespace

std::string without_flavour(const Function& function) {
  return function.flavour.empty()
             ? function.name
             : function.name.substr(0, function.name.size() - function.flavour.size() - 1);
}

LiveModel load_live(const std::filesystem::path& directory, const Model& model) {
  LiveModel live;
  read_calls(YAML::LoadFile((directory / "calls.yaml").string()), model, live);
  const YAML::Node device = YAML::LoadFile((directory / "h200.yaml").string());
  live.device_name = device["name"].as<std::string>();
  for (const auto& number : device["numbers"])
    live.numbers[number.first.as<std::string>()] = number.second.as<std::int64_t>();
  for (const char* source : {"attributes", "not_offered"})
    for (const auto& entry : device[source])
      live.attributes[value_of(model, "CUdevice_attribute_enum",
                               "CU_DEVICE_ATTRIBUTE_" + entry.first.as<std::string>())] =
          entry.second.as<std::int64_t>();
  for (const auto& entry : device["limits"])
    live.limits[value_of(model, "CUlimit_enum", "CU_LIMIT_" + entry.first.as<std::string>())] =
        entry.second.as<std::int64_t>();
  for (const auto& entry : device["error_texts"])
    live.error_texts.emplace_back(value_of(model, "cudaError_enum", entry.first.as<std::string>()),
                                  entry.second.as<std::string>());
  return live;
}

}  // namespace wedjat::interposer
