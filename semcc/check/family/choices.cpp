#include "semcc/check/family/choices.h"

#include <fmt/format.h>

#include <algorithm>

#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

using front::Member;
using front::SetDecl;

// One set of the form and the members it may take.
struct Axis {
  std::string set;
  bool types = false;
  struct Option {
    std::string word;  // empty: absent
    std::vector<front::Availability> since;
  };
  std::vector<Option> options;
  std::vector<std::string> also;  // other sets bound to the same member
};

const SetDecl* set_named(const Scope& scope, const std::string& name) {
  const auto found = scope.sets.find(name);
  return found == scope.sets.end() ? nullptr : found->second;
}

std::string word_of(const Member& member) { return member.word == "none" ? "" : member.word; }

Axis* find(std::vector<Axis>& axes, const std::string& set) {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.set == set; });
  return found == axes.end() ? nullptr : &*found;
}

void narrow_axis(Axis& axis, const std::vector<Member>& to, bool keep_absent) {
  std::vector<Axis::Option> kept;
  for (const Member& member : to) {
    const std::string word = word_of(member);
    const auto found =
        std::find_if(axis.options.begin(), axis.options.end(), [&](const auto& o) { return o.word == word; });
    if (found == axis.options.end())
      throw Refusal{member.at, fmt::format("{} is not in the set {}", member.word, axis.set)};
    Axis::Option option = *found;
    option.since.push_back(member.since);
    kept.push_back(option);
  }
  const bool had_absent =
      std::any_of(axis.options.begin(), axis.options.end(), [](const auto& o) { return o.word.empty(); });
  const bool has_absent = std::any_of(kept.begin(), kept.end(), [](const auto& o) { return o.word.empty(); });
  if (keep_absent && had_absent && !has_absent) kept.push_back({"", {}});
  axis.options = std::move(kept);
}

void apply(const front::Binding& binding, const Scope& scope, std::vector<Axis>& axes) {
  const SetDecl* set = set_named(scope, binding.name);
  if (!set) throw Refusal{binding.at, fmt::format("{} is not a set", binding.name)};
  std::vector<Member> members = binding.members;
  if (!binding.braces) {
    const std::string& word = members[0].word;
    if (const SetDecl* other = set_named(scope, word)) {
      Axis* written = find(axes, word);
      if (written && !find(axes, binding.name)) {
        written->also.push_back(binding.name);
        return;
      }
      members = other->members;
    }
  }
  if (Axis* axis = find(axes, binding.name)) return narrow_axis(*axis, members, true);
  if (members.size() != 1)
    throw Refusal{
        binding.at,
        fmt::format("{} does not stand in the form's text: bind it to one member, or to a set that does",
                    binding.name)};
  axes.push_back(
      {binding.name, set->kind == SetDecl::Kind::Types, {{word_of(members[0]), {members[0].since}}}, {}});
}

Value value_of(const Axis& axis, const std::string& word, Location at) {
  if (!axis.types) return Value::of_word(word);
  const auto type = type_named(word);
  if (!type) throw Refusal{at, fmt::format("{} is not a type", word)};
  return Value::of_type(*type);
}

std::vector<Axis> axes_of(const front::FormDecl& form, const Scope& scope) {
  std::vector<Axis> axes;
  for (const front::Suffix& suffix : form.suffixes) {
    const SetDecl* set = set_named(scope, suffix.word);
    if (!set || set->kind == SetDecl::Kind::Hint || find(axes, suffix.word)) continue;
    if (suffix.optional && set->kind == SetDecl::Kind::Types)
      throw Refusal{suffix.at, "a type cannot be left out"};
    Axis axis{suffix.word, set->kind == SetDecl::Kind::Types, {}, {}};
    for (const Member& member : set->members) axis.options.push_back({word_of(member), {member.since}});
    if (suffix.optional) axis.options.push_back({"", {}});
    axes.push_back(std::move(axis));
  }
  for (const front::Binding& binding : form.bindings) apply(binding, scope, axes);
  return axes;
}

}  // namespace

std::vector<std::string> sets_in(const front::FormDecl& form, const Scope& scope) {
  std::vector<std::string> names;
  for (const Axis& axis : axes_of(form, scope)) {
    names.push_back(axis.set);
    names.insert(names.end(), axis.also.begin(), axis.also.end());
  }
  return names;
}

std::vector<Choice> choices(const front::FormDecl& form, const Scope& scope) {
  std::vector<Choice> result(1);
  if (!narrow(result[0].since, form.since)) throw Refusal{form.at, "no target has this form"};
  for (const Axis& axis : axes_of(form, scope)) {
    std::vector<Choice> next;
    for (const Choice& choice : result)
      for (const Axis::Option& option : axis.options) {
        Choice more = choice;
        bool exists = true;
        for (const auto& since : option.since) exists = exists && narrow(more.since, since);
        if (!exists) continue;
        more.bound[axis.set] = value_of(axis, option.word, form.at);
        for (const std::string& name : axis.also) more.bound[name] = more.bound[axis.set];
        next.push_back(std::move(more));
      }
    result = std::move(next);
  }
  return result;
}

}  // namespace semcc::check
