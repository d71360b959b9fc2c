#include "emulator/device/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/device/error.h"
#include "emulator/device/samplers.h"
#include "emulator/kernel/check.h"
#include "emulator/kernel/legality/refusal.h"
#include "emulator/kernel/lower/reachable.h"
#include "emulator/ptx/module/body.h"

namespace wedjat::device {
namespace {

bool before(ptx::SymbolId a, ptx::SymbolId b) {
  return std::pair(a.module, a.index) < std::pair(b.module, b.index);
}

bool in_memory(const ptx::Variable& variable) {
  return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

}  // namespace

std::uint64_t AddressRange::take(std::uint64_t bytes, std::uint64_t alignment) {
  next = (next + alignment - 1) / alignment * alignment;
  const std::uint64_t address = next;
  next += bytes;
  return address;
}

Module::Module(std::vector<PtxSource> sources, const std::map<std::string, std::uint64_t>& placements,
               memory::DeviceMemory& memory, AddressRange& data, AddressRange& code,
               kernel::Contract contract, const kernel::FormTable& forms)
    : memory_(memory), data_(data), forms_(forms) {
  std::vector<const ptx::Module*> parsed;
  for (PtxSource& source : sources) {
    modules_.push_back(ptx::Module::parse(std::move(source.name), std::move(source.text)));
    contracts_.push_back(std::min(source.contract, contract));
    parsed.push_back(modules_.back().get());
  }
  program_ = std::make_unique<const ptx::Program>(ptx::Program::link(parsed));
  for (const auto& module : modules_) {
    code_.push_back(code.take(function_stride * module->functions.size(), function_stride));
  }
  find_entries();
  try {
    place(placements);
    for (const Placed& placed : variables_) {
      const ptx::Module& declaring = program_->module(placed.id.module);
      const ptx::Variable& variable = declaring.variables[placed.id.index];
      if (variable.type == ptx::Type::samplerref)
        samplers_.emplace_back(placed.address, declared_sampler(declaring, variable));
      if (!placed.shared) initialize(placed.id.module, variable, placed.address);
    }
  } catch (const memory::Error& error) {
    free_variables();
    throw Refused(error.what());
  } catch (...) {
    free_variables();
    throw;
  }
}

Module::~Module() { free_variables(); }

// A recording may tell that a variable was freed by itself.
void Module::free_variables() noexcept {
  const auto free = [&](std::uint64_t address) {
    if (const auto held = memory_.find(address); held && held->address == address) memory_.free(address);
  };
  for (const Placed& variable : variables_)
    if (!variable.shared) free(variable.address);
  for (const auto& [variable, address] : body_variables_) free(address);
}

std::uint64_t Module::allocate(const ptx::Variable& variable, std::optional<std::uint64_t> recorded) const {
  const std::uint64_t size = std::max<std::uint64_t>(variable.size(), 1);
  const std::uint64_t alignment = std::max<std::uint64_t>(variable.alignment, 256);
  const std::uint64_t address = recorded ? *recorded : data_.take(size, alignment);
  memory_.allocate_at(address, size, fmt::format(".{} {}", ptx::name_of(variable.space), variable.name));
  return address;
}

// Constant variables first, so that nothing else lies among them.
void Module::place(const std::map<std::string, std::uint64_t>& placements) {
  for (const ptx::Space space : {ptx::Space::constant, ptx::Space::global}) {
    for (std::uint32_t m = 0; m < modules_.size(); ++m) {
      const ptx::Module& module = *modules_[m];
      for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (variable.space != space || variable.linkage == ptx::Linkage::external) continue;
        if (!(program_->variable(m, i) == ptx::SymbolId{m, i}))
          continue;  // another module's definition stands for it
        const auto found = placements.find(std::string(variable.name));
        const auto recorded = found == placements.end() ? std::nullopt : std::optional(found->second);
        const bool shared = variable.managed && recorded && memory_.find(*recorded);
        variables_.push_back({{m, i}, shared ? *recorded : allocate(variable, recorded), shared});
      }
    }
  }
  std::ranges::sort(variables_, [](const Placed& a, const Placed& b) { return before(a.id, b.id); });
}

void Module::initialize(std::uint32_t module, const ptx::Variable& variable, std::uint64_t address) const {
  if (variable.data.empty() && variable.relocations.empty()) return;
  std::byte* bytes = memory_.host(address, variable.size(), "a variable's initialiser");
  std::copy(variable.data.begin(), variable.data.end(), bytes);
  for (const ptx::Relocation& relocation : variable.relocations) {
    const std::uint64_t value = relocated(module, relocation);
    std::memcpy(bytes + relocation.offset, &value, std::min<std::size_t>(relocation.size, sizeof value));
  }
}

std::uint64_t Module::relocated(std::uint32_t m, const ptx::Relocation& relocation) const {
  const ptx::Module& module = *modules_[m];
  std::uint64_t address = 0;
  if (const std::uint32_t f = module.find_function(relocation.symbol); f != ptx::kNone) {
    address = function(program_->function(m, f));
  } else {
    const std::uint32_t v = module.find_variable(relocation.symbol);
    const ptx::SymbolId id = program_->variable(m, v);
    const ptx::Variable& target = program_->module(id.module).variables[id.index];
    if (!in_memory(target)) {
      kernel::refuse(module, relocation.where,
                     fmt::format("the address of {}, which lies in .{}, is not known before a kernel runs",
                                 target.name, ptx::name_of(target.space)));
    }
    address = variable(id);
  }
  address += static_cast<std::uint64_t>(relocation.addend);
  return relocation.mask == 0 ? address : (address & relocation.mask) >> std::countr_zero(relocation.mask);
}

memory::Window Module::constants() const {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  for (const Placed& placed : variables_) {
    const ptx::Variable& variable = program_->module(placed.id.module).variables[placed.id.index];
    if (variable.space != ptx::Space::constant) continue;
    begin = std::min(begin, placed.address);
    end = std::max(end, placed.address + variable.size());
  }
  return begin < end ? memory::Window{begin, end - begin} : memory::Window{};
}

std::uint64_t Module::variable(ptx::SymbolId id) const {
  const auto found =
      std::lower_bound(variables_.begin(), variables_.end(), id,
                       [](const Placed& v, ptx::SymbolId wanted) { return before(v.id, wanted); });
  if (found == variables_.end() || !(found->id == id)) {
    const ptx::Module& module = program_->module(id.module);
    kernel::refuse(module, module.variables[id.index].where,
                   fmt::format("{} has no address", module.variables[id.index].name));
  }
  return found->address;
}

std::uint64_t Module::variable(std::uint32_t module, const ptx::Variable& declared) const {
  const auto found = body_variables_.find(&declared);
  if (found != body_variables_.end()) return found->second;
  try {
    const std::uint64_t address = allocate(declared, std::nullopt);
    body_variables_.emplace(&declared, address);
    initialize(module, declared, address);
    return address;
  } catch (const memory::Error& error) {
    throw Refused(error.what());
  }
}

std::uint64_t Module::function(ptx::SymbolId id) const {
  return code_[id.module] + function_stride * id.index;
}

std::optional<device::Variable> Module::find_variable(std::string_view name) const {
  for (const Placed& placed : variables_) {
    const ptx::Variable& variable = program_->module(placed.id.module).variables[placed.id.index];
    if (variable.name == name) return device::Variable{placed.address, variable.size()};
  }
  return std::nullopt;
}

Needs Module::needs(std::uint32_t index, kernel::Registers registers) {
  const kernel::Kernel& code = lowered(index, registers);
  const ptx::Directives& directives = kernel(index).directives;
  const auto& most = directives.reqntid ? directives.reqntid : directives.maxntid;
  const std::uint64_t threads =
      most ? std::uint64_t{(*most)[0]} * (*most)[1] * (*most)[2] : ~std::uint64_t{0};
  const ptx::Module& text = program_->module(entries_[index].id.module);
  return {
      .static_shared_bytes = code.static_shared_bytes,
      .constant_bytes = static_cast<std::uint32_t>(constants().size),
      .ptx_version = text.version.major * 10u + text.version.minor,
      .declared_shared_bytes = static_cast<std::uint32_t>(
          kernel::reach(*program_, entries_[index].id, forms_).declared_shared_bytes),
      .local_bytes = code.local_bytes,
      .most_threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, limits::threads_per_block)),
      .cluster = directives.reqnctapercluster};
}

