// Functions of a module: interface, declarations and definition of one name, aliases.
#include <algorithm>

#include "emulator/ptx/builder/module_builder.h"

namespace wedjat::ptx {
namespace {

std::string line_of(Location where) { return " (line " + std::to_string(where.line) + ")"; }

bool same(const Parameter& a, const Parameter& b) {
  return a.space == b.space && a.type == b.type && a.vector_width == b.vector_width &&
         a.is_array == b.is_array && a.extent == b.extent;
}

bool same(const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

}  // namespace

// Opaque parameters take none of the space.
void ModuleBuilder::check_parameter_space(const Function& entry) const {
  const Architecture architecture = ptx::architecture(module_->targets.front());
  const std::uint64_t most = parameter_space(module_->version, architecture);
  std::uint64_t bytes = 0;
  for (const Parameter& parameter : entry.parameters) {
    if (is_opaque(parameter.type)) continue;
    const std::uint64_t alignment = std::max<std::uint64_t>(parameter.alignment, 1);
    bytes = (bytes + alignment - 1) / alignment * alignment + parameter.size();
  }
  if (bytes <= most) return;
  source_.fail(entry.where, "the parameters of '" + std::string(entry.name) + "' take " +
                                std::to_string(bytes) + " bytes: at most " + std::to_string(most) +
                                " are allowed for this .version and .target");
}

void ModuleBuilder::interface(const Grammar::FunctionContext& context, Function& out) {
  out.name = declarations_.declared_name(context.name);
  out.is_entry = text(context.kind) == ".entry";
  out.where = source_.location(offset_of(context.name));
  out.returns = declarations_.parameters(context.results, false);
  out.parameters = declarations_.parameters(context.arguments, !out.is_entry);
  if (out.is_entry) {
    if (context.results != nullptr) fail(context.kind, "an entry returns nothing");
    for (const Parameter& parameter : out.parameters)
      if (parameter.space != Space::param || parameter.vector_width != 1)
        source_.fail(parameter.where, "a parameter of an entry is a scalar or array in .param");
    check_parameter_space(out);
  }
  for (const std::vector<Parameter>* list : {&out.returns, &out.parameters})
    for (const Parameter& parameter : *list)
      if (!out.is_entry && is_opaque(parameter.type))
        source_.fail(parameter.where, "textures, surfaces and samplers are parameters of entries only");
  if (out.returns.size() > 1)
    for (const Parameter& parameter : out.returns)
      if (parameter.space != Space::reg) source_.fail(parameter.where, "several results must all be in .reg");
  declarations_.attributes(context.attributes, out.directives);
  declarations_.directives(context.directives,
                           out.is_entry ? Declarations::Owner::entry : Declarations::Owner::function,
                           out.directives);
  if (out.is_entry && context.open == nullptr && context.end == nullptr)
    fail(context.name, "an entry has a body, or ';' stands for it");
  if (context.open != nullptr) {
    out.has_body = true;
    out.body_text_ = between(context.open);
  }
}

Function& ModuleBuilder::function_named(std::string_view name) {
  const auto [at, is_new] =
      module_->function_index_.try_emplace(name, static_cast<std::uint32_t>(module_->functions.size()));
  if (is_new) module_->functions.emplace_back();
  return module_->functions[at->second];
}

void ModuleBuilder::check_same_interface(const Function& old, const Function& now) const {
  const std::string name = "'" + std::string(now.name) + "'";
  if (old.has_body)
    source_.fail(now.where, now.has_body ? name + " is defined twice" + line_of(old.where)
                                         : name + " is declared after its definition" + line_of(old.where));
  const bool may_drop = old.linkage == Linkage::visible || old.linkage == Linkage::weak;
  if (now.linkage != old.linkage && !(now.linkage == Linkage::none && may_drop))
    source_.fail(now.where, name + " has another linkage than in its declaration" + line_of(old.where));
  if (old.is_entry != now.is_entry || !same(old.returns, now.returns) ||
      !same(old.parameters, now.parameters))
    source_.fail(now.where, name + " disagrees with its other declaration" + line_of(old.where));
}

void ModuleBuilder::merge(Function& old, Function& now) const {
  check_same_interface(old, now);
  // What a definition says counts, but for linkage, which its declaration has said.
  if (!now.has_body) return;
  old.returns = std::move(now.returns);
  old.parameters = std::move(now.parameters);
  old.directives = std::move(now.directives);
  old.has_body = true;
  old.body_text_ = now.body_text_;
  old.where = now.where;
}

void ModuleBuilder::function(const Grammar::FunctionContext& context, Linkage linkage) {
  Function now;
  interface(context, now);
  now.linkage = linkage;
  if (linkage == Linkage::common) source_.fail(now.where, ".common is for variables");
  if (linkage == Linkage::external && now.has_body)
    source_.fail(now.where, "an .extern function has no body");
  if (const std::uint32_t variable = module_->find_variable(now.name); variable != kNone)
    source_.fail(now.where, "'" + std::string(now.name) + "' is also a variable" +
                                line_of(module_->variables[variable].where));
  Function& kept = function_named(now.name);
  if (kept.module_ == nullptr) {
    kept.module_ = module_.get();
    kept.name = now.name;
    kept.is_entry = now.is_entry;
    kept.linkage = now.linkage;
    kept.where = now.where;
    kept.returns = now.returns;
    kept.parameters = now.parameters;
    kept.directives = now.directives;
  }
  merge(kept, now);
}

void ModuleBuilder::alias(const Grammar::ModuleItemContext& item) {
  declarations_.require(item.start, ".alias");
  const auto declared = [&](const antlr4::Token* name) {
    const std::uint32_t index = module_->find_function(text(name));
    if (index == kNone) fail(name, "'" + std::string(text(name)) + "' is no function declared above");
    return index;
  };
  Function& function = module_->functions[declared(item.alias)];
  const std::uint32_t target_index = declared(item.aliasee);
  const Function& target = module_->functions[target_index];
  if (function.has_body) fail(item.alias, "'" + std::string(function.name) + "' is defined and no alias");
  if (!target.has_body)
    fail(item.aliasee, "'" + std::string(target.name) + "' is not defined in this module");
  if (function.is_entry || target.is_entry) fail(item.alias, "aliases are for functions, not entries");
  if (!same(function.returns, target.returns) || !same(function.parameters, target.parameters))
    fail(item.alias, "alias and target have different parameters");
  function.alias_of = target_index;
}

}  // namespace wedjat::ptx
