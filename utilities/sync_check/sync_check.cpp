// Membermasks against the lanes that execute: shfl.sync, vote.sync, match.sync, redux.sync, elect.sync,
// bar.warp.sync.
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct SyncCheck : Tool {
  std::set<const wedjat_instruction*> told;  // in this launch

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      if (!(i.what & WEDJAT_WARP_SYNC) || !(i.what & WEDJAT_HAS_ROWS)) continue;
      for (const wedjat_operand& operand : operands(i))
        if (std::string_view(operand.name) == "membermask")
          before<&SyncCheck::meets>(i, WEDJAT_ROWS, const_cast<wedjat_operand*>(&operand));
    }
  }
  bool launch_begin(const wedjat_launch&) override {
    told.clear();
    return true;
  }

  void meets(const Event& event) {
    const auto& operand = *static_cast<const wedjat_operand*>(event.user);
    const auto* named = static_cast<const std::uint32_t*>(event.rows[operand.first]);
    std::uint32_t omitted = 0;
    each_lane(event.executed, [&](unsigned lane) { omitted |= ~named[lane] & 1u << lane; });
    if (omitted == 0 || !told.insert(event.instruction).second) return;
    const auto first = static_cast<unsigned>(std::countr_zero(omitted));
    char text[160];
    std::snprintf(text, sizeof text,
                  "the membermask %#010x names %u of the %u lanes that execute it: hardware takes this for "
                  "an illegal instruction unless the compiler leaves out the test",
                  named[first], std::popcount(event.executed & ~omitted), std::popcount(event.executed));
    finding(WEDJAT_ERROR, "membermask-omits-lane", text, event, first);
  }
};
WEDJAT_TOOL(SyncCheck, "sync_check", "membermasks that do not name the lanes that execute", "", WEDJAT_CHECKS)
