#include "emulator/hooks/running/probes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "emulator/exec/warp/warp.h"
#include "emulator/hooks/clients/client.h"
#include "emulator/hooks/inspection/inspection.h"
#include "emulator/hooks/running/memory_metrics.h"
#include "emulator/hooks/running/running.h"

namespace wedjat::hooks {
namespace {

exec::Warp& warp_of(exec::WarpContext& context) { return *static_cast<exec::Warp*>(context.owner); }
CtaWatch& watch_of(exec::WarpContext& context) {
  return *static_cast<CtaWatch*>(warp_of(context).cta().observed);
}

std::byte* saved_of(CtaWatch& cta, const exec::Warp& warp) {
  return cta.saved.data() + std::size_t{warp.index()} * cta.code->saved_bytes;
}

std::uint32_t executed(exec::WarpContext& context, CtaWatch& cta, const Probe& probe, std::uint32_t mask) {
  if (probe.guard == 0) return mask;
  std::uint32_t guard;
  const std::byte* from = context.rows + (probe.guard - 1u) * 64u;
  if (probe.after && probe.saved_bytes != 0) from = saved_of(cta, warp_of(context));
  std::memcpy(&guard, from, sizeof guard);
  return mask & (probe.guard_negated ? ~guard : guard);
}

void add(CtaWatch& cta, const Count& count, std::uint64_t value) {
  if (count.buckets == 0)
    cta.counts[count.counter] += value * count.weight;
  else
    ++cta.counts[count.counter + (value < count.buckets ? value : count.buckets - 1)];
}

const std::uint64_t* address_row(const exec::WarpContext& context, const Probe& probe) {
  return reinterpret_cast<const std::uint64_t*>(context.rows + probe.address);
}

// Of the access it was asked about last.
struct Measured {
  const Count* count = nullptr;
  std::optional<Footprint> footprint;
};

// A metric of an access that some lane makes.
std::uint64_t measure(exec::WarpContext& context, const wedjat_access& access, const Count& count,
                      std::uint32_t active, Measured& last) {
  const auto* const address = reinterpret_cast<const std::uint64_t*>(context.rows + count.address);
  const bool units = count.source == WEDJAT_LINES || count.source == WEDJAT_SECTORS;
  if (units && access.space == WEDJAT_GENERIC) active &= lanes_outside_windows(address);
  if (active == 0) return 0;
  if (access.bytes == 0) {
    const auto* const bytes = reinterpret_cast<const std::uint32_t*>(context.rows + count.size);
    return count.source == WEDJAT_BYTES
               ? sum_of(bytes, active)
               : sized_units(address, active, bytes, count.source == WEDJAT_LINES ? 7 : 5);
  }
  switch (count.source) {
    case WEDJAT_BYTES:
      return static_cast<std::uint64_t>(__builtin_popcount(active)) * access.bytes;
    case WEDJAT_BANK_WAYS:
      return bank_passes(address, active, access.bytes);
    case WEDJAT_BANK_IDEAL:
      return ideal_bank_passes(active, access.bytes);
    default:
      if (last.count == nullptr || last.count->index != count.index)
        last = {&count, Footprint(address, active, access.bytes)};
      return count.source == WEDJAT_LINES ? last.footprint->units<7>() : last.footprint->units<5>();
  }
}

// Tools that do not watch this warp: one bit each.
std::uint64_t off_in(const CtaWatch& cta, exec::WarpContext& context) {
  return cta.watched[warp_of(context).index()].off;
}
// Nobody who is awake in this warp watches here.
bool sleeps(exec::WarpContext& context, const CtaWatch& cta, const Probe& probe) {
  return (probe.watch_tools & ~(probe.may_sleep & cta.watched[warp_of(context).index()].asleep)) == 0 &&
         !(probe.needs & WEDJAT_PIECES);
}
bool is_off(std::uint64_t off, std::uint32_t tool) { return (off >> tool & 1) != 0; }

// What every event of a warp instruction holds; `rows` and `addresses` must outlive it.
struct Shown {
  std::array<void*, 512> rows;
  std::array<const std::uint64_t*, 8> addresses;
  wedjat_context context;
  wedjat_event event;
};

void show(Shown& to, exec::WarpContext& warp, CtaWatch& cta, const Probe& probe, const kernel::Step* step,
          std::uint32_t mask) {
  to.event = cta.event;
  to.event.instruction = probe.at;
  to.event.thread = cta.launch->thread();
  to.event.warp = warp_of(warp).index();
  to.event.active = mask;
  to.event.paths = warp_of(warp).paths();
  to.context = {&warp, step, cta.code, probe.function, 0, false, &cta.watched[to.event.warp].asleep,
                0,     &cta, &probe};
  to.event.context = &to.context;
  if (step == nullptr || (probe.needs & shows_rows) == 0) return;
  std::byte* saved = probe.after && probe.saved_bytes != 0 ? saved_of(cta, warp_of(warp)) + 64 : nullptr;
  const wedjat_instruction& at = *probe.at;
  const auto rows = std::min<std::uint32_t>(probe.row_count, to.rows.size());
  // Few, and read one by one right after: no vectors.
#pragma clang loop vectorize(disable) unroll(disable)
  for (std::uint32_t row = 0; row < rows; ++row) to.rows[row] = warp.rows + step->row[row];
  for (std::uint32_t row = 0; saved != nullptr && probe.keeps_rows && row < rows; ++row) {
    if (probe.saved[row] == 0) continue;
    to.rows[row] = saved;
    saved += 32u * probe.saved[row];
  }
  if (saved != nullptr && (probe.needs & WEDJAT_OLD)) to.event.old = saved;
  // Most instructions have one access at most, whose row need not be looked up by its operand.
  if (at.access_count != 0) to.addresses[0] = static_cast<const std::uint64_t*>(to.rows[probe.address_row]);
  for (std::uint32_t a = 1; a < at.access_count && a < to.addresses.size(); ++a)
    to.addresses[a] = static_cast<const std::uint64_t*>(to.rows[at.operands[at.accesses[a].operand].first]);
  to.event.row_count = rows;
  to.event.rows = to.rows.data();
  to.event.addresses = at.access_count != 0 ? to.addresses.data() : nullptr;
}

void show_pieces(Shown& to, CtaWatch& cta) {
  cta.shown_pieces.clear();
  for (const exec::Piece& p : cta.pieces)
    cta.shown_pieces.push_back({p.address, p.bytes, p.part, p.lane, space_of(p.space), p.reads || p.updates,
                                p.writes || p.updates, p.updates});
  to.event.pieces = cta.shown_pieces.data();
  to.event.piece_count = cta.shown_pieces.size();
}

std::uint64_t element_of(const wedjat_event& event, std::uint32_t row, std::uint32_t lane) {
  const wedjat_instruction& at = *event.instruction;
  for (std::uint32_t o = at.operand_count; o-- > 0;) {
    const wedjat_operand& operand = at.operands[o];
    if (row < operand.first) continue;
    if (operand.value == WEDJAT_PRED) return *static_cast<const std::uint32_t*>(event.rows[row]) >> lane & 1;
    const std::size_t bytes = operand.kind == WEDJAT_ADDRESS ? 8 : operand.bits / 8u;
    std::uint64_t value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(event.rows[row]) + bytes * lane, bytes);
    return value;
  }
  return 0;
}

bool touches(const wedjat_event& event, std::uint32_t lane, std::uint64_t low, std::uint64_t high) {
  const wedjat_instruction& at = *event.instruction;
  for (std::uint32_t a = 0; event.addresses != nullptr && a < at.access_count; ++a) {
    const wedjat_access& access = at.accesses[a];
    const std::uint64_t first = event.addresses[a][lane];
    const std::uint32_t bytes =
        access.bytes != 0
            ? access.bytes
            : static_cast<const std::uint32_t*>(event.rows[at.operands[access.size].first])[lane];
    if ((access.lanes >> lane & 1) && first <= high && first + bytes > low) return true;
  }
  for (const wedjat_piece& piece : std::span(event.pieces, event.piece_count))
    if (piece.lane == lane && piece.address <= high && piece.address + piece.bytes > low) return true;
  return false;
}

bool meets(const wedjat_condition& condition, const wedjat_event& event) {
  if (condition.test == WEDJAT_IF_ANY) return true;
  if (condition.test == WEDJAT_IF_PARTIAL) return event.executed != 0 && event.executed != event.active;
  for (std::uint32_t rest = event.executed; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    if (condition.test == WEDJAT_IF_ADDRESS) {
      if (touches(event, lane, condition.low, condition.high)) return true;
    } else if (const std::uint64_t value = element_of(event, condition.row, lane);
               value >= condition.low && value <= condition.high) {
      return true;
    }
  }
  return false;
}

void deliver(CtaWatch& cta, const Watch& watch, Shown& shown) {
  Client& client = cta.launch->client(watch.tool);
  shown.context.may_write = client.mutates();
  shown.context.tool = watch.tool;
  shown.event.user = watch.user;
  shown.event.left_out = cta.launch->take_left_out(watch.tool);
  client.deliver(watch, shown.event);
}

std::uint32_t lanes_that_take(exec::WarpContext& context, const kernel::Terminator& end,
                              std::uint32_t successor, std::uint32_t mask) {
  std::uint32_t guarded = mask;
  if (end.guard != 0) {
    std::uint32_t predicate;
    std::memcpy(&predicate, context.rows + (end.guard - 1u) * 64u, sizeof predicate);
    guarded &= end.negated ? ~predicate : predicate;
  }
  using kernel::End;
  if (end.kind == End::Call) return end.next == successor ? mask : 0;  // those that call come back to it
  std::uint32_t lanes =
      end.guard != 0 && end.kind != End::Fall && end.next == successor ? mask & ~guarded : 0;
  if ((end.kind == End::Fall || end.kind == End::Branch) && end.target == successor) lanes |= guarded;
  if (end.kind == End::IndexedBranch) {
    const auto* const index = reinterpret_cast<const std::uint32_t*>(context.rows + end.row);
    for (std::uint32_t rest = guarded; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      if (index[lane] < end.targets.size() && end.targets[index[lane]] == successor) lanes |= 1u << lane;
    }
  }
  return lanes;
}

void count_segment(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  CtaWatch& cta = watch_of(context);
  const auto lanes = static_cast<std::uint64_t>(__builtin_popcount(mask));
  const std::uint64_t off = off_in(cta, context);
  for (const Count& count : cta.code->probes[step.row[0]].counts)
    if (!is_off(off, count.tool))
      cta.counts[count.counter] += (count.source == WEDJAT_WARPS ? 1 : lanes) * count.weight;
}

// Numbers of a row, as functions get them; `room` for 32.
wedjat_lanes lanes_of(const exec::WarpContext& context, const kernel::Step& step, std::uint32_t row,
                      std::uint64_t* room) {
  const std::byte* const from = context.rows + step.row[row];
  const unsigned bytes = row_bytes(step, row);
  if (bytes == 8) return {0, 0, 0, 0, reinterpret_cast<const std::uint64_t*>(from)};
  if (bytes == 0) return {*reinterpret_cast<const std::uint32_t*>(from), 0, 0, 32, nullptr};
  for (unsigned lane = 0; lane < 32; ++lane) {
    room[lane] = 0;
    std::memcpy(room + lane, from + std::size_t{bytes} * lane, bytes);
  }
  return {0, 0, 0, 0, room};
}

void call(CtaWatch& cta, const exec::WarpContext& context, const Probe& probe, const Inlined& inlined,
          std::uint32_t active) {
  std::array<wedjat_lanes, WEDJAT_MOST_VALUES> values;
  std::uint64_t room[WEDJAT_MOST_VALUES][32];
  for (std::size_t v = 0; v < inlined.values.size(); ++v)
    values[v] = lanes_of(context, *probe.step, inlined.values[v], room[v]);
  inlined.function(cta.counts.data() + inlined.counter, values.data(), active);
}

void count_each(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  CtaWatch& cta = watch_of(context);
  const Probe& probe = cta.code->probes[step.row[0]];
  const std::uint32_t active = executed(context, cta, probe, mask);
  const std::uint64_t off = off_in(cta, context);
  Measured last;
  for (const Count& count : probe.counts) {
    if (is_off(off, count.tool)) continue;
    std::uint64_t value = 0;
    switch (count.source) {
      case WEDJAT_WARPS:
        value = 1;
        break;
      case WEDJAT_THREADS:
        value = static_cast<std::uint64_t>(__builtin_popcount(mask));
        break;
      case WEDJAT_EXECUTED:
        value = static_cast<std::uint64_t>(__builtin_popcount(active));
        break;
      case WEDJAT_ISSUED:
        value = active != 0;
        break;
      case WEDJAT_DIVERGED:
        value = active != 0 && active != mask;
        break;
      default: {
        const wedjat_access& access = probe.at->accesses[count.index];
        const std::uint32_t lanes = active & access.lanes;
        if (lanes == 0) continue;
        value = measure(context, access, count, lanes, last);
      }
    }
    add(cta, count, value);
  }
  for (const Inlined& inlined : probe.inlined)
    if (active != 0 && !is_off(off, inlined.tool)) call(cta, context, probe, inlined, active);
}

// Whether the event goes on as those before it did: it is counted then.
bool is_expected(exec::WarpContext& context, CtaWatch& cta, const Probe& probe, const Watch& watch,
                 std::uint32_t active) {
  if ((watch.needs & WEDJAT_UNLESS_EXPECTED) == 0) return false;
  Expectation& expectation = cta.launch->expectation(watch.tool);
  const Tile at = active == exec::all_lanes ? tile_of(address_row(context, probe)) : Tile{};
  if (!expectation.take(probe.expected_site, cta.watched[warp_of(context).index()].number, at)) return false;
  ++expectation.state().left_out;
  return true;
}

void tell_event(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  CtaWatch& cta = watch_of(context);
  const Probe& probe = cta.code->probes[step.row[0]];
  if (sleeps(context, cta, probe)) return;
  const std::uint64_t asleep = probe.may_sleep & cta.watched[warp_of(context).index()].asleep;
  const std::uint32_t active = executed(context, cta, probe, mask);
  const bool has_pieces = probe.after && (probe.needs & WEDJAT_PIECES) != 0;
  if (has_pieces) warp_of(context).pieces = nullptr;
  if (active == 0 && !(probe.needs & WEDJAT_EMPTY)) return;
  const std::uint64_t off = off_in(cta, context) | asleep;
  Shown shown;
  show(shown, context, cta, probe, probe.step, mask);
  if (has_pieces) show_pieces(shown, cta);
  shown.event.executed = active;
  for (const Watch& watch : probe.watches) {
    if (active == 0 && !(watch.needs & WEDJAT_EMPTY)) continue;
    if (is_off(off, watch.tool) || !meets(watch.condition, shown.event)) continue;
    if (is_expected(context, cta, probe, watch, active)) continue;
    if ((watch.every == 1 || watch.met++ % watch.every == 0)) deliver(cta, watch, shown);
  }
}

void tell_edge(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  CtaWatch& cta = watch_of(context);
  const Probe& probe = cta.code->probes[step.row[0]];
  const std::uint32_t leaving = lanes_that_take(context, *probe.end, probe.successor, mask);
  if (leaving == 0) return;
  const std::uint64_t off = off_in(cta, context);
  Shown shown;
  show(shown, context, cta, probe, nullptr, mask);
  shown.event.executed = leaving;
  for (const Watch& watch : probe.watches)
    if (!is_off(off, watch.tool)) deliver(cta, watch, shown);
}

void keep_state(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  CtaWatch& cta = watch_of(context);
  const Probe& probe = cta.code->probes[step.row[0]];
  if (sleeps(context, cta, probe)) return;
  std::byte* to = saved_of(cta, warp_of(context));
  if (probe.guard != 0) std::memcpy(to, context.rows + (probe.guard - 1u) * 64u, sizeof(std::uint32_t));
  to += 64;
  for (std::size_t row = 0; probe.keeps_rows && row < probe.saved.size(); ++row) {
    if (probe.saved[row] == 0) continue;
    std::memcpy(to, context.rows + probe.step->row[row], 32u * probe.saved[row]);
    to += 32u * probe.saved[row];
  }
  if (probe.needs & WEDJAT_PIECES) {
    cta.pieces.clear();
    warp_of(context).pieces = &cta.pieces;
  }
  if (!(probe.needs & WEDJAT_OLD) || probe.at->access_count == 0) return;
  const wedjat_access& access = probe.at->accesses[0];
  const std::uint64_t* address = address_row(context, probe);
  wedjat_context reader{};
  reader.warp = &context;
  reader.step = probe.step;
  const std::uint32_t active = executed(context, cta, probe, mask);
  for (std::uint32_t lane = 0; lane < 32; ++lane, to += access.bytes)
    if (!(active >> lane & 1) || read_memory(&reader, lane, static_cast<wedjat_space>(access.space),
                                             address[lane], to, access.bytes) != 0)
      std::memset(to, 0, access.bytes);
}

// The loop counts each step: one that only watches is taken off again.
template <kernel::Executor work>
void discounted(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  warp_of(context).discount();
  work(context, step, mask);
}

}  // namespace

