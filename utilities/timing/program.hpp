// A kernel as the model sees it: of each block what is issued, in which order, what waits for what.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

#include "alignment.hpp"
#include "code.hpp"
#include "dataflow.hpp"
#include "joined_loads.hpp"
#include "loops.hpp"
#include "order.hpp"
#include "steps.hpp"
#include "values.hpp"

namespace timing {

struct Turns {
  std::uint32_t first = 0, end = 0;        // in Program::steps
  std::uint32_t moves = 0, moves_end = 0;  // in Program::moves
};

/// Behind a block, half of a register holds a value that the block made, or several parts of one.
struct Move {
  std::uint32_t to = 0, from = 0;
  bool is_first = true;
};

/// A block, and its turns that are carried out together where it is a loop that ptxas unrolls: four as long
/// as there are four, then two.
struct BlockSteps {
  Turns once, twice, four_times;
  std::uint32_t tokens = 0;  // of each turn, without that of the block
  bool is_unrolled = false;
};

class Program {
 public:
  explicit Program(const wedjat_kernel& kernel)
      : carry_{kernel.register_count, false}, halves_(kernel.register_count + 1) {
    const Dataflow flow(kernel);
    const Code code(kernel, flow);
    const Alignment alignment(kernel);
    for (const wedjat_block& block : wedjat::blocks(kernel)) {
      const std::span<const wedjat_instruction> text{kernel.instructions + block.first, block.count};
      const auto is_live = [&](std::uint32_t value) { return flow.is_live_behind(block, value / 2); };
      BlockSteps& to = blocks.emplace_back();
      const JoinedLoads joined(text, flow, alignment);
      const auto add = [&](std::uint32_t copies) {
        return add_turns(text, copies, flow, code, joined, is_live);
      };
      to.once = add(1);
      for (const wedjat_instruction& at : text) to.tokens += has_token(at);
      to.is_unrolled = !text.empty() && (text.front().what & WEDJAT_UNROLLED) != 0;
      if (to.is_unrolled) to.twice = add(2), to.four_times = add(4);
    }
    for (const wedjat_instruction& at : wedjat::instructions(kernel)) is_unread.push_back(flow.is_unread(at));
    unmeasured = code.unmeasured();
    value_count = halves_.count();
    live_registers = flow.most_live();
  }

  [[nodiscard]] std::span<const Use> reads(const Step& step) const {
    return {uses.data() + step.reads, step.reads_end - step.reads};
  }
  [[nodiscard]] std::span<const std::uint32_t> writes(const Step& step) const {
    return {values.data() + step.writes, step.writes_end - step.writes};
  }

  std::uint32_t value_count = 0, live_registers = 0, unmeasured = 0;
  std::vector<bool> is_unread;  // by instruction: it gives nothing that is read
  std::vector<Step> steps;
  std::vector<BlockSteps> blocks;
  std::vector<Use> uses;
  std::vector<std::uint32_t> values;
  std::vector<Move> moves;

 private:
  using List = std::vector<std::uint32_t>;                             // of values
  static constexpr std::uint32_t kSomewhere = WEDJAT_NO_REGISTER - 1;  // no base that another has
  struct Made {
    Step step;
    const wedjat_instruction* of;
    Place place;
  };

  // `copies` turns of a loop one after the other. Between them nobody asks whether it goes on, and what only
  // counts becomes part of addresses.
  template <class IsLive>
  Turns add_turns(std::span<const wedjat_instruction> text, std::uint32_t copies, const Dataflow& flow,
                  const Code& code, const JoinedLoads& joined, const IsLive& is_live) {
    made_.clear(), halves_.begin();
    std::uint32_t token = 0;
    for (std::uint32_t copy = 0; copy < copies; ++copy, ++token)  // a token of the next turn comes between
      for (const wedjat_instruction& at : text) {
        const bool is_between = copy + 1 < copies;
        if (flow.is_dead(at) || (is_between && only_goes_on(text, at))) continue;
        if (!is_plain(at)) {
          Step step = step_of(at);
          if (has_token(at)) step.token = token++;
          if (joined.comes_with_another(at))
            write_results(at, loaded_.at(&at));
          else
            add_whole(at, step, joined.of(at));
        } else if (code.is_copy(at) || (is_between && only_counts(at))) {
          pass_on(at);
        } else if (const auto* const parts = code.of(at)) {
          add_parts(at, *parts, flow.is_joined(at));
        } else {
          add_whole(at, {.instruction = at.id, .cost = flow.cost(at)});
        }
      }
    const auto first_move = static_cast<std::uint32_t>(moves.size());
    for (const auto& [to, parts] : halves_.written())
      if (to / 2 != carry_.of && is_live(to))
        for (const std::uint32_t from : parts)
          if (from != to) moves.push_back({to, from, from == parts.front()});
    drop_unread(std::span(moves).subspan(first_move));
    std::vector<Needs> needs;
    for (const Made& one : made_)
      needs.push_back(
          {reads(one.step), writes(one.step), expected(one.step), fence_of(*one.of, one.step), one.place});
    Turns turns;
    turns.first = static_cast<std::uint32_t>(steps.size());
    for (const std::uint32_t index : order_of(needs)) steps.push_back(made_[index].step);
    turns.end = static_cast<std::uint32_t>(steps.size());
    turns.moves = first_move;
    turns.moves_end = static_cast<std::uint32_t>(moves.size());
    return turns;
  }

