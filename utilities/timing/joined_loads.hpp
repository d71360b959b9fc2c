// Loads of shared memory that ptxas makes one: of words next to each other, in 16 bytes or in 8 that are
// aligned as far as it can tell.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <wedjat/tool.hpp>

#include "alignment.hpp"
#include "dataflow.hpp"

namespace timing {

class JoinedLoads {
 public:
  using List = std::vector<const wedjat_instruction*>;

  /// Of a block.
  JoinedLoads(std::span<const wedjat_instruction> text, const Dataflow& flow, const Alignment& alignment)
      : alignment_(alignment) {
    for (const wedjat_instruction& at : text) {
      if (flow.is_dead(at)) continue;
      if (const wedjat_operand* const address = joinable(at))
        open_[base_of(*address)].push_back({offset_of(*address), at.accesses[0].bytes, &at});
      else if (changes_shared(at))
        close();
      each_write(at, [&](std::uint32_t r) { ++written_[r]; });
    }
    close();
  }

  /// All that are loaded by this one, the first of them; none where it is loaded alone or by another.
  [[nodiscard]] const List* of(const wedjat_instruction& at) const {
    const auto found = joined_.find(&at);
    return found == joined_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool comes_with_another(const wedjat_instruction& at) const { return others_.contains(&at); }

 private:
  struct Base {
    std::string symbol;
    std::uint32_t base = WEDJAT_NO_REGISTER, times_written = 0;
    unsigned zeros = 0;
    auto operator<=>(const Base&) const = default;
  };
  struct Load {
    long long offset;
    std::uint32_t bytes;
    const wedjat_instruction* at;
  };

  static const wedjat_operand* joinable(const wedjat_instruction& at) {
    if (at.guard != nullptr || at.access_count != 1) return nullptr;
    const wedjat_access& access = at.accesses[0];
    const bool is_load = access.reads && !access.writes && !access.strong && access.space == WEDJAT_SHARED &&
                         access.operand != 0;
    const wedjat_operand &result = at.operands[0], &address = at.operands[access.operand];
    const bool is_whole = result.out && result.count == 1 && result.bits == access.bytes * 8;
    return is_load && is_whole && (access.bytes == 4 || access.bytes == 8) ? &address : nullptr;
  }
  static bool changes_shared(const wedjat_instruction& at) {
    if (at.what & (WEDJAT_BARRIER | WEDJAT_FENCE | WEDJAT_WARP_SYNC | WEDJAT_CALL | WEDJAT_ASYNCHRONOUS))
      return true;
    return std::ranges::any_of(wedjat::accesses(at), [](const wedjat_access& access) {
      return access.writes && access.space != WEDJAT_GLOBAL && access.space != WEDJAT_LOCAL;
    });
  }
  Base base_of(const wedjat_operand& address) {
    const std::string_view text = address.text;
    if (address.registers != nullptr && address.count != 0 && address.registers[0] != WEDJAT_NO_REGISTER) {
      const std::uint32_t base = address.registers[0];
      return {"", base, written_[base], alignment_.zeros(base)};
    }
    const std::string symbol(text.substr(1, text.find_first_of("+-]") - 1));
    return {symbol, WEDJAT_NO_REGISTER, 0, alignment_.zeros(symbol)};
  }
  static long long offset_of(const wedjat_operand& address) {
    const std::string_view text = address.text;
    const auto sign = text.find_first_of("+-", 1);
    if (sign == std::string_view::npos) return 0;
    const auto digits = text.find_first_of("0123456789", sign);  // [a+-4]: a minus behind the plus
    if (digits == std::string_view::npos) return 0;
    const long long offset = std::strtoll(text.data() + digits, nullptr, 0);
    return text[digits - 1] == '-' ? -offset : offset;
  }

  void close() {
    for (auto& [base, loads] : open_) {
      std::ranges::stable_sort(loads, {}, &Load::offset);
      for (const long long bytes : {16, 8})
        if (1LL << std::min(base.zeros, 4u) >= bytes) join(loads, bytes);
    }
    open_.clear();
  }
  // In every so many bytes, if all of them are loaded.
  void join(std::vector<Load>& loads, long long bytes) {
    for (std::size_t first = 0; first < loads.size(); ++first) {
      if ((loads[first].offset & (bytes - 1)) != 0) continue;
      const long long end = loads[first].offset + bytes;
      std::size_t last = first;
      long long next = loads[first].offset;
      for (; last < loads.size() && loads[last].offset == next && next < end; ++last)
        next += loads[last].bytes;
      if (next != end || last - first < 2) continue;
      List all;
      for (std::size_t i = first; i < last; ++i) all.push_back(loads[i].at);
      std::ranges::sort(all);
      others_.insert(all.begin() + 1, all.end());
      joined_.emplace(all.front(), all);
      loads.erase(loads.begin() + static_cast<std::ptrdiff_t>(first),
                  loads.begin() + static_cast<std::ptrdiff_t>(last));
      --first;
    }
  }

  const Alignment& alignment_;
  std::map<Base, std::vector<Load>> open_;
  std::map<std::uint32_t, std::uint32_t> written_;
  std::map<const wedjat_instruction*, List> joined_;
  std::set<const wedjat_instruction*> others_;
};

}  // namespace timing
