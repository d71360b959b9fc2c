#include "emulator/hooks/hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "emulator/hooks/clients/client.h"
#include "emulator/hooks/page/definitions.h"
#include "emulator/hooks/page/page.h"
#include "emulator/hooks/report/names.h"
#include "emulator/hooks/report/written.h"
#include "emulator/hooks/running/running.h"
#include "emulator/hooks/session/filter.h"
#include "emulator/hooks/session/library.h"

namespace wedjat::hooks {

namespace {
constexpr std::size_t most_tools = 64;  // a bit each in CtaWatch::off

// No step stands for it, so none has its guard.
bool hides_guard(const kernel::Origin& origin) {
  using kernel::Control;
  return origin.guard_register != kernel::no_register &&
         (origin.form->control == Control::Nothing || origin.form->control == Control::Event);
}

// Whether it asks who executes an instruction that hides its guard.
bool asks_for_guards(const Plan& plan, const kernel::Kernel& code) {
  const auto hides = [&](const auto& wish) { return hides_guard(code.origins[wish.instruction]); };
  return std::ranges::any_of(plan.probes, hides) || std::ranges::any_of(plan.counts, hides);
}

// What it subscribed to; of a checker also how many accesses it looks at.
Plan plan_of(Client& client, const wedjat_kernel& kernel, const kernel::Kernel& code) {
  Plan plan = client.subscribe(kernel);
  plan.guards = asks_for_guards(plan, code);
  if (!client.checks()) return plan;
  std::vector<bool> counted(kernel.instruction_count);
  for (const wedjat_probe& probe : plan.probes) {
    const wedjat_instruction& at = kernel.instructions[probe.instruction];
    if (counted[at.id] || (at.access_count == 0 && !(at.what & WEDJAT_HAS_PIECES))) continue;
    plan.counts.push_back({sizeof(wedjat_count), at.id, WEDJAT_EXECUTED, Session::accesses, 0, 0});
    counted[at.id] = true;
  }
  return plan;
}

}  // namespace

struct Hooks::Tool {
  std::unique_ptr<Client> client;
  Filter filter;
  std::string html, definitions;
  std::uint64_t launches = 0;  // it watched
};

struct Hooks::KernelState {
  std::unique_ptr<Inspection> inspection;
  std::vector<Plan> plans;                                 ///< by tool
  std::map<std::vector<bool>, Instrumented> instrumented;  ///< by which tools watch
};

struct Hooks::Current {
  wedjat_launch launch{};
  std::vector<bool> watching;              ///< by tool: some step of the kernel
  std::vector<Watcher> watchers;           ///< by tool
  std::unique_ptr<RunningLaunch> running;  ///< null: no step is watched
};

Hooks::Hooks() : forms_(std::make_unique<kernel::FormTable>(kernel::all_forms())) {}
Hooks::~Hooks() = default;

// Two tools that write one file would leave what the last one wrote.
void Hooks::claim(const std::string& file, const std::string& spec) {
  for (const auto& [other, whose] : claimed_)
    if (is_same_file(file, other))
      throw ToolError(fmt::format("--tool {}: {} is also the file of --tool {}", spec, file, whose));
  claimed_.emplace(file, spec);
}

void Hooks::add(const std::string& spec, const std::string& suppressions) {
  std::istringstream parts(spec);
  std::string name;
  std::getline(parts, name, ',');
  if (name.empty()) throw ToolError("--tool needs the name of a tool");
  if (tools_.size() == most_tools) throw ToolError(fmt::format("there are more than {} tools", most_tools));
  auto tool = std::make_unique<Tool>();
  Session session;
  bool isolated = false;
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals),
                      value = equals == std::string::npos ? "1" : part.substr(equals + 1);
    if (key == "isolated") {
      if (equals != std::string::npos)
        throw ToolError(fmt::format("--tool {}: isolated takes no value", spec));
      isolated = true;
    } else if (key == "html") {
      if (value.empty() || !tool->html.empty())
        throw ToolError(fmt::format("--tool {}: html takes one file", spec));
      tool->html = value;
      claim(value, spec);
    } else if (tool->filter.take(key, value, spec)) {
      continue;
    } else if (!session.options.emplace(key, value).second) {
      throw ToolError(fmt::format("--tool {}: {} is given twice", spec, key));
    }
  }
  if (const auto file = session.options.find("file"); file != session.options.end())
    claim(file->second, spec);
  if (!suppressions.empty()) {
    auto& list = suppressions_[suppressions];
    if (list == nullptr) list = std::make_shared<Suppressions>(suppressions);
    session.suppressions = list;
  }
  session.allocation = [this](std::size_t index, wedjat_allocation& to) {
    if (index >= allocations_.size()) return false;
    const auto& [address, allocation] = *std::next(allocations_.begin(), static_cast<std::ptrdiff_t>(index));
    to = {address, allocation.bytes, allocation.label.c_str()};
    return true;
  };
  const std::string library = find_library(name);
  const bool apart = isolated || is_python(library);
  tool->client =
      apart ? load_isolated(library, std::move(session), print_) : load_here(library, std::move(session));
  tool->definitions = definitions_beside(library);
  for (const Definition& definition : tool->client->definitions()) forms_->add(definition.form());
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
      state->plans.push_back(tool->filter.holds_kernel(kernel.name)
                                 ? plan_of(*tool->client, state->inspection->kernel(), kernel)
                                 : Plan{});
  }
  return *state;
}