void Module::find_entries() {
  for (std::uint32_t m = 0; m < modules_.size(); ++m) {
    for (std::uint32_t f = 0; f < modules_[m]->functions.size(); ++f) {
      const ptx::Function& function = modules_[m]->functions[f];
      if (!function.is_entry || !function.has_body) continue;
      // Of several weak definitions of one kernel one stands for all.
      if (program_->function(m, f) != ptx::SymbolId{m, f}) continue;
      entries_by_name_.emplace(function.name, static_cast<std::uint32_t>(entries_.size()));
      entries_.push_back({{m, f}, {}});
    }
  }
}

const ptx::Function& Module::kernel(std::uint32_t index) const {
  const ptx::SymbolId id = entries_[index].id;
  return program_->module(id.module).functions[id.index];
}

std::uint32_t Module::kernel_index(std::string_view name) const {
  const auto found = entries_by_name_.find(name);
  return found == entries_by_name_.end() ? ptx::kNone : found->second;
}

std::vector<Target> Module::targets() const {
  std::vector<Target> all;
  for (const auto& module : modules_) {
    ptx::Architecture architecture;
    for (const std::string_view target : module->targets)
      if (target.starts_with("sm_")) architecture = ptx::architecture(target);
    all.push_back(
        {module->version.major, module->version.minor, architecture.number, !architecture.flavour.empty()});
  }
  return all;
}

