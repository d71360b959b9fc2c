#include "traces/replay/state/accounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "traces/format/api_table.h"
#include "traces/format/names.h"

namespace wedjat::traces {
namespace {

enum class Role : std::uint8_t { result, input, other };

bool is_phase(const Event& event, Phase phase) {
  return event.number("phase") == static_cast<std::uint64_t>(phase);
}

// Parameters of a call, what they point to, and what attributes were asked for: it is the call's to look at
// them.
bool belongs_to(const Call& call, const std::string& name) {
  if (name.starts_with("params") || name.starts_with("data.")) return true;
  const ApiFunction* function = find_api_function(call.symbol);
  const std::string_view parameter = std::string_view(name).substr(0, name.find('.'));
  return function != nullptr && std::ranges::any_of(function->parameters, [&](const ApiParameter& one) {
           return one.name == parameter;
         });
}

Role role_of(const Event& event, const Call* call) {
  if (event.name == "payload") {
    const std::string& name = event.text("name");
    if (name.starts_with("host_out")) return Role::result;
    if (name.starts_with("host_in"))  // of a call that failed nobody took it
      return call && call->exit && !call->succeeded() ? Role::other : Role::input;
    return call && belongs_to(*call, name) ? Role::other : Role::result;
  }
  if (event.name == "host_delta") return is_phase(event, Phase::exit) ? Role::result : Role::input;
  if (event.name == "image" || event.name == "made_of") return Role::other;
  // Kinds that are not known too.
  return Role::result;
}

bool has_contents(const Event& event) {
  return event.provider != kCallProvider && event.find("hash_high") != nullptr &&
         event.find("size") != nullptr;
}

}  // namespace

Accounts::Accounts(const Trace& trace, const Calls& calls) {
  std::unordered_map<const Event*, const Call*> of;
  for (const Call& call : calls.calls)
    for (const Event* event : call.attached) of[event] = &call;
  for (const Event& event : trace.events) {
    if (!has_contents(event)) continue;
    const auto found = of.find(&event);
    const Call* const call = found == of.end() ? nullptr : found->second;
    const Role role = role_of(event, call);
    if (role == Role::other) continue;
    if (role == Role::result) recorded_ += event.number("size");
    open_[&event] = {role == Role::result,
                     call ? fmt::format("{} (seq {})", call->symbol, call->sequence()) : "no call", ""};
  }
}

void Accounts::compared(const Event& event) { open_.erase(&event); }

void Accounts::because(const Event& event, std::string reason) {
  if (const auto found = open_.find(&event); found != open_.end() && found->second.reason.empty())
    found->second.reason = std::move(reason);
}

std::vector<Accounts::Left> Accounts::left() const {
  std::vector<std::pair<const Event*, const Open*>> events;
  for (const auto& [event, open] : open_) events.emplace_back(event, &open);
  std::ranges::sort(events, {}, [](const auto& one) { return one.first->sequence; });
  std::vector<Left> list;
  for (const auto& [event, open] : events) {
    const std::string name = event->name == "payload" ? event->text("name") : std::string(event->name);
    const std::uint64_t bytes = event->number("size");
    list.push_back(
        {open->is_result ? bytes : 0,
         fmt::format("{}: {} bytes of {} (seq {}) {}: {}", open->call, bytes, name, event->sequence,
                     open->is_result ? "were compared with nothing" : "went nowhere",
                     open->reason.empty() ? "nothing of the replay asks for them" : open->reason)});
  }
  return list;
}

}  // namespace wedjat::traces
