#include <algorithm>
#include <map>

#include "emulator/hooks/inspection/instrumented.h"
#include "emulator/hooks/running/native_probes.h"
#include "emulator/hooks/running/probes.h"
#include "emulator/kernel/lowered/number.h"

namespace wedjat::hooks {
namespace {

using kernel::Step;

constexpr std::uint32_t nowhere = ~std::uint32_t{0};

struct Wishes {  // for one instruction
  std::vector<Watch> before, after;
  std::vector<Count> counts;
  std::vector<Inlined> inlined;
};

struct EdgeWish {
  std::uint32_t successor;  // a block of the function
  Watch watch;
};

std::uint8_t row_unit(const wedjat_operand& operand) {
  if (operand.kind == WEDJAT_ADDRESS) return 8;
  return static_cast<std::uint8_t>(operand.bits < 8 ? 1 : operand.bits / 8);
}

class Instrumenter {
 public:
  Instrumenter(const kernel::Kernel& from, const wedjat_kernel& inspected, std::span<const ToolPlan> tools)
      : from_(from),
        inspected_(inspected),
        wishes_(inspected.instruction_count),
        edges_(inspected.block_count) {
    std::uint32_t blocks = 0;
    for (const kernel::Function& function : from.functions) {
      first_block_of_.push_back(blocks);
      blocks += static_cast<std::uint32_t>(function.blocks.size());
    }
    out_.inspected = &inspected;
    out_.kernel = std::make_shared<kernel::Kernel>(from);
    out_.kernel->number = kernel::new_number();
    for (std::uint32_t t = 0; t < tools.size(); ++t) {
      out_.first_counter.push_back(out_.counters);
      if (tools[t].mutates) mutating_ |= std::uint64_t{1} << t;
      if (tools[t].plan != nullptr) sort(t, *tools[t].plan, tools[t].bitcode);
      if (tools[t].plan != nullptr)
        out_.threads = std::max(out_.threads, threads_for(*tools[t].plan, tools[t].threads));
      out_.counters += tools[t].counters;
    }
    out_.first_counter.push_back(out_.counters);
  }

  Instrumented run() {
    for (std::uint32_t f = 0; f < from_.functions.size(); ++f) {
      out_.first_register.push_back(first_register(f));
      function_ = f;
      function(f);
    }
    out_.native = native_probes(out_, mutating_);
    return std::move(out_);
  }

 private:
  // Counters are added up anyway; which N-th event it is, only one thread knows.
  static Threads threads_for(const Plan& plan, Threads of_handlers) {
    if (plan.probes.empty() && plan.edges.empty() && plan.replacements.empty()) return Threads::all;
    const bool counts = std::ranges::any_of(plan.probes, [](const wedjat_probe& p) { return p.every > 1; });
    return counts ? Threads::one : of_handlers;
  }

  void sort(std::uint32_t tool, const Plan& plan, const std::shared_ptr<const std::string>& bitcode) {
    for (const wedjat_probe& p : plan.probes) {
      Wishes& wishes = wishes_[p.instruction];
      (p.when == WEDJAT_AFTER ? wishes.after : wishes.before)
          .push_back({tool, p.handler, p.user, p.needs, p.condition, std::max(p.every, 1u)});
    }
    for (const wedjat_count& c : plan.counts)
      wishes_[c.instruction].counts.push_back(
          {c.source, out_.counters + c.counter, c.buckets, 1, tool, c.access});
    for (const wedjat_inlined& f : plan.inlined)
      wishes_[f.instruction].inlined.push_back({tool,
                                                f.function,
                                                f.name != nullptr ? f.name : "",
                                                bitcode,
                                                out_.counters + f.counter,
                                                {f.values, f.values + f.value_count}});
    for (const wedjat_edge& e : plan.edges) {
      const wedjat_block& block = inspected_.blocks[e.block];
      edges_[e.block].push_back({block.successors[e.successor] - first_block_of_[block.function],
                                 {tool, e.handler, e.user, WEDJAT_MASKS}});
    }
    for (const Replacement& r : plan.replacements) {
      out_.replacements.resize(inspected_.instruction_count);
      out_.replacements[r.instruction].push_back(
          {tool, r.handler, r.user, r.needs | WEDJAT_ROWS | WEDJAT_ADDRESSES});
    }
  }