std::vector<std::string> Module::kernel_names() const {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) names.emplace_back(kernel(i).name);
  return names;
}

std::vector<DeclaredVariable> Module::variables() const {
  std::vector<DeclaredVariable> all;
  for (const Placed& placed : variables_) {
    const ptx::Variable& variable = program_->module(placed.id.module).variables[placed.id.index];
    all.push_back({std::string(variable.name),
                   std::string(ptx::name_of(variable.type)),
                   {placed.address, variable.size()}});
  }
  return all;
}

void Module::check() const {
  for (std::uint32_t m = 0; m < modules_.size(); ++m) {
    for (std::uint32_t f = 0; f < modules_[m]->functions.size(); ++f) {
      if (!modules_[m]->functions[f].has_body || program_->function(m, f) != ptx::SymbolId{m, f}) continue;
      const auto refusal = kernel::refusal_of(*program_, {m, f});
      if (refusal && !refusal->is_legal) throw ptx::Error(refusal->error);
    }
  }
}

void Module::check_sizes(std::uint64_t most_shared) const {
  std::uint64_t all_shared = 0;
  const auto add = [&](const ptx::Variable& variable) {
    if (variable.space == ptx::Space::shared && !variable.is_unsized())
      all_shared += variable.size() + variable.alignment;
  };
  for (const auto& module : modules_) {
    std::uint64_t constant = 0;
    for (const ptx::Variable& variable : module->variables) {
      add(variable);
      if (variable.space == ptx::Space::constant) constant += variable.size();
    }
    if (constant > limits::constant_bytes)
      throw ptx::Error(module->name(), module->variables.front().where,
                       fmt::format("File uses too much global constant data ({:#x} bytes, {:#x} max)",
                                   constant, limits::constant_bytes));
    for (const ptx::Function& function : module->functions)
      if (function.has_body) std::ranges::for_each(function.body().variables, add);
  }
  // Few modules have so much that some kernel's could be too much.
  for (std::size_t i = 0; all_shared > most_shared && i < entries_.size(); ++i) {
    const ptx::Function& entry = kernel(static_cast<std::uint32_t>(i));
    const std::uint64_t bytes = kernel::reach(*program_, entries_[i].id, forms_).declared_shared_bytes;
    if (bytes > most_shared)
      throw ptx::Error(entry.module().name(), entry.where,
                       fmt::format("Entry function '{}' uses too much shared data ({:#x} bytes, {:#x} max)",
                                   entry.name, bytes, most_shared));
  }
}

const kernel::Kernel& Module::lowered(std::uint32_t index, kernel::Registers registers) {
  auto& lowered = entries_[index].lowered[static_cast<std::size_t>(registers)];
  if (!lowered) {
    try {
      lowered = kernel::lower(*program_, entries_[index].id, *this, contracts_, forms_, registers);
    } catch (const kernel::Refusal& refusal) {
      throw Refused(refusal.what(), refusal.file(), refusal.where().line, refusal.where().column);
    }
  }
  return *lowered;
}

}  // namespace wedjat::device
