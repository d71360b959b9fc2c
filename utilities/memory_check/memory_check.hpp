// Out of bounds, misaligned, use after free (which stop a kernel anyway), leaks, and undefined values: from
// the bytes nobody wrote through registers and memory to where they matter.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <wedjat/tool.hpp>

#include "failure.hpp"
#include "loads.hpp"
#include "passed.hpp"
#include "unwritten.hpp"
#include "watched_memory.hpp"

namespace memory_check {

using namespace wedjat;

struct MemoryCheck : WatchedMemory {
  std::deque<Info> infos;
  Loads loads;
  std::map<std::uint32_t, Functions> functions_of;  // by kernel
  std::deque<Called> called;
  bool leaks = option("leaks", "1") == "1";
  const std::string uninitialised = option("uninitialised", "1");

  MemoryCheck() {
    if (uninitialised != "0" && uninitialised != "1" && uninitialised != "eager")
      refuse("uninitialised is 0, 1 or eager");
  }

  // --- memory --------------------------------------------------------------------------------------------
  // The host writes there without a call.
  static bool shared_with_host(std::string_view label) {
    return label.find("Managed") != label.npos || label.find("Host") != label.npos;
  }
  void memory(const wedjat_memory& m) override {
    parts.each([](Part& part) { part.block = nullptr; });
    const auto make = [&](bool defined) {
      blocks[m.address] = {m.label, Shadow(m.bytes, defined || uninitialised == "0", Shadow::Of::all_ctas)};
    };
    if (m.what == WEDJAT_ALLOCATED) make(shared_with_host(m.label));
    if (m.what == WEDJAT_HEAP_ALLOCATED) make(false);
    if (m.what == WEDJAT_FREED || m.what == WEDJAT_HEAP_FREED) blocks.erase(m.address);
    auto* const block = block_at(m.address);
    if (block == nullptr) return;
    Shadow& shadow = block->second.shadow;
    const std::uint64_t offset = m.address - block->first;
    if (m.what == WEDJAT_HOST_WROTE) shadow.define(offset, m.bytes);
    if (m.what != WEDJAT_HOST_READS) return;
    if (const Origin from = shadow.origin(offset, m.bytes))
      tell_rest({from}, WEDJAT_ERROR, "; the host copies it");
  }