void segment_probe(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  discounted<count_segment>(context, step, mask);
}
void count_probe(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  discounted<count_each>(context, step, mask);
}
void event_probe(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  discounted<tell_event>(context, step, mask);
}
void edge_probe(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  discounted<tell_edge>(context, step, mask);
}
void save_probe(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  discounted<keep_state>(context, step, mask);
}

kernel::Executor native_executor(const kernel::Step& probe) {
  if (probe.full == count_probe) return count_each;
  if (probe.full == event_probe) return tell_event;
  if (probe.full == edge_probe) return tell_edge;
  if (probe.full == save_probe) return keep_state;
  return nullptr;
}

void replaced_step(exec::WarpContext& context, const kernel::Step& step, std::uint32_t mask) {
  CtaWatch& cta = watch_of(context);
  Probe probe;
  probe.at = &cta.code->inspected->instructions[step.id];
  probe.row_count = row_count(*probe.at);
  if (probe.at->access_count != 0)
    probe.address_row = probe.at->operands[probe.at->accesses[0].operand].first;
  probe.function = probe.at->function;
  probe.needs = WEDJAT_ROWS;
  Shown shown;
  show(shown, context, cta, probe, &step, mask);
  shown.event.executed = mask;
  shown.context.mask = mask;
  const std::uint64_t off = Definition::is_one(*step.form) ? 0 : off_in(cta, context);
  bool is_replaced = false;
  for (const Watch& watch : cta.code->replacements[step.id]) {
    if (is_off(off, watch.tool)) continue;
    is_replaced = true;
    if (watch.handler != nullptr) deliver(cta, watch, shown);
  }
  if (!is_replaced) run_original(&shown.context);
}

}  // namespace wedjat::hooks
