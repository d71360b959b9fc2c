#include "emulator/hooks/running/native_probes.h"

#include <map>
#include <optional>

#include "emulator/hooks/running/probes.h"

namespace wedjat::hooks {
namespace {

using exec::ProbeCondition;
using exec::Tally;
using kernel::Step;

std::uint8_t element_bytes(const kernel::OperandSpec& spec) {
  return static_cast<std::uint8_t>(spec.value == kernel::ValueKind::Pred ? 0 : spec.bits / 8);
}

// The rows of an instruction, as its step has them.
std::vector<exec::ProbeRow> rows_of(const Step& step) {
  std::vector<exec::ProbeRow> rows;
  for (unsigned o = 0; o < step.form->operands; ++o)
    for (unsigned e = 0; e < step.form->operand[o].count; ++e)
      rows.push_back({step.row[rows.size()], element_bytes(step.form->operand[o])});
  return rows;
}

class Describer {
 public:
  Describer(Instrumented& code, std::uint64_t mutating) : code_(code), mutating_(mutating) {}

  std::shared_ptr<const exec::Probes> run() {
    out_->all.resize(code_.probes.size());
    for (const kernel::Function& function : code_.kernel->functions)
      for (const Step& step : function.steps)
        if (is_probe(step)) describe(step, code_.probes[step.row[0]], out_->all[step.row[0]]);
    if (!code_.replacements.empty()) out_->refused = "a tool carries out instructions of it";
    return out_;
  }

 private:
  void describe(const Step& step, Probe& from, exec::Probe& to) {
    to.guard = from.guard;
    to.guard_negated = from.guard_negated;
    to.call = native_executor(step);
    if (step.full == segment_probe) return segment(from, to);
    if (step.full == count_probe) return counts(from, to);
    if (step.full == edge_probe) return edge(from, to);
    events(step.full == save_probe, from, to);
  }

  std::uint32_t cell(const Count& count, std::uint32_t weight) {
    code_.cells.push_back({out_->cells, count.counter, weight, count.tool});
    return out_->cells++;
  }

  void segment(const Probe& from, exec::Probe& to) {
    to.call = nullptr;
    to.whole = out_->cells++;
    std::optional<std::uint32_t> paths, lanes;
    for (const Count& count : from.counts) {
      const bool path = count.source == WEDJAT_WARPS;
      code_.cells.push_back(
          {to.whole, count.counter, std::uint64_t{path ? 1u : 32u} * count.weight, count.tool});
      std::optional<std::uint32_t>& known = path ? paths : lanes;
      if (!known) {
        known = out_->cells++;
        to.tallies.push_back({path ? Tally::What::path : Tally::What::lanes, *known, 0});
      }
      code_.cells.push_back({*known, count.counter, count.weight, count.tool});
    }
  }

  static std::optional<Tally::What> simple(std::uint32_t source) {
    switch (source) {
      case WEDJAT_WARPS:
        return Tally::What::path;
      case WEDJAT_THREADS:
        return Tally::What::lanes;
      case WEDJAT_EXECUTED:
        return Tally::What::active;
      case WEDJAT_ISSUED:
        return Tally::What::any;
      case WEDJAT_DIVERGED:
        return Tally::What::parted;
      default:
        return std::nullopt;
    }
  }

  // Of an access that all lanes make, of as many bytes as its instruction says; one of them.
  std::optional<Tally::What> of_access(const Probe& from, const Count& count, exec::Probe& to) const {
    if (count.source != WEDJAT_LINES && count.source != WEDJAT_SECTORS && count.source != WEDJAT_BYTES)
      return std::nullopt;
    const wedjat_access& access = from.at->accesses[count.index];
    if (access.bytes == 0 || access.lanes != ~0u) return std::nullopt;
    if (count.source == WEDJAT_BYTES)
      return count.buckets == 0 ? std::optional(Tally::What::active) : std::nullopt;
    if (!to.access.empty() && to.access.front().address != count.address) return std::nullopt;
    if (to.access.empty()) to.access.push_back({count.address, access.bytes, access.space == WEDJAT_GENERIC});
    return count.source == WEDJAT_LINES ? Tally::What::lines : Tally::What::sectors;
  }