namespace {

wedjat_launch describe(const exec::Launch& from, const wedjat_kernel& kernel, std::uint64_t index) {
  wedjat_launch launch{};
  launch.size = sizeof launch;
  launch.index = index;
  launch.kernel = &kernel;
  launch.shared_bytes = from.shared_bytes();
  launch.parameters = from.parameters.data();
  const auto copy = [](const exec::Dim3& shape, std::uint32_t* to) {
    to[0] = shape.x, to[1] = shape.y, to[2] = shape.z;
  };
  launch.threads = from.options.threads != 0 ? from.options.threads : std::thread::hardware_concurrency();
  launch.threads = std::max(launch.threads, 1u);
  copy(from.grid, launch.grid);
  copy(from.block, launch.block);
  copy(from.cluster, launch.cluster);
  return launch;
}

}  // namespace

const kernel::Kernel* Hooks::begin(const kernel::Kernel& kernel, const exec::Launch& from,
                                   const Lowered& lowered, exec::Observer*& observer, Threads& threads) {
  if (tools_.empty() || finished_) return nullptr;
  current_ = std::make_unique<Current>();
  KernelState& state = state_of(kernel);
  current_->launch = describe(from, state.inspection->kernel(), launches_++);
  current_->launch.recorded_nanoseconds = std::exchange(recorded_nanoseconds_, 0);
  current_->launch.recorded_registers = std::exchange(recorded_registers_, 0);
  const wedjat_launch& launch = current_->launch;
  bool listened = false, watched = false;
  threads = Threads::all;
  auto registers = kernel::Registers::named;
  for (std::size_t t = 0; t < tools_.size(); ++t) {
    Filter& filter = tools_[t]->filter;
    filter.saw(kernel.name, launch.index, from.grid.count(), (from.block.count() + 31) / 32);
    Client& client = *tools_[t]->client;
    const bool asked = filter.holds_kernel(kernel.name) && filter.holds_launch(launch.index);
    const bool chosen = asked && client.launch_begin(launch);
    if (chosen && client.wants_again(launch.kernel->id)) {
      state.plans[t] = plan_of(client, *launch.kernel, kernel);
      state.instrumented.clear();
    }
    const Plan& plan = state.plans[t];
    current_->watchers.push_back({&client, &filter, asked, chosen});
    current_->watching.push_back(chosen && !plan.empty());
    watched = watched || current_->watching.back();
    const bool listens = chosen && (client.wants_ctas() || client.wants_warps());
    listened = listened || listens;
    if (listens) threads = std::max(threads, client.threads());
    if (chosen && client.wants_one_at_a_time()) threads = Threads::one;
    if (chosen) ++tools_[t]->launches;
    if (current_->watching.back() && plan.guards) registers = std::max(registers, kernel::Registers::kept);
    if (current_->watching.back() && plan.registers)
      registers =
          std::max(registers, client.mutates() ? kernel::Registers::writable : kernel::Registers::kept);
  }
  if (!watched && !listened) return nullptr;
  auto found = state.instrumented.find(current_->watching);
  if (found == state.instrumented.end()) {
    std::vector<ToolPlan> wanted;
    for (std::size_t t = 0; t < tools_.size(); ++t)
      wanted.push_back({current_->watching[t] ? &state.plans[t] : nullptr,
                        static_cast<std::uint32_t>(tools_[t]->client->counters().size()),
                        tools_[t]->client->threads(), tools_[t]->client->mutates(),
                        tools_[t]->client->bitcode()});
    const kernel::Kernel& code = registers == kernel::Registers::named ? kernel : lowered(registers);
    found = state.instrumented.emplace(current_->watching, instrument(code, *launch.kernel, wanted)).first;
  }
  current_->running = std::make_unique<RunningLaunch>(found->second, launch, current_->watchers);
  observer = current_->running.get();
  threads = std::max(threads, found->second.threads);
  return found->second.kernel.get();
}

