#include "cli/commands/ptx_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/terminal/terminal.h"
#include "emulator/kernel/check.h"
#include "emulator/ptx/module/module.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

nlohmann::json describe(const ptx::Function& function) {
  nlohmann::json parameters = nlohmann::json::array();
  for (const auto& parameter : function.parameters)
    parameters.push_back(
        {{"name", parameter.name}, {"type", ptx::name_of(parameter.type)}, {"bytes", parameter.size()}});
  const std::uint64_t instructions = function.has_body ? function.body().instructions.size() : 0;
  return {{"name", function.name},
          {"entry", function.is_entry},
          {"linkage", ptx::name_of(function.linkage)},
          {"defined", function.has_body},
          {"line", function.where.line},
          {"parameters", std::move(parameters)},
          {"instructions", instructions}};
}

void add_refusals(const ptx::Module& module, nlohmann::json& functions) {
  const ptx::Module* const modules[] = {&module};
  const ptx::Program program = ptx::Program::link(modules);
  for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
    if (!module.functions[i].has_body) continue;
    if (const auto refusal = kernel::refusal_of(program, {0, i}))
      functions[i]["refusal"] = refusal->error.what();
  }
}

}  // namespace

bool has_refusals(const nlohmann::json& info) {
  return std::ranges::any_of(info["functions"],
                             [](const auto& function) { return function.contains("refusal"); });
}

nlohmann::json describe_ptx(const std::string& path, bool check) {
  const auto module = ptx::Module::parse(path, traces::read_file(path));
  nlohmann::json functions = nlohmann::json::array(), variables = nlohmann::json::array();
  for (const auto& function : module->functions) functions.push_back(describe(function));
  if (check) add_refusals(*module, functions);
  for (const auto& variable : module->variables)
    variables.push_back({{"name", variable.name},
                         {"space", ptx::name_of(variable.space)},
                         {"linkage", ptx::name_of(variable.linkage)},
                         {"bytes", variable.size()}});
  return {{"kind", "ptx"},
          {"file", path},
          {"version", fmt::format("{}.{}", module->version.major, module->version.minor)},
          {"targets", module->targets},
          {"functions", std::move(functions)},
          {"variables", std::move(variables)}};
}

void print_ptx(const nlohmann::json& info) {
  std::string targets;
  for (const auto& target : info["targets"])
    targets += (targets.empty() ? "" : ", ") + target.get<std::string>();
  fmt::print("{}: PTX {} for {}\n", info["file"].get<std::string>(), info["version"].get<std::string>(),
             targets);
  for (const auto& function : info["functions"]) {
    std::string parameters;
    for (const auto& parameter : function["parameters"])
      parameters += fmt::format("{}{} {} ({} bytes)", parameters.empty() ? "" : ", ",
                                parameter["type"].get<std::string>(), parameter["name"].get<std::string>(),
                                parameter["bytes"].get<std::uint64_t>());
    fmt::print("  line {:>6}  {} {}({})  {}\n", function["line"].get<unsigned>(),
               function["entry"].get<bool>() ? ".entry" : ".func ", function["name"].get<std::string>(),
               parameters,
               function["defined"].get<bool>() ? grouped(function["instructions"]) + " instructions"
                                               : "declared only");
    if (function.contains("refusal"))
      fmt::print("    {} {}\n", bad("cannot be run:"), function["refusal"].get<std::string>());
  }
  for (const auto& variable : info["variables"])
    fmt::print("  {:<8} {}, {} bytes\n", variable["space"].get<std::string>(),
               variable["name"].get<std::string>(), grouped(variable["bytes"]));
}

}  // namespace wedjat::cli