  std::uint32_t first_register(std::uint32_t function) const {
    const std::span all(inspected_.registers, inspected_.register_count);
    return static_cast<std::uint32_t>(
        std::ranges::lower_bound(all, function, {}, &wedjat_register::function) - all.begin());
  }

  // Where an instruction stands among the steps of its block.
  struct Place {
    std::uint32_t step =
        nowhere;           // the first that is its, in Function::steps; nowhere: it is how the block ends
    bool is_main = false;  // that step is the instruction itself
    std::uint16_t guard = 0;
    bool guard_negated = false;
  };

  // Of an instruction that no step stands for; 0 if there is none, or its register was not kept.
  static std::uint16_t guard_of(const kernel::Function& function, const kernel::Origin& origin) {
    if (origin.guard_register >= function.register_rows.size()) return 0;
    const std::uint32_t row = function.register_rows[origin.guard_register];
    return row == kernel::no_register ? std::uint16_t{0} : static_cast<std::uint16_t>(row / 64 + 1);
  }

  std::vector<Place> places(const kernel::Function& function, const kernel::Block& block) const {
    std::vector<Place> all(block.instructions);
    const BlockSteps steps(from_, function, block);
    Place next{.guard = 0};  // where one that was folded away stands: before the next one
    for (std::uint32_t i = block.instructions; i-- > 0;) {
      const std::uint32_t id = block.first_id + i;
      Place place = next;
      place.is_main = false;
      place.guard = 0;
      const Step* step = steps.main(id);
      const bool is_main = step != nullptr && from_.origins[id].form->level != kernel::Level::Control;
      if (step == nullptr) step = steps.first(id);
      if (step != nullptr) {
        place = {static_cast<std::uint32_t>(step - function.steps.data()), is_main, step->guard,
                 (step->flags & kernel::step_flag::guard_negated) != 0};
        next = place;
      } else if (block.end.id == id && i + 1 == block.instructions && block.end.kind != kernel::End::Fall) {
        place = {nowhere, false, block.end.guard, block.end.negated};
      } else {
        place.guard = guard_of(function, from_.origins[id]);
        place.guard_negated = from_.origins[id].guard_negated;
      }
      all[i] = place;
    }
    return all;
  }

  void function(std::uint32_t index) {
    const kernel::Function& from = from_.functions[index];
    kernel::Function& to = out_.kernel->functions[index];
    steps_.clear();
    rows_.clear();
    for (std::uint32_t b = 0; b < from.blocks.size(); ++b) {
      const auto first = static_cast<std::uint32_t>(steps_.size());
      block(from, from.blocks[b]);
      for (const EdgeWish& wish : edges_[first_block_of_[index] + b]) edge(to.blocks[b], wish);
      to.blocks[b].first = first;
      to.blocks[b].count = static_cast<std::uint32_t>(steps_.size()) - first;
    }
    // Rows of the kernel's own steps, then one number a probe.
    to.rows = from.rows;
    to.rows.insert(to.rows.end(), rows_.begin(), rows_.end());
    std::size_t probe = from.rows.size();
    to.steps = steps_;
    // Where no step has rows they have no place either.
    for (Step& step : to.steps)
      step.row = to.rows.data() + (is_probe(step)      ? probe++
                                   : from.rows.empty() ? 0
                                                       : step.row - from.rows.data());
    // Probes read rows through the steps of the copy.
    for (const auto& [probe_index, step] : own_step_) find_rows(out_.probes[probe_index], to.steps[step]);
    own_step_.clear();
    for (Step& step : to.steps)
      if (!out_.replacements.empty() && is_replaced(step)) step.full = step.masked = replaced_step;
  }