  void counts(const Probe& from, exec::Probe& to) {
    functions(from, to);
    std::map<Tally::What, std::uint32_t> cells;
    for (const Count& count : from.counts) {
      if (count.source >= WEDJAT_BYTES && count.source <= WEDJAT_BANK_IDEAL) {
        to.rows.push_back({count.address, 8});
        if (from.at->accesses[count.index].bytes == 0) to.rows.push_back({count.size, 4});
      }
    }
    for (const Count& count : from.counts) {
      std::optional<Tally::What> what = simple(count.source);
      if (!what) what = of_access(from, count, to);
      if (!what) {
        // The executor finds out all of it.
        to.tallies.clear();
        to.access.clear();
        to.inlined.clear();
        if (from.step != nullptr && !from.inlined.empty()) to.rows = rows_of(*from.step);
        return;
      }
      const std::uint32_t bytes = count.source == WEDJAT_BYTES ? from.at->accesses[count.index].bytes : 1;
      if (count.buckets != 0) {
        to.tallies.push_back({*what, out_->cells, count.buckets});
        for (std::uint32_t i = 0; i < count.buckets; ++i) {
          Count one = count;
          one.counter += i;
          cell(one, 1);
        }
        continue;
      }
      const auto [known, is_new] = cells.try_emplace(*what, out_->cells);
      if (is_new) to.tallies.push_back({*what, out_->cells++, 0});
      code_.cells.push_back({known->second, count.counter, std::uint64_t{count.weight} * bytes, count.tool});
    }
    if (to.access.empty()) {
      to.call = nullptr;
      to.rows.clear();
    }
  }

  // All counters of its tool are cells of their own.
  std::uint32_t first_cell(std::uint32_t tool) {
    const auto [known, is_new] = first_cell_.try_emplace(tool, out_->cells);
    if (is_new)
      for (std::uint32_t c = code_.first_counter[tool]; c < code_.first_counter[tool + 1]; ++c)
        code_.cells.push_back({out_->cells++, c, 1, tool});
    return known->second;
  }

  void functions(const Probe& from, exec::Probe& to) {
    for (const Inlined& inlined : from.inlined) {
      exec::InlinedFunction& function = to.inlined.emplace_back(exec::InlinedFunction{
          .name = inlined.name,
          .bitcode = inlined.bitcode,
          .function = inlined.function,
          .cell = inlined.counter - code_.first_counter[inlined.tool] + first_cell(inlined.tool)});
      for (const std::uint32_t value : inlined.values) function.values.push_back(rows_of(*from.step)[value]);
    }
  }

  void edge(const Probe& from, exec::Probe& to) {
    const kernel::Terminator& end = *from.end;
    if (end.guard != 0) to.rows.push_back({(end.guard - 1u) * 64u, 0});
    if (end.kind == kernel::End::IndexedBranch) to.rows.push_back({end.row, 4});
    to.tools = from.watch_tools;
    to.tells = true;
  }

  void events(bool saves, Probe& from, exec::Probe& to) {
    if (from.watch_tools & mutating_)
      to.by_hand = "a tool may change registers";
    else if (from.needs & WEDJAT_REGISTERS)
      to.by_hand = "a tool looks at any register";
    to.tells = true;
    const bool kept = from.after && from.saved_bytes != 0;
    // The guard as it was lies with what was kept.
    if (kept) to.guard = 0;
    to.skips_empty = !kept && !saves && (from.needs & WEDJAT_EMPTY) == 0;
    if ((from.needs & WEDJAT_PIECES) == 0) {
      to.tools = from.watch_tools;
      to.sleepers = from.may_sleep;
    }
    if (!saves && !kept) within(from, to);
    if (!saves && !kept) expected(from, to);
    if (from.step != nullptr) saves ? rows_to_keep(from, to) : rows_to_show(from, to);
    if (!saves && !kept) conditions(from, to);
  }

