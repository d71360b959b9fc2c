#include "utilities/timing/watched.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "utilities/timing/accesses.hpp"
#include "utilities/timing/launch.hpp"
#include "utilities/timing/others.hpp"
#include "utilities/timing/slow_paths.hpp"

namespace timing {
namespace {

// The lowered kernel may hold copies of a block (of what ptxas unrolls): all of them are the first one.
std::uintptr_t number_of(const wedjat_block& block, const wedjat_kernel& k) {
  const auto code = wedjat::blocks(k);
  const auto same = std::ranges::find_if(code, [&](const wedjat_block& other) {
    return other.first == block.first && other.count == block.count;
  });
  return static_cast<std::uintptr_t>(same - code.begin());
}

bool orders_memory(const wedjat_instruction& at) {
  return (at.what & WEDJAT_FENCE) != 0 ||
         std::ranges::any_of(wedjat::accesses(at), [](const wedjat_access& access) {
           return access.acquires != 0 || access.releases != 0;
         });
}

// Of an access: somebody reads what it gives back; other CTAs may wait for it; it waits for them; they are
// ordered by fences.
constexpr std::uintptr_t kAnswered = 1, kTells = 2, kWaits = 4, kFenced = 8;

}  // namespace

std::uint64_t cta_of(std::uint64_t sm, std::uint64_t place) { return sm + place * h200::sms; }
std::uint64_t sm_of(std::uint64_t cta) { return cta % h200::sms; }

// What a warp waits for besides stands behind the accesses of its block.
struct Watched::Running {
  struct Waits {
    std::uint64_t cycles = 0, until = 0;
  };
  CtaTokens tokens;
  std::vector<Waits> waits;

  void end_block(std::uint32_t warp) {
    const Waits of = std::exchange(waits[warp], {});
    if (of.cycles != 0) tokens[warp].push_back(token::of_delay(of.cycles));
    if (of.until != 0) tokens[warp].push_back(token::until(of.until));
  }
  CtaTokens done() {
    for (std::uint32_t warp = 0; warp < tokens.size(); ++warp) end_block(warp);
    return std::move(tokens);
  }
};

struct Watched::State {
  Memory memory;
  HandOvers hand_overs;
  Managed managed;
  std::uint64_t managed_bytes = 0;  // of the allocation that is under way
  std::uint64_t launch = 0;
  Recorded recorded;
  std::vector<std::unique_ptr<Program>> programs;  // by kernel
  std::set<std::uint32_t> seen;                    // kernels that were launched
  std::map<std::uint64_t, Running> running;
  Running* cta = nullptr;  // of the event before
  std::uint64_t cta_number = 0;
};

Watched::Watched() : state_(std::make_unique<State>()) {}
Watched::~Watched() = default;

void Watched::kernel(const wedjat_kernel& k) {
  state_->programs.resize(std::max<std::size_t>(state_->programs.size(), k.id + 1));
  state_->programs[k.id] = std::make_unique<Program>(k);
  const std::vector<bool> waiting = waiting_loads(k);
  const bool hands_over = std::ranges::find(waiting, true) != waiting.end();
  const bool is_fenced = std::ranges::any_of(wedjat::instructions(k), orders_memory);
  for (const wedjat_block& block : wedjat::blocks(k)) {
    const std::uintptr_t number = number_of(block, k);
    enter<&Watched::on_block>(k, block, reinterpret_cast<void*>(number));
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const wedjat_instruction& at = k.instructions[i];
      if (const h200::SlowPath* const path = slow_path_of(at.form); path != nullptr && is_plain(at))
        before<&Watched::on_division>(at, WEDJAT_ROWS, const_cast<h200::SlowPath*>(path));
      if (!has_token(at)) continue;
      const std::uintptr_t role = (state_->programs[k.id]->is_unread[i] ? 0 : kAnswered) |
                                  (hands_over ? kTells : 0) | (waiting[i] ? kWaits : 0) |
                                  (is_fenced ? kFenced : 0);
      void* const answered = reinterpret_cast<void*>(role);
      if (at.what & WEDJAT_HAS_PIECES)
        after<&Watched::on_access>(at, WEDJAT_PIECES | WEDJAT_EMPTY, answered);
      else
        before<&Watched::on_access>(at, WEDJAT_ADDRESSES | WEDJAT_EMPTY, answered);
    }
  }
}

bool Watched::launch_begin(const wedjat_launch&) {
  state_->memory.launch_begins(), state_->hand_overs.launch_begins(), state_->managed.launch_begins(),
      ++state_->launch;
  return true;
}

