// Which instruction first made a NaN or an infinity, and where it went.
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "origins.hpp"
#include "values.hpp"

using namespace wedjat;
using namespace first_nan;

struct FirstNan : Tool {
  struct Operand {
    unsigned index;
    first_nan::Format format;
    bool typed;  // the instruction says it is floating-point
  };
  struct Info {
    const wedjat_instruction* at;
    std::vector<Operand> inputs, outputs;
    std::vector<Values> results;  // all of the outputs
    bool is_load, is_store, reads_other_lanes;
  };
  std::deque<Info> infos;
  Origins origins;
  std::map<std::uint64_t, std::uint32_t>
      global;  // by address of the element, when the launch began: its origin
  // Of a value that is no finite number: its origin, in the launch that runs.
  struct Part {
    Made made;
    // Registers by 64 * CTA + warp and 32 * register + lane.
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> registers;
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> shared;  // by CTA
    std::map<std::uint64_t, std::uint32_t> global;  // what its CTAs changed there; none: a finite number

    explicit Part(std::uint32_t known = 0) : made(known) {}
  };
  PerThread<Part> parts;
  const bool infinities = option("infinities", "1") == "1";

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      if (!(i.what & WEDJAT_HAS_ROWS)) continue;
      Info info{&i,
                {},
                {},
                {},
                (i.what & WEDJAT_LOAD) != 0,
                (i.what & WEDJAT_STORE) != 0,
                (i.what & WEDJAT_WARP_SYNC) != 0};
      for (unsigned o = 0; o < i.operand_count; ++o) {
        const wedjat_operand& operand = i.operands[o];
        const auto format = first_nan::format_of(operand);
        if (format.bits == 0 || operand.kind == WEDJAT_ADDRESS) continue;
        const bool typed = operand.value == WEDJAT_FLOAT;
        if (operand.in) info.inputs.push_back({o, format, typed});
        if (!operand.out) continue;
        info.outputs.push_back({o, format, typed});
        for (unsigned e = 0; e < operand.count; ++e) info.results.emplace_back(operand, e, format);
      }
      if (info.inputs.empty() && info.outputs.empty()) continue;
      // What only passes bits on matters where some register holds what is followed.
      const bool passes_on =
          !info.is_load && !info.is_store &&
          std::none_of(info.outputs.begin(), info.outputs.end(), [](const Operand& o) { return o.typed; });
      infos.push_back(std::move(info));
      after<&FirstNan::ran>(
          i, WEDJAT_ROWS | WEDJAT_INPUTS | WEDJAT_ADDRESSES | (passes_on ? WEDJAT_UNLESS_ASLEEP : 0),
          &infos.back());
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    parts.begin(launch);
    parts.each([&](Part& part) { part = Part(origins.count()); });
    return true;
  }
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override {
    Part& part = parts[thread()];
    part.shared.erase(cta);
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    for (std::uint32_t w = 0; w < (threads + 31) / 32; ++w) part.registers.erase(64 * cta + w);
  }
  // What the threads found becomes one.
  void launch_end(const wedjat_launch& launch) override {
    std::vector<Made*> made;
    parts.each([&](Part& part) { made.push_back(&part.made); });
    for (const Origin* origin : origins.add(made)) report(origin->finding(launch));
    parts.each([&](Part& part) {
      for (const auto& [address, from] : part.global)
        if (from == none)
          global.erase(address);
        else
          global[address] = part.made.number(from);
      part = Part(origins.count());
    });
  }

  void ran(const Event& event) {
    const Info& info = *static_cast<const Info*>(event.user);
    Part& part = parts[event];
    const bool is_clean = part.registers.empty() || !part.registers.contains(64 * event.cta + event.warp);
    if (info.is_store) {
      if (!is_clean || !global.empty() || !part.global.empty() || !part.shared.empty())
        stored(event, info, part);
      return;
    }
    if (is_clean && std::ranges::all_of(info.results, [&](const Values& v) { return v.are_finite(event); }))
      return sleep(event);
    Class others = Class::finite;  // worst input of any lane
    std::uint32_t from = none;
    if (info.reads_other_lanes)
      each_lane(event.executed,
                [&](unsigned lane) { others = std::max(others, input(event, info, part, lane, from)); });
    each_lane(event.executed, [&](unsigned lane) {
      const Class in = info.reads_other_lanes ? others : input(event, info, part, lane, from = none);
      for (const Operand& out : info.outputs)
        for (unsigned e = 0; e < info.at->operands[out.index].count; ++e)
          result(event, info, part, out, e, lane, in, from);
    });
  }
  // The worst of what a lane reads, and where that came from.
  static Class input(const Event& event, const Info& info, const Part& part, unsigned lane,
                     std::uint32_t& from) {
    Class all = Class::finite;
    for (const Operand& in : info.inputs)
      for (unsigned e = 0; e < info.at->operands[in.index].count; ++e) {
        const Class one = worst(event, in.index, e, lane, in.format);
        if (one == Class::finite || one < all) continue;
        const std::uint32_t origin = origin_of(event, part, info.at->operands[in.index].registers[e], lane);
        if (!in.typed && origin == none) continue;  // bits that only look like one
        all = one;
        from = origin;
      }
    return all;
  }
  void result(const Event& event, const Info& info, Part& part, const Operand& out, unsigned element,
              unsigned lane, Class in, std::uint32_t from) {
    const std::uint32_t reg = info.at->operands[out.index].registers[element];
    const Class made = worst(event, out.index, element, lane, out.format);
    if (made == Class::finite || (made == Class::infinite && !infinities))
      return forget(event, part, reg, lane);
    if (info.is_load) {
      from = at_memory(event, info, part, element, lane);
      if (from == none && !out.typed) return forget(event, part, reg, lane);
      if (from == none) from = part.made.origin(event, lane, nan_input);
    } else if (made > in) {
      if (!out.typed) return forget(event, part, reg, lane);
      from = part.made.origin(event, lane, made == Class::nan ? first_of_nan : first_of_infinity);
    }
    if (from == none || reg == WEDJAT_NO_REGISTER) return;
    part.registers[64 * event.cta + event.warp][32ull * reg + lane] = from;
    sleep(event, false);
  }
  static std::uint32_t origin_of(const Event& event, const Part& part, std::uint32_t reg, unsigned lane) {
    const auto warp = part.registers.find(64 * event.cta + event.warp);
    if (warp == part.registers.end() || reg == WEDJAT_NO_REGISTER) return none;
    const auto found = warp->second.find(32ull * reg + lane);
    return found == warp->second.end() ? none : found->second;
  }
  static void forget(const Event& event, Part& part, std::uint32_t reg, unsigned lane) {
    const auto warp = part.registers.find(64 * event.cta + event.warp);
    if (warp == part.registers.end()) return;
    warp->second.erase(32ull * reg + lane);
    if (warp->second.empty()) part.registers.erase(warp);
  }

  // --- memory --------------------------------------------------------------------------------------------
  std::uint32_t at_memory(const Event& event, const Info& info, const Part& part, unsigned element,
                          unsigned lane) const {
    if (info.at->access_count == 0) return none;
    const Location at = place_of(event, info, element, lane);
    const auto in = [](const auto& origin_at, std::uint64_t address) {
      const auto found = origin_at.find(address);
      return found == origin_at.end() ? none : found->second;
    };
    if (at.kind == Location::Kind::shared) {
      const auto cta = part.shared.find(at.cta);
      return cta == part.shared.end() ? none : in(cta->second, at.address);
    }
    return part.global.contains(at.address) ? in(part.global, at.address) : in(global, at.address);
  }
  static Location place_of(const Event& event, const Info& info, unsigned element, unsigned lane) {
    const wedjat_access& access = info.at->accesses[0];
    const unsigned bytes = (info.outputs.empty() ? info.inputs : info.outputs)[0].format.bits / 8;
    return locate(event, access, event.addresses[0][lane] + element * bytes);
  }
  void stored(const Event& event, const Info& info, Part& part) {
    if (info.at->access_count != 1 || info.inputs.empty() || event.addresses == nullptr) return;
    const Operand& value = info.inputs[0];
    const wedjat_operand& operand = info.at->operands[value.index];
    const wedjat_access& access = info.at->accesses[0];
    each_store(event.executed & access.lanes, access.bytes, [&](unsigned lane) {
      for (unsigned e = 0; e < operand.count; ++e) {
        const std::uint32_t from = worst(event, value.index, e, lane, value.format) == Class::finite
                                       ? none
                                       : origin_of(event, part, operand.registers[e], lane);
        const Location at =
            locate(event, info.at->accesses[0], event.addresses[0][lane] + e * (operand.bits / 8));
        if (at.kind == Location::Kind::shared) {
          if (from != none)
            part.shared[at.cta][at.address] = from;
          else if (const auto cta = part.shared.find(at.cta); cta != part.shared.end())
            cta->second.erase(at.address);
        } else if (at.kind == Location::Kind::global) {
          if (from != none || part.global.contains(at.address) || global.contains(at.address))
            part.global[at.address] = from;
        }
        if (from != none) ++part.made.counts(from).stored;
      }
    });
  }
  void memory(const wedjat_memory& m) override {
    const auto first = global.lower_bound(m.address), last = global.lower_bound(m.address + m.bytes);
    if (m.what == WEDJAT_HOST_READS)
      for (auto at = first; at != last; ++at) ++origins[at->second].counts.copied;
    else
      global.erase(first, last);
  }

  void finish() override {
    Table out = table("origins", "kind place kernel launch cta thread lanes stored copied");
    for (const Origin& o : origins.all())
      out.row(o.kind, place(*o.at), o.kernel, o.launch, o.cta, o.thread, o.counts.lanes, o.counts.stored,
              o.counts.copied);
  }
};
WEDJAT_TOOL(FirstNan, "first_nan", "which instruction first made a NaN or an infinity, and where it went",
            "infinities=0: NaN only", WEDJAT_APART)