  static void find_rows(Probe& probe, const Step& step) {
    probe.step = &step;
    probe.row_count = row_count(*probe.at);
    keep_overwritten(probe, step);
    if (probe.at->access_count == 0) return;
    const auto row = [&](std::uint32_t operand) { return step.row[probe.at->operands[operand].first]; };
    probe.address_row = probe.at->operands[probe.at->accesses[0].operand].first;
    probe.address = step.row[probe.address_row];
    for (Count& count : probe.counts) {
      const wedjat_access& access = probe.at->accesses[count.index];
      count.address = row(access.operand);
      if (access.bytes == 0) count.size = row(access.size);
    }
  }

  // Rows that the instruction does not write need not be kept from before it.
  static void keep_overwritten(Probe& probe, const Step& step) {
    for (std::uint32_t kept = 0; kept < probe.saved.size(); ++kept) {
      if (probe.saved[kept] == 0) continue;
      const std::uint32_t first = step.row[kept], end = first + 32u * probe.saved[kept];
      bool overwritten = false;
      for (std::uint32_t o = 0; o < probe.at->operand_count; ++o) {
        const wedjat_operand& operand = probe.at->operands[o];
        for (std::uint32_t e = 0; operand.out && e < operand.count; ++e) {
          const std::uint32_t row = step.row[operand.first + e];
          overwritten = overwritten || (row < end && first < row + 32u * row_unit(operand));
        }
      }
      if (!overwritten) probe.saved[kept] = 0;
      probe.keeps_rows |= overwritten;
    }
  }

  bool is_replaced(const Step& step) const {
    return step.full != nullptr && step.form == from_.origins[step.id].form && !is_probe(step) &&
           !out_.replacements[step.id].empty();
  }

  // Lanes of a warp may part, wait or meet at such a step: who was counted before it is not who goes on.
  static bool parts_lanes(const Step& step) {
    namespace flag = kernel::step_flag;
    constexpr unsigned harmless = flag::guard_negated | flag::ordered | flag::communicates | flag::system;
    return (step.flags & 0xffu & ~harmless) != 0;
  }

  void block(const kernel::Function& from, const kernel::Block& block) {
    const std::vector<Place> where = places(from, block);
    counts_.assign(block.instructions, {});
    first_id_ = block.first_id;
    std::uint32_t done = 0;  // instructions whose probes stand
    std::uint32_t segment = block.first;
    while (true) {  // segments between steps where lanes diverge
      std::uint32_t end = segment;
      while (end < block.first + block.count && !parts_lanes(from.steps[end])) ++end;
      const bool is_last = end == block.first + block.count;
      const std::uint32_t last = is_last ? nowhere : end;
      std::uint32_t until = done;
      while (until < where.size() && (is_last || where[until].step <= last)) ++until;
      count_together(block, where, done, until);
      for (std::uint32_t s = segment; s < (is_last ? end : end + 1); ++s) {
        const std::uint32_t group = done;
        for (; done < until && where[done].step <= s; ++done) before(block.first_id + done, where[done]);
        steps_.push_back(from.steps[s]);
        for (std::uint32_t i = group; i < done; ++i)
          if (where[i].is_main) after(block.first_id + i, where[i]);
      }
      for (; done < until; ++done) before(block.first_id + done, where[done]);
      if (is_last) break;
      segment = end + 1;
    }
  }

  void edge(const kernel::Block& block, const EdgeWish& wish) {
    Probe probe;
    if (block.instructions != 0) probe.at = &inspected_.instructions[block.first_id + block.instructions - 1];
    probe.end = &block.end;
    probe.successor = wish.successor;
    probe.watches.push_back(wish.watch);
    add(std::move(probe), edge_probe, nowhere);
  }

