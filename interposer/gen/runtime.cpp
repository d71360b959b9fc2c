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

using Names = std::map<std::string, std::string>;

RuntimeFunction function_of(const ordered_json& entry) {
  RuntimeFunction function{entry.at("name"), without_flavour(entry.at("name")), entry.at("result"), {}};
  for (const ordered_json& parameter : entry.at("parameters"))
    function.parameters.emplace_back(parameter.at("type"), parameter.at("name"));
  return function;
}

// What one of the files calls.yaml says, for functions that the model has.
void read_calls(const std::filesystem::path& file, const Model& driver, RuntimeModel& model) {
  const YAML::Node yaml = YAML::LoadFile(file.string());
  const auto wrong = [&](const std::string& what) {
    throw std::runtime_error(file.filename().string() + ": " + what);
  };
  const auto known = [&](const YAML::Node& node) {
    const auto name = node.as<std::string>();
    if (std::ranges::find(model.functions, name, &RuntimeFunction::base) == model.functions.end())
      wrong("the runtime has no " + name);
    return name;
  };
  for (const auto& entry : yaml["forward"]) {
    const auto to = entry.second.as<std::string>();
    const auto found = std::ranges::find(driver.functions, to, &Function::name);
    if (found == driver.functions.end()) wrong("the driver has no " + to);
    model.forward[known(entry.first)] = &*found;
  }
  for (const auto& [list, names] : {std::pair{"own", &model.own}, std::pair{"plain", &model.plain}})
    for (const auto& entry : yaml[list]) {
      const std::string name = known(entry);
      names->emplace(name, name);
      model.declared.insert(name);
    }
  for (const RuntimeFunction& function : model.functions) {
    const auto to = model.forward.find(function.base);
    if (to != model.forward.end() && to->second->parameters.size() != function.parameters.size())
      wrong(fmt::format("{} and {} take different numbers of arguments", function.name, to->second->name));
  }
}

}  // namespace

RuntimeModel load_runtime(const std::filesystem::path& api, const std::filesystem::path& folder,
                          const Model& driver) {
  RuntimeModel model;
  const ordered_json runtime = table(api / "runtime_table.json");
  model.version = runtime.at("cuda_version");
  for (const ordered_json& entry : runtime.at("functions")) model.functions.push_back(function_of(entry));
  read_calls(folder / "calls.yaml", driver, model);
  return model;
}

RuntimeModel load_runtime_12(const std::filesystem::path& api, const std::filesystem::path& folder,
                             const Model& driver) {
  const RuntimeModel newest = load_runtime(api, folder, driver);
  RuntimeModel model = newest;
  const ordered_json differences = table(api / "runtime_12.json");
  model.version = differences.at("cuda_version");
  model.declared.clear();
  std::set<std::string> gone(differences.at("without").begin(), differences.at("without").end());
  std::vector<RuntimeFunction> others;
  for (const ordered_json& entry : differences.at("functions")) {
    others.push_back(function_of(entry));
    gone.insert(others.back().name);
    model.forward.erase(others.back().base);
    model.own.erase(others.back().base);
  }
  std::erase_if(model.functions,
                [&](const RuntimeFunction& function) { return gone.contains(function.name); });
  model.functions.insert(model.functions.end(), others.begin(), others.end());
  std::ranges::sort(model.functions, {}, &RuntimeFunction::name);
  for (const auto& entry : YAML::LoadFile((folder / "calls_12.yaml").string())["renamed"]) {
    const auto name = entry.first.as<std::string>(), was = entry.second.as<std::string>();
    if (newest.forward.contains(was))
      model.forward[name] = newest.forward.at(was);
    else if (newest.own.contains(was))
      model.own[name] = was;
    else
      throw std::runtime_error("calls_12.yaml: nothing is known of " + was);
  }
  read_calls(folder / "calls_12.yaml", driver, model);
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

std::string emit_runtime_12_types(const std::filesystem::path& api) {
  std::string out =
      "// Generated from interposer/api/runtime_12.json: what libcudart.so.12 has in another form.\n#pragma "
      "once\n\n#include \"runtime_abi.h\"\n\n#define _Static_assert static_assert\n\n";
  const ordered_json differences = table(api / "runtime_12.json");
  for (const ordered_json& type : differences.at("types")) out += declaration(type);
  return out + "#undef _Static_assert\n";
}

std::string emit_runtime_12_members(const std::filesystem::path& api) {
  const ordered_json runtime = table(api / "runtime_table.json"), older = table(api / "runtime_12.json");
  const auto fields = [](const ordered_json& types, const std::string& name) {
    Names found;
    for (const ordered_json& type : types.at("types"))
      if (type.value("struct", "") == name)
        for (const ordered_json& field : type.at("fields")) found[field.at("name")] = field.at("type");
    return found;
  };
  const Names now = fields(runtime, "cudaDeviceProp");
  std::string out = "// Generated: what cudaDeviceProp of CUDA 12 and 13 have in common.\n";
  for (const auto& [name, type] : fields(older, "cudaDeviceProp12"))
    if (now.contains(name) && now.at(name) == type) out += fmt::format("WEDJAT_MEMBER({})\n", name);
  return out;
}

std::string emit_runtime_calls(const RuntimeModel& model, const std::string& types) {
  std::string out = fmt::format(
      "// Generated from interposer/api and interposer/runtime.\n#pragma once\n\n"
      "#include \"{}\"\n\nnamespace wedjat::runtime::calls {{\n\n",
      types);
  for (const RuntimeFunction& function : model.functions)
    if (!function.per_thread() && model.declared.contains(function.name))
      out += fmt::format("{} {}({});\n", function.result, function.name, declared(function));
  return out + "\n}  // namespace wedjat::runtime::calls\n";
}

std::string emit_runtime_entries(const RuntimeModel& model, const std::string& headers) {
  std::string out = fmt::format(
      "// Generated from interposer/api and interposer/runtime.\n"
      "#include \"interposer/runtime/state.h\"\n{}\nusing namespace wedjat::runtime;\n\n"
      "const int wedjat::runtime::version = {};\n",
      headers, model.version);
  // cuda.h means the newest one by a name without a version; here every name means itself.
  for (const auto& [base, driver] : model.forward) out += "#undef " + driver->name + "\n";
  for (const RuntimeFunction& function : model.functions) {
    out += fmt::format("\nextern \"C\" WEDJAT_EXPORT {} {}({}) {{\n", function.result, function.name,
                       declared(function));
    const auto to = model.forward.find(function.base);
    const auto own = model.own.find(function.base), plain = model.plain.find(function.base);
    if (plain != model.plain.end())
      out += fmt::format("  return calls::{}({});\n", plain->second, passed(function, nullptr));
    else if (own != model.own.end())
      out += fmt::format("  return perform([&] {{ return calls::{}({}); }});\n", own->second,
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

std::string emit_runtime_header(const RuntimeModel& model, const std::string& types) {
  std::string out = fmt::format(
      "// Generated from interposer/api: the functions of the CUDA runtime API.\n#pragma once\n\n"
      "#include \"{}\"\n\nextern \"C\" {{\n",
      types);
  for (const RuntimeFunction& function : model.functions)
    out += fmt::format("{} {}({});\n", function.result, function.name, declared(function));
  return out + "}\n";
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
