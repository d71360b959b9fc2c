// What an instruction costs, by the tables of semantics/profiles/sm_90_times.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "measured_times.h"
#include "watcher.hpp"

namespace timing {

namespace h200 = wedjat::h200;

/// How a result is read.
enum class Read : std::uint8_t { value, predicate, guard };

/// What an instruction takes: from its issue until its results are there, slots of the issuing partition, and
/// how long it keeps each pipeline busy.
struct Cost {
  std::uint32_t latency = 0, issue = 0;  // cycles, parts of a cycle
  std::array<std::uint16_t, h200::pipes> busy{};
  std::uint8_t pipe = h200::usual_pipe;
  bool is_fixed = false;  // the latency is that between pipelines; `latency` counts from one to itself
  bool measured = true;
};

/// Between pipelines; 0 where none was seen.
inline std::uint32_t seen_latency(Read read, unsigned from, unsigned to) {
  return h200::latencies[(static_cast<unsigned>(read) * h200::pipes + from) * h200::pipes + to];
}

/// Cycles from the issue of one instruction to that of another that reads its result.
inline std::uint32_t delay(const Cost& from, const Cost& to, Read read) {
  if (!from.is_fixed) return from.latency;
  const std::uint32_t own = seen_latency(Read::value, from.pipe, from.pipe);
  std::uint32_t between = seen_latency(read, from.pipe, to.pipe);
  if (between == 0 && read == Read::guard) between = seen_latency(read, h200::usual_pipe, h200::usual_pipe);
  if (between == 0) between = seen_latency(Read::value, from.pipe, to.pipe);
  if (between == 0) between = own + 1;
  return between + from.latency - own;
}

template <class Row, std::size_t count>
const Row* row_of(const Row (&rows)[count], const char* Row::*key, std::string_view name) {
  const Row* const found =
      std::lower_bound(std::begin(rows), std::end(rows), name,
                       [&](const Row& row, std::string_view of) { return row.*key < of; });
  return found != std::end(rows) && found->*key == name ? found : nullptr;
}

inline Cost cost_of_form(std::string_view form) {
  const h200::FormTimes* const found = row_of(h200::forms, &h200::FormTimes::form, form);
  Cost cost;
  if (found == nullptr) {
    cost.latency = h200::usual_latency, cost.issue = kParts, cost.measured = false;
    cost.busy[h200::usual_pipe] = h200::usual_cycles * kParts;
    return cost;
  }
  cost.latency = found->latency, cost.issue = found->issue;
  std::ranges::copy(found->busy, cost.busy.begin());
  return cost;
}

inline Cost cost_of_machine_instruction(std::string_view name) {
  const h200::MachineInstruction* const found =
      row_of(h200::machine_instructions, &h200::MachineInstruction::name, name);
  Cost cost;
  cost.issue = kParts;
  cost.pipe = found == nullptr ? std::uint8_t{h200::usual_pipe} : found->pipe;
  cost.busy[cost.pipe] =
      static_cast<std::uint16_t>((found == nullptr ? h200::usual_cycles : found->cycles) * kParts);
  cost.latency = found == nullptr || found->latency == 0 ? h200::usual_latency : found->latency;
  cost.is_fixed = seen_latency(Read::value, cost.pipe, cost.pipe) != 0;
  return cost;
}

}  // namespace timing