void Hooks::end(std::uint64_t warp_instructions, std::uint64_t thread_instructions,
                const exec::Fault* failure) {
  if (current_ == nullptr || finished_) return;
  if (current_->running != nullptr)
    for (std::size_t t = 0; t < tools_.size(); ++t)
      current_->running->add_counts(t, tools_[t]->client->counters());
  wedjat_launch& launch = current_->launch;
  launch.warp_instructions = warp_instructions;
  launch.thread_instructions = thread_instructions;
  if (failure != nullptr) launch.failure = failure->what();
  if (failure != nullptr && failure->place()) {
    launch.failed = &launch.kernel->instructions[failure->place()->id];
    launch.failed_cta = failure->place()->cta;
    launch.failed_thread = failure->place()->thread;
  }
  for (std::size_t t = 0; t < tools_.size(); ++t) {
    const Watcher& watcher = current_->watchers[t];
    if (!watcher.asked) continue;
    launch.left_out = current_->running != nullptr ? current_->running->take_left_out(t) : 0;
    watcher.client->launch_end(launch);
  }
  current_->running.reset();
}

void Hooks::recorded(std::uint64_t nanoseconds, std::uint32_t registers) {
  recorded_nanoseconds_ = nanoseconds, recorded_registers_ = registers;
}

void Hooks::call(const wedjat_call& call) {
  if (finished_) return;
  for (const auto& tool : tools_) tool->client->call(call);
}

void Hooks::graph_node(const wedjat_graph_node& node) {
  if (finished_) return;
  for (const auto& tool : tools_) tool->client->graph_node(node);
}

void Hooks::module(const std::string& name, const std::vector<std::string>& kernels) {
  if (finished_) return;
  std::vector<const char*> names;
  names.reserve(kernels.size());
  for (const std::string& kernel : kernels) names.push_back(kernel.c_str());
  const wedjat_module module{sizeof module, name.c_str(), names.data(),
                             static_cast<std::uint32_t>(names.size())};
  for (const auto& tool : tools_) tool->client->module(module);
}

void Hooks::memory(std::uint32_t what, std::uint64_t address, std::uint64_t bytes, const char* label) {
  if (finished_) return;
  if (what == WEDJAT_ALLOCATED) allocations_[address] = {bytes, label};
  if (what == WEDJAT_FREED) allocations_.erase(address);
  const wedjat_memory memory{sizeof memory, what, address, bytes, label};
  for (const auto& tool : tools_) tool->client->memory(memory);
}

void Hooks::add_code(Page& page, bool mangled) const {
  for (const auto& [number, state] : kernels_) {
    page.kernels.push_back(list(state->inspection->kernel()));
    if (!mangled) page.kernels.back().kernel = demangled(page.kernels.back().kernel);
  }
}

void Hooks::add_to(Page& page, std::vector<Report> reports, bool mangled) const {
  for (std::size_t t = 0; t < reports.size(); ++t)
    page.tools.push_back({std::move(reports[t]), tools_[t]->definitions});
  add_code(page, mangled);
}

std::vector<Report> Hooks::finish() {
  std::vector<Report> reports;
  finished_ = true;
  for (const auto& tool : tools_) {
    Report& report = reports.emplace_back(tool->client->finish());
    report.chose_nothing = tool->filter.chose_nothing();
    report.launches = tool->launches;
    report.accesses = tool->client->counters().at(Session::accesses);
    if (tool->html.empty()) continue;
    std::ofstream out(tool->html);
    Page page;
    page.title = report.tool;
    page.tools.push_back({report, tool->definitions});
    demangle(page.tools.back().report);
    add_code(page, false);
    out << to_html(page);
    out.close();
    if (!out) throw ToolFileError(fmt::format("{}: cannot be written", tool->html));
  }
  return reports;
}

std::vector<std::string> Hooks::unused_suppressions() const {
  std::vector<std::string> all;
  for (const auto& [file, list] : suppressions_) std::ranges::copy(list->unused(), std::back_inserter(all));
  return all;
}

}  // namespace wedjat::hooks
