#include "emulator/hooks/hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "emulator/hooks/client.h"
#include "emulator/hooks/library.h"
#include "emulator/hooks/running.h"

namespace wedjat::hooks {

struct Hooks::Tool {
  std::unique_ptr<Client> client;
  Filter filter;
  std::string html;
};

struct Hooks::KernelState {
  std::unique_ptr<Inspection> inspection;
  std::vector<Plan> plans;                                 ///< by tool
  std::map<std::vector<bool>, Instrumented> instrumented;  ///< by which tools watch
};

struct Hooks::Current {
  wedjat_launch launch{};
  std::vector<bool> watching;  ///< by tool
  std::vector<Client*> clients, cta_listeners;
  std::unique_ptr<RunningLaunch> running;  ///< null: no step is watched
};

Hooks::Hooks() = default;
Hooks::~Hooks() = default;

namespace {

std::uint64_t number(std::string_view text, const std::string& spec) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw ToolError(fmt::format("--tool {}: '{}' is no number", spec, text));
  return value;
}

}  // namespace

void Hooks::add(const std::string& spec, const std::string& suppressions) {
  std::istringstream parts(spec);
  std::string name;
  std::getline(parts, name, ',');
  if (name.empty()) throw ToolError("--tool needs the name of a tool");
  auto tool = std::make_unique<Tool>();
  Session session;
  bool isolated = false;
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals),
                      value = equals == std::string::npos ? "1" : part.substr(equals + 1);
    if (key == "isolated") {
      isolated = true;
    } else if (key == "kernel") {
      tool->filter.kernel = value;
    } else if (key == "html") {
      tool->html = value;
    } else if (key == "launches") {
      const std::size_t dash = value.find('-');
      tool->filter.first = number(value.substr(0, dash), spec);
      tool->filter.last =
          dash == std::string::npos ? tool->filter.first : number(value.substr(dash + 1), spec);
    } else if (!session.options.emplace(key, value).second) {
      throw ToolError(fmt::format("--tool {}: {} is given twice", spec, key));
    }
  }
  if (!suppressions.empty()) session.suppressions = read_suppressions(suppressions);
  session.allocation = [this](std::size_t index, wedjat_allocation& to) {
    if (index >= allocations_.size()) return false;
    const auto& [address, allocation] = *std::next(allocations_.begin(), static_cast<std::ptrdiff_t>(index));
    to = {address, allocation.bytes, allocation.label.c_str()};
    return true;
  };
  const std::string library = find_library(name);
  const bool apart = isolated || library.ends_with(".py");
  tool->client = apart ? load_isolated(library, std::move(session)) : load_here(library, std::move(session));
  tools_.push_back(std::move(tool));
}

void Hooks::add(const wedjat_tool& tool) {
  auto added = std::make_unique<Tool>();
  added->client = load_here(tool, {});
  tools_.push_back(std::move(added));
}

Hooks::KernelState& Hooks::state_of(const kernel::Kernel& kernel) {
  auto& state = kernels_[kernel.number];
  if (state == nullptr) {
    state = std::make_unique<KernelState>();
    state->inspection = std::make_unique<Inspection>(kernel, static_cast<std::uint32_t>(kernels_.size() - 1));
    for (const auto& tool : tools_)
      state->plans.push_back(matches(tool->filter.kernel, kernel.name)
                                 ? tool->client->subscribe(state->inspection->kernel())
                                 : Plan{});
  }
  return *state;
}

const kernel::Kernel* Hooks::begin(const kernel::Kernel& kernel, const exec::Launch& from,
                                   exec::Observer*& observer, bool& serial) {
  if (tools_.empty()) return nullptr;
  current_ = std::make_unique<Current>();
  KernelState& state = state_of(kernel);
  wedjat_launch& launch = current_->launch;
  launch.size = sizeof launch;
  launch.index = launches_++;
  launch.kernel = &state.inspection->kernel();
  launch.shared_bytes = from.shared_bytes();
  launch.parameters = from.parameters.data();
  const exec::Dim3* const shapes[] = {&from.grid, &from.block};
  for (int i = 0; i < 2; ++i) {
    std::uint32_t* to = i == 0 ? launch.grid : launch.block;
    to[0] = shapes[i]->x, to[1] = shapes[i]->y, to[2] = shapes[i]->z;
  }
  bool watched = false;
  for (std::size_t t = 0; t < tools_.size(); ++t) {
    const Filter& filter = tools_[t]->filter;
    Client& client = *tools_[t]->client;
    const bool chosen = matches(filter.kernel, kernel.name) && launch.index >= filter.first &&
                        launch.index <= filter.last && client.launch_begin(launch);
    current_->clients.push_back(&client);
    current_->watching.push_back(chosen && !state.plans[t].empty());
    watched = watched || current_->watching.back();
    if (chosen && client.wants_ctas()) current_->cta_listeners.push_back(&client);
  }
  if (!watched && current_->cta_listeners.empty()) return nullptr;
  auto found = state.instrumented.find(current_->watching);
  if (found == state.instrumented.end()) {
    std::vector<Wanted> wanted;
    for (std::size_t t = 0; t < tools_.size(); ++t)
      wanted.push_back({current_->watching[t] ? &state.plans[t] : nullptr,
                        static_cast<std::uint32_t>(tools_[t]->client->counters().size())});
    found = state.instrumented.emplace(current_->watching, instrument(kernel, *launch.kernel, wanted)).first;
  }
  current_->running =
      std::make_unique<RunningLaunch>(found->second, launch, current_->clients, current_->cta_listeners);
  observer = current_->running.get();
  serial = found->second.serial || !current_->cta_listeners.empty();
  return found->second.kernel.get();
}

void Hooks::end(std::uint64_t warp_instructions, std::uint64_t thread_instructions, const char* failure) {
  if (current_ == nullptr) return;
  if (current_->running != nullptr)
    for (std::size_t t = 0; t < tools_.size(); ++t)
      current_->running->add_counts(t, tools_[t]->client->counters());
  wedjat_launch& launch = current_->launch;
  launch.warp_instructions = warp_instructions;
  launch.thread_instructions = thread_instructions;
  launch.failure = failure;
  for (const auto& tool : tools_) tool->client->launch_end(launch);
  current_->running.reset();
}

void Hooks::call(const wedjat_call& call) {
  for (const auto& tool : tools_) tool->client->call(call);
}

void Hooks::memory(std::uint32_t what, std::uint64_t address, std::uint64_t bytes, const char* label) {
  if (what == WEDJAT_ALLOCATED) allocations_[address] = {bytes, label};
  if (what == WEDJAT_FREED) allocations_.erase(address);
  const wedjat_memory memory{sizeof memory, what, address, bytes, label};
  for (const auto& tool : tools_) tool->client->memory(memory);
}

std::vector<Report> Hooks::finish() {
  std::vector<Report> reports;
  for (const auto& tool : tools_) {
    reports.push_back(tool->client->finish());
    if (tool->html.empty()) continue;
    std::ofstream out(tool->html);
    out << to_html(reports.back());
    out.close();
    if (!out) throw ToolError(fmt::format("{}: cannot be written", tool->html));
  }
  return reports;
}

}  // namespace wedjat::hooks