  // --- launches ------------------------------------------------------------------------------------------
  void kernel(const wedjat_kernel& k) override {
    if (uninitialised == "0") {
      watch_variables(k, [](const wedjat_instruction&, const Through&) { return false; });
      return;
    }
    const std::size_t first = infos.size();
    for (const auto& i : instructions(k)) infos.emplace_back(i);
    // The first access of most is looked at anyway.
    watch_variables(k, [&](const wedjat_instruction& i, Through& one) {
      if ((i.what & WEDJAT_HAS_PIECES) || one.access != i.accesses) return false;
      infos[first + i.id].through = &one;
      return true;
    });
    Functions& functions = functions_of.try_emplace(k.id, Functions{Calls(k)}).first->second;
    const ReadBeforeWritten read(k, infos, first, functions.calls);
    for (std::uint32_t f = 0; f < k.function_count; ++f) functions.unwritten.push_back(read.of(f));
    watch_ends_of_calls(functions);
    for (const auto& i : instructions(k)) {
      Info& info = infos[first + i.id];
      const std::uint32_t empty = i.guard != nullptr ? WEDJAT_EMPTY : WEDJAT_MASKS;
      if (const Passing* const passing = functions.calls.passing(i)) {
        before<&MemoryCheck::pass>(i, WEDJAT_MASKS | empty | WEDJAT_UNLESS_ASLEEP,
                                   const_cast<Passing*>(passing));
      } else if (i.what & WEDJAT_HAS_PIECES) {
        before<&MemoryCheck::step>(i, empty, &info);
        after<&MemoryCheck::on_pieces>(i, WEDJAT_PIECES, &info);
      } else if (i.access_count != 0)
        before<&MemoryCheck::access>(i,
                                     WEDJAT_ADDRESSES | (moves(i) ? WEDJAT_ROWS : 0) | empty |
                                         (may_be_within(i, info) ? WEDJAT_UNLESS_WITHIN : 0),
                                     &info);
      else if (!info.outputs.empty() || (i.what & decides) != 0)
        before<&MemoryCheck::step>(
            i, (info.is_select || info.decisive ? WEDJAT_ROWS : WEDJAT_MASKS) | empty | WEDJAT_UNLESS_ASLEEP,
            &info);
    }
    watch_begins_of_calls(functions);
  }
  // Before what else the first instruction behind a call does, and that of a function.
  void watch_ends_of_calls(const Functions& functions) {
    for (const Call& call : functions.calls.all()) {
      if (call.next != nullptr)
        before<&MemoryCheck::call_ends>(*call.next, WEDJAT_MASKS | WEDJAT_EMPTY | WEDJAT_UNLESS_ASLEEP,
                                        &called.emplace_back(Called{&functions, &call}));
    }
    for (std::uint32_t f = 0; f < functions.calls.functions(); ++f)
      if (const Callee& callee = functions.calls.callee(f);
          callee.idle != WEDJAT_NO_REGISTER && callee.first != nullptr)
        before<&MemoryCheck::function_begins>(*callee.first,
                                              WEDJAT_MASKS | WEDJAT_EMPTY | WEDJAT_UNLESS_ASLEEP,
                                              &called.emplace_back(Called{&functions, nullptr, &callee}));
  }
  void watch_begins_of_calls(const Functions& functions) {
    for (const Call& call : functions.calls.all()) {
      const bool leaves_marks =
          call.inside != WEDJAT_NO_REGISTER || !call.is_direct ||
          std::ranges::any_of(call.callees, [&](std::uint32_t f) { return !functions.unwritten[f].empty(); });
      before<&MemoryCheck::call_begins>(*call.at, leaves_marks ? WEDJAT_MASKS : WEDJAT_UNLESS_ASLEEP,
                                        &called.emplace_back(Called{&functions, &call}));
    }
  }
  static constexpr std::uint32_t decides =
      WEDJAT_BRANCH | WEDJAT_CALL | WEDJAT_RETURN | WEDJAT_EXIT | WEDJAT_TRAP | WEDJAT_BARRIER;
  // In a block that is defined a warp whose registers all are changes nothing.
  static bool may_be_within(const wedjat_instruction& i, const Info& info) {
    return i.access_count == 1 && i.accesses[0].bytes != 0 && info.through == nullptr &&
           (i.accesses[0].space == WEDJAT_GLOBAL || i.accesses[0].space == WEDJAT_GENERIC);
  }
  // Blocks of the heap may be freed at any time.
  void name_block(const Event& event, const Part& part, const Extent& extent) {
    if (part.block == nullptr || part.block->first - WEDJAT_HEAP_WINDOW < WEDJAT_HEAP_WINDOW_BYTES) return;
    const Shadow& shadow = part.block->second.shadow;
    const std::uint64_t first = part.block->first;
    const bool inside = extent.least >= first && extent.greatest - first < shadow.bytes();
    if (inside && shadow.defined()) leave_out(event, first, shadow.bytes());
  }
  // From memory to memory.
  static bool moves(const wedjat_instruction& i) { return i.access_count > 1 || i.accesses[0].bytes == 0; }

  bool launch_begin(const wedjat_launch& launch) override {
    parts.begin(launch);
    loads.launch_begin(launch);
    begin_variables(launch);
    return true;
  }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) override {
    Part& part = parts[thread()];
    part.ctas[cta].shared = Shadow(launch.shared_bytes);
    part.cta = nullptr;
    const auto known = functions_of.find(launch.kernel->id);
    if (known == functions_of.end()) return true;
    for (const Unwritten& one : known->second.unwritten[0]) {
      const Origin mine = source(thread(), launch, cta, known->second.calls, one);
      for (std::uint32_t w = 0; w < warps_of(launch); ++w)
        part.registers.set(64 * cta + w, one.cell, ~0u, {~0u, mine});
    }
    return true;
  }
  Origin source(std::uint32_t thread, const wedjat_launch& launch, std::uint64_t cta, const Calls& calls,
                const Unwritten& one) {
    const Loads::Key key(launch.index, one.cell, true);
    if (const Origin mine = loads.find(thread, cta, key)) return mine;
    return loads.add(thread, key,
                     {launch, one.reader, cta, 0, uninitialised_register, one.text(calls, *launch.kernel)});
  }
  static std::uint32_t warps_of(const wedjat_launch& launch) {
    return (launch.block[0] * launch.block[1] * launch.block[2] + 31) / 32;
  }
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override {
    Part& part = parts[thread()];
    part.ctas.erase(cta);
    part.cta = nullptr;
    for (std::uint32_t w = 0; w < warps_of(launch); ++w) part.registers.forget(64 * cta + w);
  }
  void launch_end(const wedjat_launch& launch) override {
    parts.each([](Part& part) { part = {}; });
    end_variables(launch);
    loads.launch_end([&](const Load& load, const Reached& reached) {
      const bool is_register = load.kind == std::string_view(uninitialised_register);
      tell(load, WEDJAT_ERROR, reached.how, is_register ? reached.cta : load.cta,
           is_register ? reached.thread : load.thread);
    });
    if (launch.failure == nullptr) return;
    leaks = false;  // the program comes to no end
    const Failure failure(launch);
    report({sizeof(wedjat_finding), WEDJAT_ERROR, failure.kind.c_str(), failure.message.c_str(), &launch,
            launch.failed, launch.failed_cta, launch.failed_thread});
  }

