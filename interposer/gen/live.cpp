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

// The call that a list of either file names.
LiveCall& listed(LiveModel& live, const YAML::Node& name, const std::string& list) {
  const auto call = live.calls.find(name.as<std::string>());
  if (call == live.calls.end())
    throw std::runtime_error(list + ": " + name.as<std::string>() + " is not listed in calls.yaml");
  return call->second;
}

// NAME: [parameters]
template <class Entry>
std::vector<std::string> parameters_of(const Model& model, const Entry& entry) {
  const auto name = entry.first.template as<std::string>();
  std::vector<std::string> names;
  for (const auto& parameter : entry.second) {
    names.push_back(parameter.template as<std::string>());
    if (!has_parameter(function_of(model, name), names.back()))
      throw std::runtime_error(name + " has no " + names.back());
  }
  return names;
}

void read_calls(const YAML::Node& yaml, const Model& model, LiveModel& live) {
  for (const char* needs : {"nothing", "driver", "object", "context"})
    for (const auto& entry : yaml[needs]) {
      const auto name = entry.as<std::string>();
      function_of(model, name);
      const bool tells = needs == std::string("object") || needs == std::string("context");
      if (!live.calls.emplace(name, LiveCall{needs, {}, {}, tells, {}}).second)
        throw std::runtime_error("calls.yaml: " + name + " is listed twice");
    }
  for (const auto& list : yaml["beside_captures"])
    for (const auto& entry : list.second)
      listed(live, entry, "beside_captures").beside_captures.insert(list.first.as<std::string>());
  for (const auto& entry : yaml["optional"])
    for (const std::string& parameter : parameters_of(model, entry))
      listed(live, entry.first, "optional").optional.insert(parameter);
}

void read_failures(const YAML::Node& yaml, const Model& model, LiveModel& live) {
  for (const auto& entry : yaml["tell"]) listed(live, entry, "tell").tells_failure = true;
  for (const auto& entry : yaml["go_on"]) listed(live, entry, "go_on").tells_failure = false;
  for (const auto& entry : yaml["look_first"]) {
    LiveCall& call = listed(live, entry.first, "look_first");
    call.tells_failure = false;
    call.looked_at_first = parameters_of(model, entry);
  }
  for (const auto& entry : yaml["look_themselves"]) {
    LiveCall& call = listed(live, entry, "look_themselves");
    call.tells_failure = false;
    call.looks_itself = true;
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
  read_failures(YAML::LoadFile((directory / "after_failures.yaml").string()), model, live);
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
