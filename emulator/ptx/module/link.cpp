#include "emulator/ptx/module/link.h"

#include <algorithm>
#include <array>
#include <string>

namespace wedjat::ptx {
namespace {

std::string place(const Module& module, Location where) {
  return module.name() + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

/// A symbol other modules see.
bool is_global(Linkage linkage) { return linkage != Linkage::none; }

bool is_definition(const Variable& variable) { return variable.linkage != Linkage::external; }

/// Of two definitions of one name, whether the new one takes over. Throws Error if both are strong.
template <class Symbol>
bool takes_over(const Module& old_module, const Symbol& old, const Module& now_module, const Symbol& now) {
  if (old.linkage == Linkage::weak) return now.linkage != Linkage::weak;
  if (now.linkage == Linkage::weak) return false;
  now_module.source().fail(
      now.where, "'" + std::string(now.name) + "' is defined twice: also at " + place(old_module, old.where));
}

bool takes_over_variable(const Module& old_module, const Variable& old, const Module& now_module,
                         const Variable& now) {
  const bool old_common = old.linkage == Linkage::common, now_common = now.linkage == Linkage::common;
  if (old_common && now_common) return now.size() > old.size();
  if (old_common) return now.linkage != Linkage::weak;
  if (now_common) return old.linkage == Linkage::weak;
  return takes_over(old_module, old, now_module, now);
}

}  // namespace

bool is_device_runtime(std::string_view function) {
  constexpr std::array<std::string_view, 4> names{"vprintf", "__assertfail", "malloc", "free"};
  // The rest of it, cudaLaunchDevice and its like, nobody else may define either.
  return std::find(names.begin(), names.end(), function) != names.end() || function.starts_with("cuda") ||
         function.starts_with("__cudaCDP");
}

Program Program::link(std::span<const Module* const> modules) {
  Program program;
  program.modules_.assign(modules.begin(), modules.end());
  for (std::uint32_t m = 0; m < program.module_count(); ++m) {
    program.add_functions(m);
    program.add_variables(m);
  }
  return program;
}

void Program::add_functions(std::uint32_t m) {
  const Module& module = *modules_[m];
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const Function& now = module.functions[f];
    const bool is_defined = now.has_body || now.alias_of != kNone;
    // Entries are found by name whatever their linkage; modules do not share them.
    if (!is_defined || (!is_global(now.linkage) && !now.is_entry)) continue;
    const auto [at, is_new] = functions_.try_emplace(now.name, SymbolId{m, f});
    if (is_new) continue;
    const Module& old_module = *modules_[at->second.module];
    if (takes_over(old_module, old_module.functions[at->second.index], module, now)) at->second = {m, f};
  }
}

void Program::add_variables(std::uint32_t m) {
  const Module& module = *modules_[m];
  for (std::uint32_t v = 0; v < module.variables.size(); ++v) {
    const Variable& now = module.variables[v];
    if (!is_definition(now) || !is_global(now.linkage)) continue;
    const auto [at, is_new] = variables_.try_emplace(now.name, SymbolId{m, v});
    if (is_new) continue;
    const Module& old_module = *modules_[at->second.module];
    if (takes_over_variable(old_module, old_module.variables[at->second.index], module, now))
      at->second = {m, v};
  }
}

SymbolId Program::function(std::uint32_t m, std::uint32_t index) const {
  SymbolId id{m, index};
  const Function& declared = modules_[m]->functions[index];
  if (is_global(declared.linkage)) {
    const auto found = functions_.find(declared.name);
    if (found != functions_.end()) id = found->second;
  }
  const Module& module = *modules_[id.module];
  if (module.functions[id.index].alias_of != kNone) id.index = module.functions[id.index].alias_of;
  const Function& definition = module.functions[id.index];
  if (definition.has_body) {
    check_agreement(*modules_[m], declared, module, definition);
    return id;
  }
  if (is_device_runtime(declared.name)) return id;
  modules_[m]->source().fail(declared.where,
                             "function '" + std::string(declared.name) + "' is defined nowhere");
}

void Program::check_agreement(const Module& declaring, const Function& declared, const Module& defining,
                              const Function& definition) {
  const auto sizes_agree = [](const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Parameter& x, const Parameter& y) {
      return x.size() == y.size() && x.space == y.space;
    });
  };
  if (declared.is_entry == definition.is_entry && sizes_agree(declared.returns, definition.returns) &&
      sizes_agree(declared.parameters, definition.parameters))
    return;
  declaring.source().fail(declared.where, "'" + std::string(declared.name) +
                                              "' disagrees with its definition at " +
                                              place(defining, definition.where));
}

SymbolId Program::variable(std::uint32_t m, std::uint32_t index) const {
  const Variable& declared = modules_[m]->variables[index];
  if (!is_global(declared.linkage)) return {m, index};
  const auto found = variables_.find(declared.name);
  if (found != variables_.end()) {
    const Module& module = *modules_[found->second.module];
    const Variable& definition = module.variables[found->second.index];
    if (definition.space != declared.space || definition.type != declared.type)
      modules_[m]->source().fail(declared.where, "'" + std::string(declared.name) +
                                                     "' disagrees with its definition at " +
                                                     place(module, definition.where));
    return found->second;
  }
  if (declared.space == Space::shared && declared.is_unsized()) return {m, index};
  modules_[m]->source().fail(declared.where,
                             "variable '" + std::string(declared.name) + "' is defined nowhere");
}

SymbolId Program::find_entry(std::string_view name) const {
  const auto found = functions_.find(name);
  if (found == functions_.end() || !modules_[found->second.module]->functions[found->second.index].is_entry)
    return {};
  return found->second;
}

SymbolId Program::find_variable(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? SymbolId{} : found->second;
}

}  // namespace wedjat::ptx