  // --- undefined values ------------------------------------------------------------------------------------
  static std::uint64_t warp_of(const Event& event) { return 64 * event.cta + event.warp; }

  void step(const Event& event) {
    Registers& registers = parts[event].registers;
    const Registers::Warp* const warp = registers.find(warp_of(event));
    if (warp == nullptr) return sleep(event);  // until some register holds what is undefined
    const Info& info = *static_cast<const Info*>(event.user);
    const Registers::Lanes guard = guard_of(event, warp);
    Registers::Lanes value = Registers::any(warp, info.inputs);
    if (info.is_select) {
      const auto& o = info.at->operands;
      const Registers::Lanes a = Registers::of(warp, o[1].registers[0]),
                             b = Registers::of(warp, o[2].registers[0]);
      value = Registers::of(warp, o[3].registers[0]);
      const std::uint32_t chosen = *row<std::uint32_t>(event, 3);
      Registers::add(value, {a.undefined & chosen, a.origin});
      Registers::add(value, {b.undefined & ~chosen, b.origin});
    }
    value.undefined &= event.executed & ~decided(event, info, warp);
    if (info.at->what & WEDJAT_HAS_PIECES) check_address(event, info, warp);
    if (info.at->what & decides) {
      if (value.undefined != 0) reaches(value.origin, "a branch or barrier takes it", event);
      if (guard.undefined != 0) reaches(guard.origin, "a branch depends on it", event);
    }
    // From the values of lanes: which lane reads which is not followed, so all of them must be undefined.
    if (info.reads_other_lanes) value.undefined = value.undefined == event.executed ? event.executed : 0;
    for (const std::uint32_t out : info.outputs) {
      registers.set(warp_of(event), out, event.executed, value);
      if (guard.undefined != 0) registers.set(warp_of(event), out, guard.undefined, guard);
    }
  }
  void call_begins(const Event& event) {
    const Called& at = *static_cast<const Called*>(event.user);
    Registers& registers = parts[event].registers;
    Passed(registers, warp_of(event)).begin(at.functions->calls, *at.call, event.executed);
    for (const std::uint32_t f : at.call->callees)
      for (const Unwritten& one : at.functions->unwritten[f])
        registers.set(warp_of(event), one.cell, event.executed,
                      {~0u, source(event.thread, *event.launch, event.cta, at.functions->calls, one)});
    if (registers.find(warp_of(event)) != nullptr) sleep(event, false);
  }
  void call_ends(const Event& event) {
    const Called& at = *static_cast<const Called*>(event.user);
    Passed(parts[event].registers, warp_of(event)).end(at.functions->calls, *at.call, event.active);
  }
  void function_begins(const Event& event) {
    const Called& at = *static_cast<const Called*>(event.user);
    Passed(parts[event].registers, warp_of(event)).come_to(*at.callee, event.active);
  }
  void pass(const Event& event) {
    Registers& registers = parts[event].registers;
    const Registers::Warp* const warp = registers.find(warp_of(event));
    if (warp == nullptr) return sleep(event);
    const Registers::Lanes guard = guard_of(event, warp);
    Passed(registers, warp_of(event)).pass(*static_cast<const Passing*>(event.user), guard, event.executed);
  }
  // Lanes in which a defined predicate decides the result.
  static std::uint32_t decided(const Event& event, const Info& info, const Registers::Warp* warp) {
    std::uint32_t lanes = 0;
    for (std::uint32_t o = 0; info.decisive && event.rows != nullptr && o < info.at->operand_count; ++o) {
      const wedjat_operand& operand = info.at->operands[o];
      if (operand.value != WEDJAT_PRED || operand.out || *operand.text == '!' || *operand.text == 0) continue;
      const std::uint32_t holds = *row<std::uint32_t>(event, o);
      lanes |= (*info.decisive ? holds : ~holds) & ~Registers::of(warp, operand.registers[0]).undefined;
    }
    return lanes;
  }
  static Registers::Lanes guard_of(const Event& event, const Registers::Warp* warp) {
    Registers::Lanes guard = Registers::of(warp, event.instruction->guard_register);
    guard.undefined &= event.active;
    return guard;
  }

