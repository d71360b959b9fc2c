#include "emulator/ptx/builder/names.h"

#include <algorithm>
#include <charconv>

namespace wedjat::ptx {
namespace {

constexpr std::size_t kMaxDigits = 9;

}  // namespace

std::optional<std::pair<std::string_view, std::uint32_t>> Names::split_number(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  if (begin == name.size() || begin == 0 || name.size() - begin > kMaxDigits) return std::nullopt;
  std::uint32_t number = 0;
  std::from_chars(name.data() + begin, name.data() + name.size(), number);
  return std::pair{name.substr(0, begin), number};
}

const Names::Declared* Names::find_range(std::string_view name, Entity& entity) const {
  const auto split = split_number(name);
  if (!split) return nullptr;
  const auto found = ranges_.find(split->first);
  if (found == ranges_.end()) return nullptr;
  for (auto at = found->second.rbegin(); at != found->second.rend(); ++at) {
    if (split->second >= at->count) continue;
    entity = {at->entity.kind, at->entity.index + split->second};
    return &*at;
  }
  return nullptr;
}

std::optional<Entity> Names::find(std::string_view name) const {
  Entity in_range;
  const Declared* const range = find_range(name, in_range);
  const auto found = names_.find(name);
  if (found == names_.end()) return range != nullptr ? std::optional(in_range) : std::nullopt;
  const Declared& single = found->second.back();
  return range != nullptr && range->scope > single.scope ? in_range : single.entity;
}

std::optional<Entity> Names::find_here(std::string_view name) const {
  const auto scope = static_cast<std::uint32_t>(scopes_.size());
  Entity in_range;
  const Declared* const range = find_range(name, in_range);
  if (range != nullptr && range->scope == scope) return in_range;
  const auto found = names_.find(name);
  if (found == names_.end() || found->second.back().scope != scope) return std::nullopt;
  return found->second.back().entity;
}

bool Names::declare(std::string_view name, Entity entity) {
  if (find_here(name)) return false;
  const auto scope = static_cast<std::uint32_t>(scopes_.size());
  names_[name].push_back({scope, entity});
  scopes_.back().names.push_back(name);
  if (const auto split = split_number(name)) numbered_[split->first].emplace_back(scope, split->second);
  return true;
}

bool Names::declare_range(std::string_view prefix, Entity first, std::uint32_t count) {
  const auto scope = static_cast<std::uint32_t>(scopes_.size());
  auto& ranges = ranges_[prefix];
  if (!ranges.empty() && ranges.back().scope == scope) return false;
  const auto singles = numbered_.find(prefix);
  if (singles != numbered_.end()) {
    const auto clashes = [&](const auto& one) { return one.first == scope && one.second < count; };
    if (std::any_of(singles->second.begin(), singles->second.end(), clashes)) return false;
  }
  ranges.push_back({scope, first, count});
  scopes_.back().prefixes.push_back(prefix);
  return true;
}

void Names::close() {
  const auto drop = [](auto& map, std::string_view name) {
    const auto found = map.find(name);
    found->second.pop_back();
    if (found->second.empty()) map.erase(found);
  };
  for (const std::string_view name : scopes_.back().names) {
    drop(names_, name);
    if (const auto split = split_number(name)) drop(numbered_, split->first);
  }
  for (const std::string_view prefix : scopes_.back().prefixes) drop(ranges_, prefix);
  scopes_.pop_back();
}

}  // namespace wedjat::ptx
