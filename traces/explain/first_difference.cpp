#include "traces/explain/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "traces/explain/step_text.h"
#include "traces/explain/thread_log.h"

namespace wedjat::traces {
namespace {

constexpr std::size_t most_instructions_shown = 40;  // instructions

// The first element that differs, and who wrote it last.
struct Wrong {
  const Checked* checked = nullptr;
  Place place;
  bool by_kernel = false;
  std::uint64_t launch = 0, cta = 0;
  std::uint32_t thread = 0, store = 0, line = 0;
  std::string kernel, text;
  std::string beside;  // what the host may have done at the same time
};

constexpr std::uint8_t system_scope = 4;  // wedjat_access.scope

// Memory both sides see.
bool is_shared(const Trace& trace, std::uint64_t address) {
  return std::ranges::any_of(trace.events, [&](const Event& event) {
    return event.name == "host_range" && address - event.number("address") < event.number("size");
  });
}

bool is_system_atomic(const Write& write) {
  return write.kind != Write::Kind::host && write.kind != Write::Kind::store &&
         write.at->accesses[0].scope == system_scope;
}

// Of a place that the launch which wrote it last changed by atomics of the whole system alone: threads of the
// host may do so, too, while it runs. `expected` and `got` are what the place holds.
std::string beside_host(const std::vector<const Write*>& writes, std::span<const std::byte> expected,
                        std::span<const std::byte> got) {
  const Write& last = *writes.back();
  const auto of_launch = std::ranges::count_if(writes, [&](const Write* write) {
    return write->kind != Write::Kind::host && write->launch == last.launch;
  });
  const auto atomics = std::ranges::count_if(
      writes, [&](const Write* write) { return write->launch == last.launch && is_system_atomic(*write); });
  if (of_launch != atomics) return {};
  std::string text = fmt::format(
      "  host and device share this place, and that launch changes it by {} atomics of the whole system "
      "alone: threads of the "
      "host may have changed it, too, while the kernel ran; the recording has only the sum of both",
      atomics);
  const bool adds_integers = last.at->update == WEDJAT_SUM && !last.is_sum();
  if (adds_integers && expected.size() <= sizeof(std::uint64_t)) {
    std::uint64_t theirs = 0, ours = 0;
    std::memcpy(&theirs, expected.data(), expected.size());
    std::memcpy(&ours, got.data(), got.size());
    const unsigned spare = static_cast<unsigned>(64 - 8 * expected.size());
    text += fmt::format(" ({} of it would be the host's)",
                        static_cast<std::int64_t>((theirs - ours) << spare) >> spare);
  }
  return text;
}

ReplayOptions watched(const ReplayOptions& from, const Resolution& resolution, hooks::Hooks* hooks) {
  ReplayOptions options = from;
  options.hooks = hooks;
  options.threads = 1;  // as the resolution's replays
  options.progress = {};
  options.print = {};
  put_in_place(options, resolution.open);
  return options;
}

Wrong find_writer(const Trace& trace, const ReplayOptions& from, const Resolution& resolution,
                  const Checked& checked) {
  const Difference& difference = checked.difference;
  Wrong wrong{.checked = &checked, .place = {checked.address + difference.first_offset, 1}};
  WriteLog log({wrong.place});
  hooks::Hooks hooks;
  log.attach(hooks);
  ReplayOptions options = watched(from, resolution, &hooks);
  bool seen = false;
  options.differs = [&](const Checked& now, std::span<const std::byte> expected,
                        std::span<const std::byte> got) {
    if (seen || now.sequence != checked.sequence || now.address != checked.address) return;
    seen = true;
    const auto writes = log.writes(wrong.place);
    if (writes.empty() || writes.back()->kind == Write::Kind::host) return;
    const Write& last = *writes.back();
    wrong.by_kernel = true;
    wrong.launch = last.launch;
    wrong.cta = last.cta;
    wrong.thread = last.thread;
    wrong.store = last.at->id;
    wrong.line = last.at->ptx_line;
    wrong.text = last.at->text;
    wrong.kernel = last.kernel->name;
    const std::uint64_t first = last.place.address - checked.address;
    if (is_system_atomic(last) && is_shared(trace, wrong.place.address) &&
        last.place.address >= checked.address && first + last.place.bytes <= got.size())
      wrong.beside = beside_host(writes, expected.subspan(first, last.place.bytes),
                                 got.subspan(first, last.place.bytes));
  };
  replay(trace, options);
  return wrong;
}

std::vector<std::string> slice(const Trace& trace, const ReplayOptions& from, const Resolution& resolution,
                               const Wrong& wrong) {
  ThreadLog log(wrong.launch, wrong.cta, wrong.thread);
  hooks::Hooks hooks;
  log.attach(hooks);
  replay(trace, watched(from, resolution, &hooks));
  if (log.kernel() == nullptr || !log.is_whole()) return {"  the thread executes too much to be followed"};
  const auto steps = log.producers(log.kernel()->instructions[wrong.store]);
  std::vector<std::string> lines = {"  its value comes from (line of the PTX, instruction, result here):"};
  const std::size_t skipped =
      steps.size() > most_instructions_shown ? steps.size() - most_instructions_shown : 0;
  if (skipped != 0) lines.push_back(fmt::format("    ... {} instructions before these", skipped));
  for (const ThreadLog::Step* step : std::span(steps).subspan(skipped)) {
    std::string line =
        fmt::format("    {:>6}  {:<52} {}", step->at->ptx_line, step->at->text, result_text(*step));
    if (step->at->access_count != 0) line += fmt::format("  at {:#x}", step->address);
    if (const std::string_view why = remark(*step->at); !why.empty()) line += fmt::format("  <- {}", why);
    lines.push_back(std::move(line));
  }
  return lines;
}

// What the same bytes are when sums are contracted the other way.
std::string other_setting(const Trace& trace, const ReplayOptions& from, const Resolution& resolution,
                          const Wrong& wrong) {
  ReplayOptions options = watched(from, resolution, nullptr);
  const bool contracts = from.contract == kernel::Contract::ptxas;
  options.contract = contracts ? kernel::Contract::none : kernel::Contract::ptxas;
  const ReplayReport other = replay(trace, options);
  const std::uint64_t offset = wrong.place.address - wrong.checked->address;
  const bool same = std::ranges::none_of(other.checked, [&](const Checked& checked) {
    return checked.sequence == wrong.checked->sequence && checked.address == wrong.checked->address &&
           std::ranges::any_of(checked.difference.ranges, [&](const auto& range) {
             return range.first <= offset && offset <= range.second;
           });
  });
  return fmt::format(
      "  with --contract={} this element {}; {} bytes differ in all", contracts ? "none" : "ptxas",
      same ? "is the hardware's: contraction is the cause" : "differs too", other.differing_bytes());
}

}  // namespace

std::vector<std::string> explain_first_difference(const Trace& trace, const ReplayOptions& options,
                                                  const Resolution& resolution) {
  const auto first =
      std::ranges::find_if(resolution.rest.checked, [](const Checked& c) { return !c.difference.same(); });
  if (first == resolution.rest.checked.end()) return {};
  const Wrong wrong = find_writer(trace, options, resolution, *first);
  std::vector<std::string> lines = {fmt::format(
      "first difference: {} (seq {}), byte {} at {:#x}: expected {}, got {}", first->call, first->sequence,
      first->difference.element_offset, first->address + first->difference.element_offset,
      first->difference.expected, first->difference.got)};
  if (!wrong.by_kernel) {
    lines.push_back(
        is_shared(trace, wrong.place.address)
            ? "  no kernel wrote it: host and device share this place, and the host may have written it "
              "while "
              "a kernel ran"
            : "  no kernel wrote it: it comes from the host, or the copy does not lie row after row on the "
              "device");
    return lines;
  }
  lines.push_back(fmt::format("  written by '{}', line {} of the PTX, in launch {} of {}, CTA {} thread {}",
                              wrong.text, wrong.line, wrong.launch, wrong.kernel, wrong.cta, wrong.thread));
  if (!wrong.beside.empty()) {
    lines.push_back(wrong.beside);
    return lines;
  }
  std::ranges::move(slice(trace, options, resolution, wrong), std::back_inserter(lines));
  lines.push_back(other_setting(trace, options, resolution, wrong));
  return lines;
}

}  // namespace wedjat::traces
