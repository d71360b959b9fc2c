#include "interposer/gen/runtime.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "interposer/gen/emit.h"

namespace wedjat::interposer {
namespace {
using nlohmann::ordered_json;

ordered_json table(const std::filesystem::path& file) {
  std::ifstream in(file);
  return ordered_json::parse(in);
}

std::string key_of(const ordered_json& type) {
  for (const char* kind : {"typedef", "enum", "struct", "union"})
    if (type.contains(kind)) return std::string(kind) + " " + type.at(kind).get<std::string>();
  throw std::runtime_error("runtime_table.json: a type that is none");
}

std::string without_flavour(const std::string& name) {
  for (const char* flavour : {"_ptds", "_ptsz"})
    if (name.ends_with(flavour)) return name.substr(0, name.size() - 5);
  return name;
}

// "unsigned char *(*)[2]" does not occur: a parameter is its type, then its name.
std::string declared(const RuntimeFunction& function) {
  std::string out;
  for (const auto& [type, name] : function.parameters) out += (out.empty() ? "" : ", ") + type + " " + name;
  return out;
}

// `stream` 0 of a function of the thread's own default stream means that one.
std::string passed(const RuntimeFunction& function, const Function* driver) {
  std::string out;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto& [type, name] = function.parameters[i];
    const std::string value =
        function.per_thread() && type == "cudaStream_t" ? "own_stream(" + name + ")" : name;
    out += (out.empty() ? "" : ", ") +
           (driver == nullptr ? value : fmt::format("({}){}", driver->parameters.at(i).spelling, value));
  }
  return out;
}

// The runtime's own order of what a program registers.
constexpr const char* registration[] = {"__cudaRegisterFatBinary",
                                        "__cudaRegisterFatBinaryEnd",
                                        "__cudaUnregisterFatBinary",
                                        "__cudaRegisterFunction",
                                        "__cudaRegisterVar",
                                        "__cudaRegisterManagedVar",
                                        "__cudaRegisterHostVar",
                                        "__cudaInitModule",
                                        "__cudaPushCallConfiguration",
                                        "__cudaPopCallConfiguration",
                                        "__cudaGetKernel",
                                        "__cudaLaunchKernel",
                                        "__cudaLaunchKernel_ptsz"};

}  // namespace

RuntimeModel load_runtime(const std::filesystem::path& api, const std::filesystem::path& folder,
                          const Model& driver) {
  RuntimeModel model;
  std::set<std::string> bases;
  const ordered_json runtime = table(api / "runtime_table.json");
  for (const ordered_json& entry : runtime.at("functions")) {
    RuntimeFunction function{entry.at("name"), without_flavour(entry.at("name")), entry.at("result"), {}};
    for (const ordered_json& parameter : entry.at("parameters"))
      function.parameters.emplace_back(parameter.at("type"), parameter.at("name"));
    bases.insert(function.base);
    model.functions.push_back(std::move(function));
  }
  const YAML::Node yaml = YAML::LoadFile((folder / "calls.yaml").string());
  const auto known = [&](const std::string& name) {
    if (!bases.contains(name)) throw std::runtime_error("calls.yaml: the runtime has no " + name);
    return name;
  };
  for (const auto& entry : yaml["forward"]) {
    const auto to = entry.second.as<std::string>();
    const auto found = std::ranges::find(driver.functions, to, &Function::name);
    if (found == driver.functions.end()) throw std::runtime_error("calls.yaml: the driver has no " + to);
    model.forward[known(entry.first.as<std::string>())] = &*found;
  }
  for (const auto& name : yaml["own"]) model.own.insert(known(name.as<std::string>()));
  for (const auto& name : yaml["plain"]) model.plain.insert(known(name.as<std::string>()));
  for (const RuntimeFunction& function : model.functions) {
    const auto to = model.forward.find(function.base);
    if (to != model.forward.end() && to->second->parameters.size() != function.parameters.size())
      throw std::runtime_error(fmt::format("calls.yaml: {} and {} take different numbers of arguments",
                                           function.name, to->second->name));
  }
  return model;
}

std::string emit_runtime_abi(const std::filesystem::path& api) {
  std::set<std::string> driver;
  const ordered_json known = table(api / "api_table.json"), runtime = table(api / "runtime_table.json");
  for (const ordered_json& type : known.at("types")) driver.insert(key_of(type));
  std::string out =
      "// Generated from interposer/api/runtime_table.json: the types of the CUDA runtime API.\n#pragma "
      "once\n\n"
      "#include \"cuda_abi.h\"\n\n#ifdef __cplusplus\n#define _Static_assert static_assert\nextern \"C\" "
      "{\n#endif\n\n";
  for (const ordered_json& type : runtime.at("types"))
    if (!driver.contains(key_of(type))) out += declaration(type);
  return out + "\n#ifdef __cplusplus\n}\n#undef _Static_assert\n#endif\n";
}

std::string emit_runtime_calls(const RuntimeModel& model) {
  std::string out =
      "// Generated from interposer/api/runtime_table.json and interposer/runtime.\n#pragma once\n\n"
      "#include \"runtime_abi.h\"\n\nnamespace wedjat::runtime::calls {\n\n";
  for (const RuntimeFunction& function : model.functions)
    if (!function.per_thread() && (model.own.contains(function.name) || model.plain.contains(function.name)))
      out += fmt::format("{} {}({});\n", function.result, function.name, declared(function));
  return out + "\n}  // namespace wedjat::runtime::calls\n";
}

std::string emit_runtime_entries(const RuntimeModel& model) {
  std::string out =
      "// Generated from interposer/api/runtime_table.json and interposer/runtime.\n"
      "#include \"interposer/runtime/state.h\"\n#include \"runtime_calls.h\"\n\nusing namespace "
      "wedjat::runtime;\n\n";
  for (const RuntimeFunction& function : model.functions) {
    out += fmt::format("\nextern \"C\" WEDJAT_EXPORT {} {}({}) {{\n", function.result, function.name,
                       declared(function));
    const auto to = model.forward.find(function.base);
    if (model.plain.contains(function.base))
      out += fmt::format("  return calls::{}({});\n", function.base, passed(function, nullptr));
    else if (model.own.contains(function.base))
      out += fmt::format("  return perform([&] {{ return calls::{}({}); }});\n", function.base,
                         passed(function, nullptr));
    else if (to != model.forward.end())
      out += fmt::format("  return perform([&] {{ return as_runtime({}({})); }});\n", to->second->name,
                         passed(function, to->second));
    else if (function.result == "cudaError_t")
      out += fmt::format("  return unsupported(\"{}\");\n", function.name);
    else
      out += fmt::format("  unsupported(\"{}\");\n  return {{}};\n", function.name);
    out += "}\n";
  }
  return out;
}

std::string emit_runtime_error_names(const std::filesystem::path& api) {
  std::string out = "// Generated from interposer/api/runtime_table.json.\n";
  const ordered_json runtime = table(api / "runtime_table.json");
  for (const ordered_json& type : runtime.at("types"))
    if (type.contains("enum") && type.at("enum") == "cudaError")
      for (const ordered_json& value : type.at("values"))
        out += fmt::format("WEDJAT_ERROR_NAME({})\n", value.at(0).get<std::string>());
  return out;
}

std::string emit_runtime_exports(const RuntimeModel& model, const std::string& version) {
  std::string out = version + " {\n  global:\n";
  for (const char* name : registration) out += fmt::format("    {};\n", name);
  for (const RuntimeFunction& function : model.functions) out += fmt::format("    {};\n", function.name);
  return out + "  local:\n    *;\n};\n";
}

}  // namespace wedjat::interposer