  // Counts that are the same for every instruction of a segment: one probe adds them all. Keeps the others.
  void count_together(const kernel::Block& block, const std::vector<Place>& where, std::uint32_t first,
                      std::uint32_t end) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> weights;
    std::map<std::uint32_t, std::uint32_t> tool;  // by counter
    for (std::uint32_t i = first; i < end; ++i) {
      for (const Count& count : wishes_[block.first_id + i].counts) {
        std::uint32_t source = count.source, weight = 1;
        if (source == WEDJAT_BYTES) {
          const wedjat_access& access = inspected_.instructions[block.first_id + i].accesses[count.index];
          if (access.bytes != 0 && access.lanes == ~0u) source = WEDJAT_EXECUTED, weight = access.bytes;
        }
        if (where[i].guard == 0 && source == WEDJAT_EXECUTED) source = WEDJAT_THREADS;
        if (where[i].guard == 0 && source == WEDJAT_ISSUED) source = WEDJAT_WARPS;
        if (count.buckets != 0 || source > WEDJAT_THREADS) {
          counts_[i].push_back(count);
          continue;
        }
        weights[{source, count.counter}] += weight;
        tool[count.counter] = count.tool;
      }
    }
    if (weights.empty()) return;
    Probe probe;
    for (const auto& [key, weight] : weights)
      probe.counts.push_back({key.first, key.second, 0, weight, tool[key.second]});
    add(std::move(probe), segment_probe, nowhere);
  }

  Probe make(std::uint32_t id, const Place& place) {
    Probe probe;
    probe.at = &inspected_.instructions[id];
    probe.guard = place.guard;
    probe.guard_negated = place.guard_negated;
    return probe;
  }

  // Of copies of a loop's body not all may do an instruction by itself: rows are shown by those that do.
  std::vector<Watch> shown(const std::vector<Watch>& watches, std::uint32_t id, const Place& place) const {
    std::vector<Watch> all = watches;
    if (!place.is_main && (inspected_.instructions[id].what & WEDJAT_HAS_ROWS))
      std::erase_if(all, [](const Watch& watch) { return (watch.needs & shows_rows) != 0; });
    return all;
  }

  std::vector<Inlined> inlined(std::uint32_t id, const Place& place) const {
    std::vector<Inlined> all = wishes_[id].inlined;
    if (!place.is_main) std::erase_if(all, [](const Inlined& one) { return !one.values.empty(); });
    return all;
  }

  void before(std::uint32_t id, const Place& place) {
    const Wishes wishes{
        shown(wishes_[id].before, id, place), shown(wishes_[id].after, id, place), {}, inlined(id, place)};
    const std::vector<Count>& counts = counts_[id - first_id_];
    // Its own step, if any, comes right after what stands here.
    const bool keeps = place.is_main && !wishes.after.empty() && saves(id, place);
    const auto own = [&](unsigned further) {
      return place.is_main ? static_cast<std::uint32_t>(steps_.size()) + further : nowhere;
    };
    const unsigned probes = (counts.empty() && wishes.inlined.empty() ? 0u : 1u) +
                            (wishes.before.empty() ? 0u : 1u) + (keeps ? 1u : 0u);
    unsigned left = probes;
    if (!counts.empty() || !wishes.inlined.empty()) {
      Probe probe = make(id, place);
      probe.counts = counts;
      probe.inlined = wishes.inlined;
      add(std::move(probe), count_probe, own(left--));
    }
    if (!wishes.before.empty()) {
      Probe probe = make(id, place);
      probe.watches = wishes.before;
      for (const Watch& watch : wishes.before) probe.needs |= watch.needs;
      if (probe.needs & WEDJAT_UNLESS_EXPECTED) probe.expected_site = expected_site(id);
      add(std::move(probe), event_probe, own(left--));
    }
    if (keeps) {
      Probe probe = make(id, place);
      describe_saved(probe, wishes);
      add(std::move(probe), save_probe, own(left--));
    }
    if (!place.is_main) after(id, place);
  }

  std::uint32_t expected_site(std::uint32_t id) {
    const auto [known, is_new] = expected_sites_.try_emplace(id, out_.expected_sites);
    if (is_new) ++out_.expected_sites;
    return known->second;
  }