  // Of one tool, all of whose events may be left out so.
  void within(Probe& from, exec::Probe& to) {
    if (from.step == nullptr || (from.watch_tools & (from.watch_tools - 1)) != 0) return;
    for (const Watch& watch : from.watches)
      if ((watch.needs & WEDJAT_UNLESS_WITHIN) == 0) return;
    to.within = out_->ranges++;
    to.within_access = {from.address, from.at->accesses[0].bytes, false};
    from.range = to.within;
  }

  // One tool's, who asked once.
  static void expected(const Probe& from, exec::Probe& to) {
    if (from.step == nullptr || from.watches.size() != 1) return;
    const Watch& watch = from.watches.front();
    if ((watch.needs & WEDJAT_UNLESS_EXPECTED) == 0) return;
    to.expected = {.tool = watch.tool, .site = from.expected_site, .address = from.address};
  }

  void rows_to_keep(const Probe& from, exec::Probe& to) {
    const std::vector<exec::ProbeRow> rows = rows_of(*from.step);
    for (std::size_t row = 0; row < from.saved.size(); ++row)
      if (from.saved[row] != 0) to.rows.push_back(rows[row]);
    if ((from.needs & WEDJAT_OLD) != 0 && from.at->access_count != 0) to.rows.push_back({from.address, 8});
  }

  void rows_to_show(const Probe& from, exec::Probe& to) {
    const std::vector<exec::ProbeRow> rows = rows_of(*from.step);
    if (from.needs & (WEDJAT_ROWS | WEDJAT_INPUTS)) {
      to.rows = rows;
      return;
    }
    if ((from.needs & (WEDJAT_ADDRESSES | WEDJAT_OLD)) == 0) return;
    for (std::uint32_t a = 0; a < from.at->access_count; ++a) {
      const wedjat_access& access = from.at->accesses[a];
      to.rows.push_back(rows[from.at->operands[access.operand].first]);
      if (access.bytes == 0) to.rows.push_back(rows[from.at->operands[access.size].first]);
    }
  }

  // Only if all watches have one.
  void conditions(const Probe& from, exec::Probe& to) const {
    std::vector<ProbeCondition> all;
    for (const Watch& watch : from.watches) {
      const wedjat_condition& condition = watch.condition;
      if (condition.test == WEDJAT_IF_ANY) return;
      if (condition.test == WEDJAT_IF_PARTIAL) {
        all.push_back({.test = ProbeCondition::Test::partial});
        continue;
      }
      if (from.step == nullptr || (from.needs & WEDJAT_PIECES) != 0) return;
      const std::vector<exec::ProbeRow> rows = rows_of(*from.step);
      if (condition.test == WEDJAT_IF_VALUE) {
        if (condition.row >= rows.size()) return;
        all.push_back({ProbeCondition::Test::value, rows[condition.row], 0, condition.low, condition.high});
        continue;
      }
      for (std::uint32_t a = 0; a < from.at->access_count; ++a) {
        const wedjat_access& access = from.at->accesses[a];
        if (access.bytes == 0) return;
        all.push_back({ProbeCondition::Test::address, rows[from.at->operands[access.operand].first],
                       access.bytes, condition.low, condition.high});
      }
    }
    to.only = std::move(all);
  }

  Instrumented& code_;
  const std::uint64_t mutating_;
  std::map<std::uint32_t, std::uint32_t> first_cell_;  // by tool
  const std::shared_ptr<exec::Probes> out_ = std::make_shared<exec::Probes>();
};

}  // namespace

unsigned row_bytes(const Step& step, std::uint32_t row) {
  for (unsigned o = 0; o < step.form->operands; ++o) {
    if (row < step.form->operand[o].count) return element_bytes(step.form->operand[o]);
    row -= step.form->operand[o].count;
  }
  return 0;
}

std::shared_ptr<const exec::Probes> native_probes(Instrumented& code, std::uint64_t mutating) {
  return Describer(code, mutating).run();
}

}  // namespace wedjat::hooks
