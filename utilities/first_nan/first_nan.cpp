// Which instruction first made a NaN or an infinity, and where it went.
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "values.hpp"

using namespace wedjat;
using first_nan::Class;

struct FirstNan : Tool {
  struct Operand {
    unsigned index;
    first_nan::Format format;
    bool typed;  // the instruction says it is floating-point
  };
  struct Info {
    const wedjat_instruction* at;
    std::vector<Operand> inputs, outputs;
    bool is_load, is_store, reads_other_lanes;
  };
  struct Origin {
    const wedjat_instruction* at;
    std::string kernel;
    std::uint64_t launch, cta, lanes = 0, stored = 0, copied = 0;
    std::uint32_t thread;
    const char* kind;
  };
  std::deque<Info> infos;
  std::vector<Origin> origins;
  std::map<std::tuple<std::uint64_t, const wedjat_instruction*, const char*>, std::uint32_t> known;
  // Of a value that is no finite number: its origin. Registers by 64 * CTA + warp and 32 * register + lane.
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> registers;
  std::map<std::uint64_t, std::uint32_t> global;  // by address of the element
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> shared;  // by CTA
  const bool infinities = option("infinities", "1") == "1";

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      if (!(i.what & WEDJAT_HAS_ROWS)) continue;
      Info info{&i,
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
        if (operand.out) info.outputs.push_back({o, format, typed});
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
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override {
    shared.erase(cta);
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    for (std::uint32_t w = 0; w < (threads + 31) / 32; ++w) registers.erase(64 * cta + w);
  }

  void ran(const Event& event) {
    const Info& info = *static_cast<const Info*>(event.user);
    const bool is_clean = registers.empty() || !registers.contains(64 * event.cta + event.warp);
    if (info.is_store) {
      if (!is_clean || !global.empty() || !shared.empty()) stored(event, info);
      return;
    }
    if (is_clean && is_finite(event, info)) return sleep(event);
    Class others = Class::finite;  // worst input of any lane
    std::uint32_t from = none;
    if (info.reads_other_lanes)
      each_lane(event.executed,
                [&](unsigned lane) { others = std::max(others, input(event, info, lane, from)); });
    each_lane(event.executed, [&](unsigned lane) {
      const Class in = info.reads_other_lanes ? others : input(event, info, lane, from = none);
      for (const Operand& out : info.outputs)
        for (unsigned e = 0; e < info.at->operands[out.index].count; ++e)
          result(event, info, out, e, lane, in, from);
    });
  }
  // Of all its results.
  static bool is_finite(const Event& event, const Info& info) {
    for (const Operand& out : info.outputs)
      for (unsigned e = 0; e < info.at->operands[out.index].count; ++e)
        if (!first_nan::is_finite(event, out.index, e, out.format)) return false;
    return true;
  }
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // The worst of what a lane reads, and where that came from.
  Class input(const Event& event, const Info& info, unsigned lane, std::uint32_t& from) const {
    Class all = Class::finite;
    for (const Operand& in : info.inputs)
      for (unsigned e = 0; e < info.at->operands[in.index].count; ++e) {
        const Class one = worst(event, in.index, e, lane, in.format);
        if (one == Class::finite || one < all) continue;
        const std::uint32_t origin = origin_of(event, info.at->operands[in.index].registers[e], lane);
        if (!in.typed && origin == none) continue;  // bits that only look like one
        all = one;
        from = origin;
      }
    return all;
  }
  void result(const Event& event, const Info& info, const Operand& out, unsigned element, unsigned lane,
              Class in, std::uint32_t from) {
    const std::uint32_t reg = info.at->operands[out.index].registers[element];
    const Class made = worst(event, out.index, element, lane, out.format);
    if (made == Class::finite || (made == Class::infinite && !infinities)) return forget(event, reg, lane);
    if (info.is_load) {
      from = at_memory(event, info, element, lane);
      if (from == none && !out.typed) return forget(event, reg, lane);
      if (from == none) from = origin(event, lane, "nan-input");
    } else if (made > in) {
      if (!out.typed) return forget(event, reg, lane);
      from = origin(event, lane, made == Class::nan ? "first-nan" : "first-infinity");
    }
    if (from == none || reg == WEDJAT_NO_REGISTER) return;
    registers[64 * event.cta + event.warp][32ull * reg + lane] = from;
    sleep(event, false);
  }
  std::uint32_t origin_of(const Event& event, std::uint32_t reg, unsigned lane) const {
    const auto warp = registers.find(64 * event.cta + event.warp);
    if (warp == registers.end() || reg == WEDJAT_NO_REGISTER) return none;
    const auto found = warp->second.find(32ull * reg + lane);
    return found == warp->second.end() ? none : found->second;
  }
  void forget(const Event& event, std::uint32_t reg, unsigned lane) {
    const auto warp = registers.find(64 * event.cta + event.warp);
    if (warp == registers.end()) return;
    warp->second.erase(32ull * reg + lane);
    if (warp->second.empty()) registers.erase(warp);
  }
  std::uint32_t origin(const Event& event, unsigned lane, const char* kind) {
    const auto [found, is_new] = known.try_emplace({event.launch->index, event.instruction, kind},
                                                   static_cast<std::uint32_t>(origins.size()));
    if (is_new) {
      origins.push_back({event.instruction, event.launch->kernel->name, event.launch->index, event.cta, 0, 0,
                         0, 32 * event.warp + lane, kind});
      finding(WEDJAT_WARNING, kind,
              std::string(kind) == "nan-input"   ? "a load finds one that no kernel stored"
              : std::string(kind) == "first-nan" ? "NaN of inputs that are none"
                                                 : "infinity of finite inputs",
              event, lane);
    }
    ++origins[found->second].lanes;
    return found->second;
  }

  // --- memory --------------------------------------------------------------------------------------------
  std::uint32_t at_memory(const Event& event, const Info& info, unsigned element, unsigned lane) {
    if (info.at->access_count == 0) return none;
    const Location at = place_of(event, info, element, lane);
    if (at.kind == Location::Kind::shared) {
      const auto cta = shared.find(at.cta);
      if (cta == shared.end()) return none;
      const auto found = cta->second.find(at.address);
      return found == cta->second.end() ? none : found->second;
    }
    const auto found = global.find(at.address);
    return found == global.end() ? none : found->second;
  }
  static Location place_of(const Event& event, const Info& info, unsigned element, unsigned lane) {
    const wedjat_access& access = info.at->accesses[0];
    const unsigned bytes = (info.outputs.empty() ? info.inputs : info.outputs)[0].format.bits / 8;
    return locate(event, access, event.addresses[0][lane] + element * bytes);
  }
  void stored(const Event& event, const Info& info) {
    if (info.at->access_count != 1 || info.inputs.empty() || event.addresses == nullptr) return;
    const Operand& value = info.inputs[0];
    const wedjat_operand& operand = info.at->operands[value.index];
    const wedjat_access& access = info.at->accesses[0];
    each_store(event.executed & access.lanes, access.bytes, [&](unsigned lane) {
      for (unsigned e = 0; e < operand.count; ++e) {
        const std::uint32_t from = worst(event, value.index, e, lane, value.format) == Class::finite
                                       ? none
                                       : origin_of(event, operand.registers[e], lane);
        const Location at =
            locate(event, info.at->accesses[0], event.addresses[0][lane] + e * (operand.bits / 8));
        if (at.kind == Location::Kind::shared) {
          if (from != none)
            shared[at.cta][at.address] = from;
          else if (const auto cta = shared.find(at.cta); cta != shared.end())
            cta->second.erase(at.address);
        } else if (at.kind == Location::Kind::global) {
          if (from != none)
            global[at.address] = from;
          else if (!global.empty())
            global.erase(at.address);
        }
        if (from != none) ++origins[from].stored;
      }
    });
  }
  void memory(const wedjat_memory& m) override {
    const auto first = global.lower_bound(m.address), last = global.lower_bound(m.address + m.bytes);
    if (m.what == WEDJAT_HOST_READS)
      for (auto at = first; at != last; ++at) ++origins[at->second].copied;
    else
      global.erase(first, last);
  }

  void finish() override {
    Table out = table("origins", "kind place kernel launch cta thread lanes stored copied");
    for (const Origin& o : origins)
      out.row(o.kind, place(*o.at), o.kernel, o.launch, o.cta, o.thread, o.lanes, o.stored, o.copied);
  }
};
WEDJAT_TOOL(FirstNan, "first_nan", "which instruction first made a NaN or an infinity, and where it went",
            "infinities=0: NaN only")
