#include "traces/judge/first_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "traces/explain/step_text.h"
#include "traces/explain/thread_log.h"
#include "traces/judge/influence.h"

namespace wedjat::traces {
namespace {

constexpr std::size_t most_steps = 200;  // of a slice that are told

std::string source_of(const wedjat_instruction& at) {
  return at.source_line == 0 ? "" : fmt::format("{}:{}", at.source_file, at.source_line);
}

void note(FirstFault& fault, std::vector<std::string>& forms, const wedjat_instruction& at) {
  for (const wedjat_operand& operand : std::span(at.operands, at.operand_count))
    fault.floats |= operand.out != 0 && operand.value == WEDJAT_FLOAT;
  if ((at.what & WEDJAT_APPROXIMATE) != 0 && fault.approximate.empty())
    fault.approximate = fmt::format("'{}', line {} of the PTX", at.text, at.ptx_line);
  if (std::ranges::find(forms, at.form) == forms.end()) forms.emplace_back(at.form);
}

}  // namespace

std::string number_at(const Runs& runs, Place place) {
  std::string text = "0x";
  for (std::uint64_t i = place.bytes; i-- != 0;) {
    const auto run = std::ranges::find_if(
        runs, [&](const Run& one) { return place.address + i - one.address < one.bytes; });
    text += run == runs.end()
                ? "??"
                : fmt::format("{:02x}",
                              std::to_integer<unsigned>(
                                  run->pattern[(place.address + i - run->address) % run->pattern.size()]));
  }
  return text;
}

std::optional<FoundStore> find_first_store(const std::function<void(hooks::Hooks&)>& run,
                                           std::uint64_t address, const Runs& here) {
  FoundStore found{.fault = {.address = address}, .place = {}, .forms = {}};
  FirstFault& fault = found.fault;
  std::uint32_t store = 0;
  {
    WriteLog log({{address, 1}});
    hooks::Hooks hooks;
    log.attach(hooks);
    run(hooks);
    const auto writes = log.writes({address, 1});
    if (writes.empty() || writes.back()->kind == Write::Kind::host) return {};
    const Write& last = *writes.back();
    fault.cta = last.cta;
    fault.thread = last.thread;
    fault.line = last.at->ptx_line;
    fault.store = last.at->text;
    fault.source = source_of(*last.at);
    fault.here = number_at(here, last.place);
    found.place = last.place;
    store = last.at->id;
  }
  ThreadLog log(0, fault.cta, fault.thread);
  hooks::Hooks hooks;
  log.attach(hooks);
  run(hooks);
  if (log.kernel() == nullptr || !log.is_whole()) return found;
  const auto steps = log.producers(log.kernel()->instructions[store]);
  std::map<std::uint32_t, const wedjat_instruction*> instructions;  // by number
  for (const ThreadLog::Step* step : steps) instructions.emplace(step->at->id, step->at);
  for (const wedjat_instruction* at : influences(log, log.kernel()->instructions[store], here))
    note(fault, found.forms, *at);
  for (const auto& [id, at] : instructions)
    fault.instructions.push_back(fmt::format("{}: {}", at->ptx_line, at->text));
  const std::size_t skipped = steps.size() > most_steps ? steps.size() - most_steps : 0;
  for (const ThreadLog::Step* step : std::span(steps).subspan(skipped)) {
    const wedjat_instruction& at = *step->at;
    const bool accesses = at.access_count != 0;
    fault.slice.push_back({at.ptx_line, at.text, source_of(at), result_text(*step), std::string(remark(at)),
                           accesses ? step->address : 0, accesses && at.accesses[0].reads != 0,
                           accesses ? at.accesses[0].bytes : 0});
  }
  return found;
}

}  // namespace wedjat::traces