  // Machine instructions whose results neither another nor what follows the block reads.
  void drop_unread(std::span<const Move> behind) {
    std::vector<bool> is_read(halves_.count(), false);
    for (const Move& move : behind) is_read[move.from] = true;
    std::vector<Made> kept;
    for (auto one = made_.rbegin(); one != made_.rend(); ++one) {
      const auto results = writes(one->step);
      const bool acts =
          !is_plain(*one->of) || (one->of->what & (kActs | WEDJAT_WARP_SYNC)) != 0 || results.empty();
      if (!acts && std::ranges::none_of(results, [&](std::uint32_t value) { return is_read[value]; }))
        continue;
      for (const Use& use : reads(one->step)) is_read[use.value] = true;
      kept.push_back(*one);
    }
    std::ranges::reverse(kept);
    made_ = std::move(kept);
  }
  static constexpr std::uint32_t kActs =
      WEDJAT_BRANCH | WEDJAT_CALL | WEDJAT_RETURN | WEDJAT_EXIT | WEDJAT_TRAP | WEDJAT_FENCE;

  // What ptxas thinks of: that loads of global memory miss the L1.
  static Cost expected(const Step& step) {
    Cost cost = step.cost;
    if (step.kind == Kind::load && cost.latency >= h200::l1) cost.latency = h200::expected_load;
    return cost;
  }

  static bool is_wide(const wedjat_operand& o) { return o.kind == WEDJAT_ADDRESS || o.bits > 32; }
  template <class Visit>
  static void each_half(const wedjat_operand& o, Visit visit) {
    if (o.registers == nullptr) return;
    for (std::uint32_t i = 0, count = o.kind == WEDJAT_ADDRESS ? 1 : o.count; i < count; ++i) {
      if (o.registers[i] == WEDJAT_NO_REGISTER) continue;
      visit(Half{o.registers[i], false});
      if (is_wide(o)) visit(Half{o.registers[i], true});
    }
  }
  void read(Half half, Read how) {
    for (const std::uint32_t part : halves_.read(half)) uses.push_back({part, how});
  }
  void read_operand(const wedjat_operand& o) {
    each_half(o, [&](Half half) { read(half, o.bits == 1 ? Read::predicate : Read::value); });
  }
  void read_guard(const wedjat_instruction& at) {
    if (at.guard != nullptr && at.guard_register != WEDJAT_NO_REGISTER)
      read({at.guard_register, false}, Read::guard);
  }
  // Where a guard does not hold, what was there stays.
  void read_all(const wedjat_instruction& at) {
    read_guard(at);
    for (const wedjat_operand& o : wedjat::operands(at))
      if (o.in || at.guard != nullptr) read_operand(o);
  }
  void begin_reads(Step& step) const { step.reads = static_cast<std::uint32_t>(uses.size()); }
  void end_reads(Step& step) const {
    step.reads_end = static_cast<std::uint32_t>(uses.size());
    step.writes = static_cast<std::uint32_t>(values.size());
  }
  void end_writes(Step& step) const { step.writes_end = static_cast<std::uint32_t>(values.size()); }

  // `joined`: loads that are carried out together with it; their results are read only behind them.
  void add_whole(const wedjat_instruction& at, Step step, const JoinedLoads::List* joined = nullptr) {
    begin_reads(step), read_all(at), end_reads(step);
    Place place = place_of(at);
    if (joined == nullptr) {
      write_results(at, fresh_results(at));
    } else {
      for (const wedjat_instruction* const one : *joined) loaded_[one] = fresh_results(*one);
      write_results(at, loaded_.at(&at));
      place.base = kSomewhere;
    }
    end_writes(step);
    if (joined != nullptr) step.least_passes = static_cast<std::uint8_t>((step.writes_end - step.writes) / 2);
    made_.push_back({step, &at, place});
  }
  List fresh_results(const wedjat_instruction& at) {
    List made;
    for (const wedjat_operand& o : wedjat::operands(at))
      if (o.out) each_half(o, [&](Half) { made.push_back(halves_.fresh()); });
    values.insert(values.end(), made.begin(), made.end());
    return made;
  }
  void write_results(const wedjat_instruction& at, const List& made) {
    auto next = made.begin();
    for (const wedjat_operand& o : wedjat::operands(at))
      if (o.out) each_half(o, [&](Half half) { halves_.write(half, {*next++}); });
  }