  // Whether something of the state before the instruction is shown after it.
  bool saves(std::uint32_t id, const Place& place) const {
    std::uint32_t needs = 0;
    for (const Watch& watch : wishes_[id].after) needs |= watch.needs;
    return place.guard != 0 || (needs & (WEDJAT_INPUTS | WEDJAT_OLD | WEDJAT_PIECES)) != 0;
  }

  // Whose the watches are, and who may leave all of its out.
  static void tell_tools(Probe& probe, const std::vector<Watch>& watches) {
    for (const Watch& watch : watches) probe.watch_tools |= std::uint64_t{1} << watch.tool;
    probe.may_sleep = probe.watch_tools;
    for (const Watch& watch : watches)
      if (!(watch.needs & WEDJAT_UNLESS_ASLEEP)) probe.may_sleep &= ~(std::uint64_t{1} << watch.tool);
  }

  void describe_saved(Probe& probe, const Wishes& wishes) {
    if (probe.watches.empty()) tell_tools(probe, wishes.after);
    for (const Watch& watch : wishes.after) probe.needs |= watch.needs;
    probe.saved_bytes = 64;  // the guard
    for (std::uint32_t o = 0; o < probe.at->operand_count; ++o) {
      const wedjat_operand& operand = probe.at->operands[o];
      const bool kept = (probe.needs & WEDJAT_INPUTS) != 0 && !operand.out;
      for (unsigned e = 0; e < operand.count; ++e) {
        probe.saved.push_back(kept ? row_unit(operand) : std::uint8_t{0});
        probe.saved_bytes += 32u * probe.saved.back();
      }
    }
    if ((probe.needs & WEDJAT_OLD) && probe.at->access_count != 0)
      probe.saved_bytes += 32 * probe.at->accesses[0].bytes;
    probe.saved_bytes = (probe.saved_bytes + 63) / 64 * 64;
    out_.saved_bytes = std::max(out_.saved_bytes, probe.saved_bytes);
  }

  void after(std::uint32_t id, const Place& place) {
    const Wishes wishes{{}, shown(wishes_[id].after, id, place), {}, {}};
    if (wishes.after.empty()) return;
    Probe probe = make(id, place);
    probe.after = true;
    probe.watches = wishes.after;
    if (place.is_main && saves(id, place))
      describe_saved(probe, wishes);
    else
      for (const Watch& watch : wishes.after) probe.needs |= watch.needs;
    add(std::move(probe), event_probe,
        place.is_main ? static_cast<std::uint32_t>(steps_.size()) - 1 : nowhere);
  }

  void add(Probe probe, kernel::Executor executor, std::uint32_t own_step) {
    const auto index = static_cast<std::uint32_t>(out_.probes.size());
    probe.function = function_;
    if (!probe.watches.empty()) tell_tools(probe, probe.watches);
    if (own_step != nowhere) own_step_.emplace_back(index, own_step);
    Step step{};
    step.full = step.masked = executor;
    step.id = probe.at != nullptr ? probe.at->id : 0;
    out_.probes.push_back(std::move(probe));
    rows_.push_back(index);
    steps_.push_back(step);
  }

  const kernel::Kernel& from_;
  const wedjat_kernel& inspected_;
  std::vector<Wishes> wishes_;
  std::vector<std::vector<EdgeWish>> edges_;   // by block of the kernel
  std::vector<std::uint32_t> first_block_of_;  // by function
  std::uint32_t function_ = 0;
  // Of the block at hand: the counts of each instruction that no probe for several adds.
  std::vector<std::vector<Count>> counts_;
  std::uint32_t first_id_ = 0;
  std::map<std::uint32_t, std::uint32_t> expected_sites_;  // by instruction
  Instrumented out_;
  std::uint64_t mutating_ = 0;  // tools, one bit each
  std::vector<Step> steps_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> own_step_;  // probe, its instruction's step
};

}  // namespace

Instrumented instrument(const kernel::Kernel& kernel, const wedjat_kernel& inspected,
                        std::span<const ToolPlan> tools) {
  return Instrumenter(kernel, inspected, tools).run();
}

}  // namespace wedjat::hooks
