#include "emulator/kernel/lower/variable_names.h"

#include "emulator/kernel/lower/parameters.h"

namespace wedjat::kernel {

void name_variables(const ptx::Program& program, const Reached& reached, const Addresses& addresses,
                    Kernel& kernel) {
  std::uint64_t total = 0;
  const ptx::Function& entry = *reached.functions.front().function;
  const std::vector<std::uint64_t> offsets = parameter_offsets(entry, total);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    kernel.variables.push_back(
        {std::string(entry.parameters[i].name), Space::Param, 0, offsets[i], entry.parameters[i].size()});
  for (std::uint32_t f = 1; f < reached.functions.size(); ++f) {
    std::uint64_t place = 0;
    for (const auto* const list :
         {&reached.functions[f].function->returns, &reached.functions[f].function->parameters})
      for (const ptx::Parameter& parameter : *list)
        kernel.variables.push_back(
            {std::string(parameter.name), Space::ParamFunc, f, place++, parameter.size()});
  }
  for (const SharedVariable& shared : reached.shared)
    kernel.variables.push_back(
        {std::string(shared.variable->name), Space::Shared, 0, shared.offset, shared.variable->size()});
  for (std::uint32_t m = 0; m < program.module_count(); ++m) {
    const auto& variables = program.module(m).variables;
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      const ptx::Variable& variable = variables[v];
      if (variable.linkage == ptx::Linkage::external) continue;
      const bool is_const = variable.space == ptx::Space::constant;
      const ptx::SymbolId id{m, v};
      if ((!is_const && variable.space != ptx::Space::global) || !(program.variable(m, v) == id)) continue;
      kernel.variables.push_back({std::string(variable.name), is_const ? Space::Const : Space::Global, 0,
                                  addresses.variable(id), variable.size()});
    }
  }
}

}  // namespace wedjat::kernel
