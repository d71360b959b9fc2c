// Synchronisation within a warp that is used wrongly: membermasks, and registers of wgmma.
#include <cstdio>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "masks.hpp"
#include "products.hpp"
#include "utilities/findings/first_findings.hpp"

using namespace wedjat;
using namespace sync_check;

struct SyncCheck : Tool {
  std::deque<std::deque<Use>> uses;  // by kernel
  PerThread<std::unordered_map<std::uint64_t, Products>> warps;
  findings::FirstFindings<std::pair<std::uint32_t, std::string_view>> found;  // in a launch, by instruction

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      auto* const named = const_cast<wedjat_operand*>(membermask_of(i));
      if (named == nullptr) continue;
      before<&SyncCheck::comes>(i, WEDJAT_ROWS, named);
      after<&SyncCheck::met>(i, WEDJAT_ROWS | WEDJAT_INPUTS, named);
    }
    for (Use& use : uses.emplace_back(uses_of(k))) before<&SyncCheck::on_use>(*use.at, WEDJAT_MASKS, &use);
  }
  bool launch_begin(const wedjat_launch& launch) override {
    warps.begin(launch);
    warps.each([](auto& of_thread) { of_thread.clear(); });
    found.launch_begin(launch);
    return true;
  }
  void launch_end(const wedjat_launch& launch) override {
    found.launch_end([&](const findings::Noted& noted) { report(noted.of(launch)); });
    found.forget();
  }
  void cta_end(const wedjat_launch& launch, std::uint64_t cta) override {
    for (std::uint32_t w = 0; 32 * w < launch.block[0] * launch.block[1] * launch.block[2]; ++w)
      warps[thread()].erase(64 * cta + w);
  }

  // Hardware may refuse it then.
  void comes(const Event& event) {
    const auto& membermask = *static_cast<const wedjat_operand*>(event.user);
    const std::uint32_t omitted = omitted_lanes(event, membermask);
    if (omitted == 0) return;
    const auto first = static_cast<unsigned>(std::countr_zero(omitted));
    char text[192];
    std::snprintf(text, sizeof text,
                  "the membermask %#010x names %u of the %u lanes that execute it: hardware takes this for "
                  "an illegal instruction unless the compiler leaves out the test",
                  row_of(event, membermask)[first], std::popcount(event.executed & ~omitted),
                  std::popcount(event.executed));
    tell(event, "membermask-omits-lane", text, first);
  }
  void met(const Event& event) {
    const auto& membermask = *static_cast<const wedjat_operand*>(event.user);
    const auto read = lanes_read(event);
    each_unnamed_source(event, membermask, read, [&](std::uint32_t source, unsigned lane) {
      tell(event, "unnamed-source",
           "takes its value from lane " + std::to_string(source) +
               ", which its membermask does not name and which does not execute it",
           lane, WEDJAT_WARNING);
    });
    each_absence(event, membermask, read, [&](std::uint32_t absent, unsigned lane) {
      char text[96];
      std::snprintf(text, sizeof text, "its membermask names lanes %#010x, which have ended or never were",
                    absent);
      tell(event, "absent-lanes", text, lane);
    });
  }
  void on_use(const Event& event) {
    const Products::Fault fault =
        warps[event][64 * event.cta + event.warp].step(*static_cast<const Use*>(event.user));
    const auto lane = static_cast<unsigned>(std::countr_zero(event.executed));
    if (fault == Products::Fault::not_waited)
      tell(event, "wgmma-not-waited-for", "uses registers of wgmma.mma_async whose group nobody waited for",
           lane);
    if (fault == Products::Fault::no_fence)
      tell(event, "wgmma-without-fence",
           "no wgmma.fence stands between it and what wrote its registers, or before the first one", lane);
  }
  void tell(const Event& event, const char* kind, const std::string& message, unsigned lane,
            wedjat_severity severity = WEDJAT_ERROR) {
    const std::pair<std::uint32_t, std::string_view> key(event.instruction->id, kind);
    if (!found.is_known(event.thread, event.cta, key))
      found.note(event.thread, key,
                 {severity, kind, message, event.instruction, event.cta, 32 * event.warp + lane});
  }
};
WEDJAT_TOOL(SyncCheck, "sync_check", "membermasks of absent or unnamed lanes, wgmma without fence or wait",
            "", WEDJAT_CHECKS | WEDJAT_APART)