  void check_address(const Event& event, const Info& info, const Registers::Warp* warp) {
    const Registers::Lanes guard = guard_of(event, warp), base = Registers::any(warp, info.bases);
    if (guard.undefined != 0) reaches(guard.origin, "whether memory is accessed depends on it", event);
    if (base.undefined & event.executed) reaches(base.origin, "an address depends on it", event);
  }
  void access(const Event& event) {
    const Info& info = *static_cast<const Info*>(event.user);
    Part& part = parts[event];
    if (const Registers::Warp* warp = part.registers.find(warp_of(event)); warp != nullptr)
      check_address(event, info, warp);
    if (event.executed == 0 || event.addresses == nullptr) return;
    const wedjat_access& first = info.at->accesses[0];
    const Extent extent = extent_of(event.addresses[0], event.executed & first.lanes);
    if (info.through != nullptr) check_inside(event, *info.through, extent);
    if (moves(*info.at) && info.outputs.empty()) return copy(event, part);
    // Of an update: before its result is written, which may be the same register.
    const Registers::Lanes operand =
        first.atomic ? Registers::any(part.registers.find(warp_of(event)), info.inputs) : Registers::Lanes{};
    if (first.reads) load(event, info, part, first, extent);
    if (first.writes) store(event, info, part, first, extent, operand);
    if (may_be_within(*info.at, info)) name_block(event, part, extent);
  }
  void load(const Event& event, const Info& info, Part& part, const wedjat_access& access,
            const Extent& extent) {
    if (span(event, part, access, extent).defined()) {
      for (const std::uint32_t out : info.outputs)
        part.registers.set(warp_of(event), out, event.executed, {});
      return;
    }
    const auto elements = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(info.outputs.size()));
    const bool collective = (info.at->what & WEDJAT_WARP_SYNC) != 0 || access.lanes != ~0u || access.atomic;
    const std::uint32_t bytes = collective ? access.bytes : access.bytes / elements;
    Registers::Lanes all;
    std::array<Registers::Lanes, 16> values{};
    each_lane(event.executed & access.lanes, [&](unsigned lane) {
      const Location at = locate(event, access, event.addresses[0][lane]);
      const auto [shadow, offset] = find(part, at, 32 * event.warp + lane);
      if (shadow == nullptr || shadow->defined(offset, access.bytes)) return;
      for (std::uint32_t e = 0; e < elements && e < values.size(); ++e) {
        const std::uint64_t from = collective ? offset : offset + e * bytes;
        if (shadow->defined(from, bytes)) continue;
        Registers::add(values[e], {1u << lane, source(event, *shadow, from, bytes, at, lane)});
        Registers::add(all, values[e]);
      }
    });
    const bool spreads = access.lanes != ~0u || (info.at->what & WEDJAT_WARP_SYNC);
    if (spreads && all.undefined != 0) all.undefined = ~0u;
    if (all.undefined != 0) sleep(event, false);
    for (std::uint32_t e = 0; e < info.outputs.size(); ++e)
      part.registers.set(warp_of(event), info.outputs[e], event.executed,
                         spreads ? all : values[std::min<std::size_t>(e, values.size() - 1)]);
  }
  void store(const Event& event, const Info& info, Part& part, const wedjat_access& access,
             const Extent& extent, const Registers::Lanes& operand) {
    const Registers::Warp* const warp = part.registers.find(warp_of(event));
    if (warp == nullptr && operand.undefined == 0) {  // what it writes is defined
      const Span all = span(event, part, access, extent);
      if (all.defined()) return;
      if (all.shadow != nullptr && !access.atomic && (event.executed & access.lanes) == ~0u &&
          is_row(event.addresses[0], access.bytes))
        return all.shadow->define(all.offset, all.bytes);
    }
    const wedjat_operand* value = nullptr;  // what is stored
    for (const auto& o : operands(*info.at))
      if (value == nullptr && o.kind != WEDJAT_ADDRESS && o.in && !o.out) value = &o;
    const std::uint32_t elements =
        value != nullptr && !access.atomic ? std::max<unsigned>(1, value->count) : 1;
    const std::uint32_t bytes = access.bytes / elements;
    each_store(event.executed & access.lanes, access.bytes, [&](unsigned lane) {
      const auto [shadow, offset] =
          find(part, locate(event, access, event.addresses[0][lane]), 32 * event.warp + lane);
      if (shadow == nullptr) return;
      if (access.atomic) {  // what it was matters too: it stays undefined if it was
        if (operand.undefined >> lane & 1) undefine(event, *shadow, offset, bytes, operand.origin);
        return;
      }
      for (std::uint32_t e = 0; e < elements; ++e) {
        const Registers::Lanes lanes =
            value != nullptr ? Registers::of(warp, value->registers[e]) : Registers::Lanes{};
        if (lanes.undefined >> lane & 1)
          undefine(event, *shadow, offset + e * bytes, bytes, lanes.origin);
        else
          shadow->define(offset + e * bytes, bytes);
      }
    });
  }
  // The barrier a copy tells, if any, is updated. Lanes for which a predicate among its operands holds copy
  // zeros.
  void copy(const Event& event, Part& part) {
    const wedjat_instruction& i = *event.instruction;
    std::uint32_t ignores = 0;
    for (const auto& o : operands(i))
      if (o.value == WEDJAT_PRED && o.in && event.rows[o.first] != nullptr)
        ignores = *static_cast<const std::uint32_t*>(event.rows[o.first]);
    each_lane(event.executed, [&](unsigned lane) {
      Origin from = 0;
      bool whole = true;
      for (const bool reading : {true, false})
        for (std::uint32_t a = 0; a < i.access_count; ++a) {
          const wedjat_access& access = i.accesses[a];
          if (access.atomic || (access.reads != 0) != reading) continue;
          if (reading && (ignores >> lane & 1)) continue;
          const std::uint64_t bytes = bytes_of(event, access, lane);
          const Location at = locate(event, access, event.addresses[a][lane]);
          const auto [shadow, offset] = find(part, at, 32 * event.warp + lane);
          if (shadow == nullptr) continue;
          if (reading) {
            whole = shadow->defined(offset, bytes);
            if (!whole) from = source(event, *shadow, offset, bytes, at, lane);
          } else if (whole) {
            shadow->define(offset, bytes);
          } else {
            undefine(event, *shadow, offset, bytes, from);
          }
        }
    });
  }
  void undefine(const Event& event, Shadow& shadow, std::uint64_t at, std::uint64_t bytes, Origin from) {
    shadow.undefine(at, bytes, from);
    tell_all(event);
  }
  struct Moved {               // of a copy or a tile
    std::vector<Origin> read;  // by byte
    std::size_t written = 0;
    Origin unwritten = 0;  // of some byte that was read
    bool untouched = true;
  };
  // Copies; tiles: what is computed of one, or stored from registers. Which element of a tile goes where is
  // not followed, so it is undefined if nothing at all was written to it.
  void on_pieces(const Event& event) {
    const Info& info = *static_cast<const Info*>(event.user);
    Registers& registers = parts[event].registers;
    const Registers::Lanes values = Registers::any(registers.find(warp_of(event)), info.inputs);
    const auto all = pieces(event);
    for (std::size_t i = 0, next; i < all.size(); i = next) {
      Moved moved;
      for (next = i; next < all.size() && all[next].part == all[i].part; ++next)
        all[next].writes ? write(event, all[next], moved, values) : read(event, all[next], moved);
      if (moved.unwritten == 0 || !moved.untouched) continue;
      sleep(event, false);
      const std::uint32_t lanes = info.reads_texels ? 1u << all[i].lane : event.executed;
      for (const std::uint32_t out : info.outputs)
        registers.set(warp_of(event), out, lanes, {lanes, moved.unwritten});
    }
  }
  void read(const Event& event, const wedjat_piece& piece, Moved& moved) {
    const Location at = locate(event, piece);
    const auto [shadow, offset] = find(parts[event], at, 32 * event.warp + piece.lane);
    const std::size_t first = moved.read.size();
    moved.read.resize(first + piece.bytes);
    moved.untouched = moved.untouched && shadow != nullptr && shadow->untouched(offset, piece.bytes);
    if (shadow == nullptr || shadow->defined(offset, piece.bytes)) return;
    for (std::uint64_t byte = 0; byte < piece.bytes; ++byte) {
      if (shadow->defined(offset + byte, 1)) continue;
      const Origin known = shadow->origin(offset + byte, 1);
      moved.read[first + byte] = moved.unwritten =
          known != 0 ? known : source(event, *shadow, offset, piece.bytes, at, piece.lane);
    }
  }
  void write(const Event& event, const wedjat_piece& piece, Moved& moved, const Registers::Lanes& values) {
    const auto [shadow, offset] = find(parts[event], locate(event, piece), 32 * event.warp + piece.lane);
    for (std::uint64_t byte = 0; shadow != nullptr && byte < piece.bytes; ++byte) {
      const Origin from = moved.written + byte < moved.read.size() ? moved.read[moved.written + byte]
                          : values.undefined != 0                  ? values.origin
                                                                   : 0;
      if (from != 0)
        undefine(event, *shadow, offset + byte, 1, from);
      else if (!piece.atomic)
        shadow->define(offset + byte, 1);
    }
    moved.written += piece.bytes;
  }

  // The load that first saw these bytes undefined: this one, or an earlier one whose value was stored there.
  Origin source(const Event& event, const Shadow& shadow, std::uint64_t offset, std::uint64_t bytes,
                const Location& at, unsigned lane) {
    if (const Origin known = shadow.origin(offset, bytes)) return known;
    const Loads::Key key(event.launch->index, event.instruction->id, false);
    if (const Origin mine = loads.find(event.thread, event.cta, key)) return mine;
    const bool shared = at.kind == Location::Kind::shared, local = at.kind == Location::Kind::local;
    const std::string where =
        (shared  ? "shared offset " + std::to_string(offset)
         : local ? "byte " + std::to_string(offset) + " of its local memory"
                 : "byte " + std::to_string(offset) + " of " + parts[event].block->second.label) +
        in_variable(*event.launch->kernel, at);
    const Origin mine =
        loads.add(event.thread, key,
                  {*event.launch, event.instruction, event.cta, 32 * event.warp + lane,
                   shared  ? "uninitialised-shared"
                   : local ? "uninitialised-local"
                           : "uninitialised-global",
                   "reads " + std::to_string(bytes) + " bytes that nobody wrote, at " + where});
    if (uninitialised == "eager")
      loads.reach(event.thread, mine, event.cta, [&] { return at_lanes(event, {}); });
    return mine;
  }
  void reaches(Origin load, const char* how, const Event& event) {
    if (load == 0) return;
    loads.reach(event.thread, load, event.cta, [&] {
      return at_lanes(event, std::string("; ") + how + ": '" + std::string(event.instruction->text) +
                                 "' at " + place(*event.instruction));
    });
  }
  static Reached at_lanes(const Event& event, std::string how) {
    return {event.cta, 32 * event.warp + static_cast<std::uint32_t>(std::countr_zero(event.active)),
            std::move(how)};
  }
  void tell_rest(const std::set<Origin>& origins, wedjat_severity severity, const char* use) {
    loads.tell_rest(origins, [&](const Load& load) { tell(load, severity, use, load.cta, load.thread); });
  }
  void tell(const Load& load, wedjat_severity severity, const std::string& use, std::uint64_t cta,
            std::uint32_t thread) {
    const std::string message = load.what + use;
    report({sizeof(wedjat_finding), static_cast<std::uint32_t>(severity), load.kind, message.c_str(),
            &load.launch, load.at, cta, thread});
  }

  void finish() override {
    for (const auto& [address, block] : blocks)
      tell_rest(block.shadow.origins(), WEDJAT_ERROR, "; it is in memory that the program leaves");
    tell_rest(loads.of_memory(), WEDJAT_WARNING, "; nothing depends on it");
    for (const auto& [address, block] : blocks)
      if (leaks)
        report(
            {sizeof(wedjat_finding), WEDJAT_WARNING, "leak",
             (std::to_string(block.shadow.bytes()) + " bytes of " + block.label + " are never freed").c_str(),
             nullptr, nullptr, 0, 0});
  }
};

}  // namespace memory_check