void Watched::cta_end(const wedjat_launch&, std::uint64_t number) {
  const auto found = state_->running.find(number);
  if (found == state_->running.end()) return;
  state_->recorded.add(number, found->second.done());
  state_->running.erase(found), state_->cta = nullptr;
}

void Watched::memory(const wedjat_memory& m) {
  if (m.what == WEDJAT_HOST_WROTE) state_->memory.host_wrote(m.address, m.bytes);
  if (m.what == WEDJAT_HOST_WROTE || m.what == WEDJAT_HOST_READS)
    state_->managed.host_touched(m.address, m.bytes);
}

void Watched::call(const wedjat_call& c) {
  if (std::string_view(c.name) != "cuMemAllocManaged") return;
  for (const wedjat_argument& argument : std::span(c.list, c.argument_count)) {
    const std::string_view name = argument.name;
    if (c.is_exit == 0 && name == "bytesize") state_->managed_bytes = argument.number;
    if (c.is_exit != 0 && c.status == 0 && name == "dptr_out")
      state_->managed.allocated(argument.number, state_->managed_bytes);
  }
}

Prediction Watched::predict(const wedjat_launch& launch, std::size_t most, Watcher* watcher, bool is_warm) {
  for (auto& [number, cta] : state_->running) state_->recorded.add(number, cta.done());
  state_->running.clear(), state_->cta = nullptr;
  const Program& program = *state_->programs[launch.kernel->id];
  Prediction found = LaunchModel(program, state_->recorded, launch)
                         .run(most, watcher, is_warm ? 0 : fetch_of(launch), state_->memory.updates());
  state_->recorded.clear();
  return found;
}

std::uint64_t Watched::unmeasured() const {
  std::uint64_t sum = 0;
  for (const auto& program : state_->programs)
    if (program != nullptr) sum += program->unmeasured;
  return sum;
}

// Cycles until the first instructions are there: those of the first launch of all come from device memory,
// those of other kernels launched first from the L2.
std::uint32_t Watched::fetch_of(const wedjat_launch& launch) {
  const bool is_first_of_all = state_->seen.empty(), is_first = state_->seen.insert(launch.kernel->id).second;
  return is_first_of_all ? h200::device : is_first ? h200::l2 : 0;
}

Watched::Running& Watched::running(const wedjat::Event& event) {
  if (state_->cta == nullptr || state_->cta_number != event.cta)
    state_->cta = &state_->running[event.cta], state_->cta_number = event.cta;
  if (event.warp >= state_->cta->tokens.size())
    state_->cta->tokens.resize(event.warp + 1), state_->cta->waits.resize(event.warp + 1);
  return *state_->cta;
}

void Watched::on_block(const wedjat::Event& event) {
  Running& cta = running(event);
  cta.end_block(event.warp);
  cta.tokens[event.warp].push_back(
      token::of_block(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(event.user))));
}

void Watched::on_access(const wedjat::Event& event) {
  const auto role = reinterpret_cast<std::uintptr_t>(event.user);
  Running& cta = running(event);
  cta.tokens[event.warp].push_back(token::of_access(state_->memory.of(event, (role & kAnswered) != 0)));
  if ((role & (kTells | kWaits)) == 0 && state_->managed.is_empty()) return;
  std::uint64_t& until = cta.waits[event.warp].until;
  if (event.addresses == nullptr) return;
  for (const wedjat_access& access : wedjat::accesses(*event.instruction)) {
    if (access.space != WEDJAT_GLOBAL && access.space != WEDJAT_GENERIC) continue;
    const std::uint64_t* const at = event.addresses[&access - event.instruction->accesses];
    wedjat::each_lane(event.executed & access.lanes, [&](unsigned lane) {
      if (!state_->managed.is_empty())
        until = std::max(until, state_->managed.touched(at[lane], state_->launch));
      if (role & kWaits)
        until = std::max(until, state_->hand_overs.read(event.cta, at[lane], (role & kFenced) != 0));
      if ((role & kTells) && access.writes && access.strong) state_->hand_overs.wrote(event.cta, at[lane]);
    });
  }
}

void Watched::on_division(const wedjat::Event& event) {
  const auto& path = *static_cast<const h200::SlowPath*>(event.user);
  if (event.executed != 0 && takes_slow_path(event, path))
    running(event).waits[event.warp].cycles += path.cycles;
}

}  // namespace timing
