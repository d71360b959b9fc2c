// Which lanes of which registers hold undefined values, warp by warp. A warp that has none costs one look.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "owners.hpp"
#include "shadow.hpp"

namespace memory_check {

/// What of an instruction matters here.
struct Info {
  const wedjat_instruction* at;
  // Registers; of loads and stores in the order of elements. `bases` say which memory is accessed.
  std::vector<std::uint32_t> inputs, bases, outputs;
  bool is_select = false, reads_other_lanes = false;
  bool reads_texels = false;  // each lane its own
  std::optional<bool>
      decisive;                // a predicate of this value decides the result, whatever the other inputs are
  Through* through = nullptr;  // the variable that its first access goes through

  explicit Info(const wedjat_instruction& i) : at(&i) {
    const bool has_texels = (i.what & WEDJAT_TEXELS) != 0,
               stores_texels = has_texels && (i.what & WEDJAT_STORE);
    for (const auto& o : wedjat::operands(i))
      for (std::uint32_t e = 0; e < o.count; ++e) {
        if (o.registers[e] == WEDJAT_NO_REGISTER) continue;
        const bool says_where = (i.what & WEDJAT_HAS_PIECES) && o.in && !o.out && o.kind != WEDJAT_FRAGMENT &&
                                o.value != WEDJAT_PRED && !(stores_texels && std::string_view(o.name) == "b");
        if (o.kind == WEDJAT_ADDRESS || says_where)
          bases.push_back(o.registers[e]);
        else {
          if (o.in) inputs.push_back(o.registers[e]);
          if (o.out) outputs.push_back(o.registers[e]);
        }
      }
    is_select = i.operation == WEDJAT_SELECTION;
    const bool is_truth = i.operand_count != 0 && i.operands[0].value == WEDJAT_PRED;
    if (is_truth && i.operation == WEDJAT_CONJUNCTION) decisive = false;
    if (is_truth && i.operation == WEDJAT_DISJUNCTION) decisive = true;
    reads_other_lanes = (i.what & WEDJAT_WARP_SYNC) != 0;
    reads_texels = has_texels && !stores_texels;
  }
};

class Registers {
 public:
  struct Lanes {
    std::uint32_t undefined = 0;
    Origin origin = 0;
  };
  using Warp = std::unordered_map<std::uint32_t, Lanes>;  // by register; only those with undefined lanes

  /// Null: all its registers are defined.
  const Warp* find(std::uint64_t warp) const {
    if (warps_.empty()) return nullptr;
    const auto found = warps_.find(warp);
    return found == warps_.end() ? nullptr : &found->second;
  }
  static Lanes of(const Warp* warp, std::uint32_t reg) {
    if (warp == nullptr || reg == WEDJAT_NO_REGISTER) return {};
    const auto found = warp->find(reg);
    return found == warp->end() ? Lanes{} : found->second;
  }
  static Lanes any(const Warp* warp, const std::vector<std::uint32_t>& registers) {
    Lanes all;
    for (const std::uint32_t reg : registers) add(all, of(warp, reg));
    return all;
  }
  static void add(Lanes& to, const Lanes& from) {
    to.undefined |= from.undefined;
    if (from.undefined != 0) to.origin = from.origin;
  }
  /// The lanes of `written` hold `value` from now on.
  void set(std::uint64_t warp, std::uint32_t reg, std::uint32_t written, const Lanes& value) {
    const std::uint32_t undefined = value.undefined & written;
    if (undefined == 0 && warps_.empty()) return;
    auto found = warps_.find(warp);
    if (found == warps_.end()) {
      if (undefined == 0) return;
      found = warps_.emplace(warp, Warp{}).first;
    }
    Lanes& lanes = found->second[reg];
    lanes.undefined = (lanes.undefined & ~written) | undefined;
    if (undefined != 0) lanes.origin = value.origin;
    if (lanes.undefined == 0) found->second.erase(reg);
    if (found->second.empty()) warps_.erase(found);
  }
  void forget(std::uint64_t warp) { warps_.erase(warp); }
  void clear() { warps_.clear(); }

 private:
  std::unordered_map<std::uint64_t, Warp> warps_;  // by 64 * CTA + warp
};

}  // namespace memory_check