  // What it writes is what it reads, half by half where there are as many.
  void pass_on(const wedjat_instruction& at) {
    std::vector<List> halves;
    std::vector<Half> to;
    List all;
    for (const wedjat_operand& o : wedjat::operands(at)) {
      if (o.in || at.guard != nullptr)
        each_half(o, [&](Half half) {
          halves.push_back(halves_.read(half));
          all.insert(all.end(), halves.back().begin(), halves.back().end());
        });
      if (o.out) each_half(o, [&](Half half) { to.push_back(half); });
    }
    for (std::size_t i = 0; i < to.size(); ++i)
      halves_.write(to[i], to.size() == halves.size() ? halves[i] : all);
  }

  // `is_joined`: it reads more than its own sources, each of its instructions that reads one of them all.
  void add_parts(const wedjat_instruction& at, const std::vector<MachineInstruction>& parts, bool is_joined) {
    std::vector<const wedjat_operand*> sources, results;
    for (const wedjat_operand& o : wedjat::operands(at))
      if (o.kind != WEDJAT_IMMEDIATE) (o.out ? results : sources).push_back(&o);
    const auto half_of = [&](const Piece& piece, const auto& operands) -> std::optional<Half> {
      if (piece.kind == Piece::Kind::carry) return carry_;
      if (piece.index >= operands.size()) return std::nullopt;
      const wedjat_operand& o = *operands[piece.index];
      if (o.registers == nullptr || o.count == 0 || o.registers[0] == WEDJAT_NO_REGISTER) return std::nullopt;
      return Half{o.registers[0], piece.is_upper};
    };
    List made;
    std::map<std::uint32_t, std::pair<Half, List>> written;
    for (const MachineInstruction& part : parts) {
      if (part.is_none) {
        const auto from = half_of(part.reads.front(), sources);
        for (const Piece& piece : part.makes)
          if (const auto to = half_of(piece, results)) {
            written[to->value()].first = *to;
            List& held = written[to->value()].second;
            held = at.guard != nullptr ? halves_.read(*to) : List{};
            if (from)
              for (const std::uint32_t value : halves_.read(*from)) held.push_back(value);
          }
        continue;
      }
      Step step{.instruction = at.id, .cost = part.cost};
      begin_reads(step);
      if (!part.makes.empty()) read_guard(at);
      for (const Piece& piece : part.reads) {
        if (piece.kind == Piece::Kind::instruction) {
          uses.push_back({made[piece.index], piece.is_guard ? Read::guard : how_of(parts[piece.index])});
        } else if (is_joined) {
          for (const wedjat_operand* const o : sources) read_operand(*o);
        } else if (const auto half = half_of(piece, sources)) {
          const bool is_predicate = piece.kind == Piece::Kind::carry || sources[piece.index]->bits == 1;
          read(*half, piece.is_guard ? Read::guard : is_predicate ? Read::predicate : Read::value);
        }
      }
      for (const Piece& piece : part.makes)
        if (const auto half = half_of(piece, results); half && at.guard != nullptr) read(*half, Read::value);
      end_reads(step);
      made.push_back(halves_.fresh()), values.push_back(made.back());
      end_writes(step);
      for (const Piece& piece : part.makes)
        if (const auto half = half_of(piece, results)) {
          written[half->value()].first = *half;
          written[half->value()].second.push_back(made.back());
        }
      made_.push_back({step, &at, {}});
    }
    for (auto& [unused, result] : written) halves_.write(result.first, std::move(result.second));
  }
  static Read how_of(const MachineInstruction& from) {
    return from.writes_predicate ? Read::predicate : Read::value;
  }

  static bool is_strong(const wedjat_instruction& at) {
    return std::ranges::any_of(wedjat::accesses(at),
                               [](const wedjat_access& access) { return access.strong != 0; });
  }
  // By the value that its base has just there.
  [[nodiscard]] Place place_of(const wedjat_instruction& at) const {
    for (const wedjat_operand& o : wedjat::operands(at)) {
      if (o.kind != WEDJAT_ADDRESS) continue;
      const bool has_base = o.registers != nullptr && o.count != 0 && o.registers[0] != WEDJAT_NO_REGISTER;
      const auto base = has_base ? halves_.read({o.registers[0], false}) : List{};
      return {o.space, base.empty() ? WEDJAT_NO_REGISTER : base.front(), o.text, is_strong(at)};
    }
    return {};
  }

  const Half carry_;  // .cc, which is no register of PTX
  Values halves_;
  std::vector<Made> made_;
  std::map<const wedjat_instruction*, List> loaded_;  // what another load has brought
};

}  // namespace timing
