#include "semcc/emit/forms/traits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "semcc/emit/facts/operation.h"
#include "semcc/emit/facts/synchronization.h"
#include "semcc/ir/traits.h"

namespace semcc::emit {
namespace {

std::string row(const ir::Form& form) {
  std::vector<std::string> flags = form.traits;
  const auto group =
      std::ranges::find_if(flags, [](const auto& word) { return std::ranges::count(ir::groups, word) != 0; });
  const std::string group_name = group == flags.end() ? "none" : *group;
  if (group != flags.end()) flags.erase(group);
  const auto add = [&](bool has, const char* flag) {
    if (has) flags.emplace_back(flag);
  };
  const Synchronization with_others = synchronization_of(form);
  add(with_others.arrives, "arrives");
  add(with_others.waits, "waits");
  add(with_others.cluster, "cluster");
  add(flushes(form), "flushes");
  add(has_texels(form), "texels");
  add(fetches(form), "fetches");
  add(samples(form), "samples");
  std::string bits;
  for (const std::string& flag : flags) bits += (bits.empty() ? "trait::" : " | trait::") + flag;
  const Operation operation = operation_of(form);
  return fmt::format("{{Operation::{}, Operation::{}, Relation::{}, Group::{}, {}, \"{}\"sv}},\n",
                     operation.name, update_of(form).name, operation.relation, group_name,
                     bits.empty() ? "0" : bits, fmt::join(form.leading, " "));
}

}  // namespace

std::string emit_traits(const std::vector<const ir::Form*>& forms) {
  std::map<std::string, std::size_t> known;
  std::string kinds, which;
  for (const ir::Form* form : forms) {
    const auto [at, added] = known.try_emplace(row(*form), known.size());
    if (added) kinds += at->first;
    which += fmt::format("{},\n", at->second);
  }
  return fmt::format(
      "namespace {{\nconstexpr Traits traits[] = {{\n{}{{}}}};\nconstexpr std::uint16_t traits_at[] = "
      "{{\n{}{}}};\n"
      "}}  // namespace\n\n"
      "const Traits& traits_of(const Form& form) {{\n"
      "  const std::span<const Form> all = all_forms();\n"
      "  const std::less<const Form*> before;\n"
      "  if (!before(&form, all.data()) && before(&form, all.data() + all.size()))\n"
      "    return traits[traits_at[&form - all.data()]];\n"
      "  const auto same = std::ranges::lower_bound(all, form.key, {{}}, &Form::key);\n"
      "  const bool found = same != all.end() && same->key == form.key;\n"
      "  return traits[traits_at[found ? static_cast<std::size_t>(same - all.begin()) : "
      "all.size()]];\n}}\n\n",
      kinds, which, known.size());
}

}  // namespace semcc::emit
