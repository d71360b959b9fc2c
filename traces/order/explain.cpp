#include "traces/order/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "traces/order/addition_order.h"

namespace wedjat::traces {
namespace {

constexpr std::size_t most_shown = 8;  // numbers of a sum, values of a race

std::uint64_t bits(const std::byte* from, std::uint64_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, std::min<std::uint64_t>(bytes, sizeof value));
  return value;
}

std::string number(const Write& write, std::uint64_t value) {
  if (write.kind == Write::Kind::sum_f32)
    return fmt::format("{:.9g}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
  if (write.kind == Write::Kind::sum_f64) return fmt::format("{:.17g}", std::bit_cast<double>(value));
  return fmt::format("{:#x}", value);
}

std::string where(const Write& write) {
  return fmt::format("'{}' at {}:{} of {}", write.at->text, write.kernel->ptx_file, write.at->ptx_line,
                     write.kernel->name);
}

std::string who(const Write& write) { return fmt::format("CTA {} thread {}", write.cta, write.thread); }

class Explainer {
 public:
  Explainer(const Copied& copied, const WriteLog& log) : copied_(copied), log_(log) {}

  std::vector<Open> run() {
    for (std::uint64_t at = 0; at < copied_.got.size(); ++at) {
      if (copied_.expected[at] != copied_.got[at]) at = explain_at(at);
    }
    for (const auto& [who, stores] : single_) explain_tickets(stores);
    std::ranges::sort(open_, {}, &Open::first);
    return std::move(open_);
  }

 private:
  // Returns the last byte that is dealt with.
  std::uint64_t explain_at(std::uint64_t at) {
    const auto touching = log_.writes({copied_.address + at, 1});
    if (touching.empty() || touching.back()->kind == Write::Kind::host) return at;
    const Write& last = *touching.back();
    const std::uint64_t first = last.place.address - copied_.address;
    if (last.place.address < copied_.address || first + last.place.bytes > copied_.got.size()) return at;
    std::vector<const Write*> writes = log_.writes(last.place);
    const auto host = std::find_if(writes.rbegin(), writes.rend(),
                                   [](const Write* w) { return w->kind == Write::Kind::host; });
    writes.erase(writes.begin(), host.base());
    // Parts of it written otherwise, by the host since or by another: no whole value came from one
    // instruction.
    if (!writes.empty() &&
        std::ranges::all_of(writes, [&](const Write* w) { return w->place == last.place; }))
      explain_place(first, writes);
    return first + last.place.bytes - 1;
  }

  void explain_place(std::uint64_t first, const std::vector<const Write*>& writes) {
    const Write& last = *writes.back();
    if (last.is_sum()) return explain_sum(first, writes);
    if (last.kind == Write::Kind::update || last.place.bytes > Write::most_bytes) return;
    const auto begin = std::ranges::find_if(writes, [&](const Write* w) { return w->launch == last.launch; });
    const std::vector<const Write*> rivals(begin, writes.end());
    if (rivals.size() == 1) return single_[{last.launch, last.at}].push_back({first, &last});
    explain_race(first, rivals);
  }

  void explain_sum(std::uint64_t first, const std::vector<const Write*>& writes) {
    const Write& last = *writes.back();
    auto begin = writes.end();
    while (begin != writes.begin() && (*std::prev(begin))->kind == last.kind) --begin;
    // A store before the sums in the same launch: nobody knows which of them it came after.
    if (begin != writes.begin() && (*std::prev(begin))->launch == (*begin)->launch) return;
    const std::uint64_t start = bits((*begin)->old.data(), last.place.bytes),
                        wanted = bits(&copied_.expected[first], last.place.bytes);
    std::vector<Addend> addends;
    for (auto w = begin; w != writes.end(); ++w)
      addends.push_back(
          {bits((*w)->value.data(), last.place.bytes), (*w)->launch, ((*w)->cta << 10) + (*w)->thread});
    const SumOf sum = last.kind == Write::Kind::sum_f32 ? sum_f32 : sum_f64;
    std::uint64_t ours = start;
    for (const Addend& addend : addends) ours = sum(ours, addend.bits);
    if (ours != bits(&copied_.got[first], last.place.bytes)) return;
    const auto order = find_order(sum, start, addends, wanted);
    if (!order) return;
    std::string text = fmt::format("{} additions by {} at {:#x}, from {}: ", addends.size(), where(last),
                                   last.place.address, number(last, start));
    std::string here, there;
    for (std::size_t i = 0; i < std::min(most_shown, addends.size()); ++i) {
      here += fmt::format("{}{} ({})", i ? ", " : "", number(last, addends[i].bits),
                          who(*begin[static_cast<std::ptrdiff_t>(i)]));
      const std::uint32_t j = (*order)[i];
      there += fmt::format("{}{} ({})", i ? ", " : "", number(last, addends[j].bits), who(*begin[j]));
    }
    const char* more = addends.size() > most_shown ? ", ..." : "";
    text +=
        fmt::format("in the order {}{} they are {} as here; in the order {}{} they are {} as on the hardware",
                    here, more, number(last, ours), there, more, number(last, wanted));
    add(first, last, "sum order", std::move(text));
  }

  static bool unordered(const Write& a, const Write& b) {
    return a.cta != b.cta || (a.at == b.at && a.thread / 32 == b.thread / 32 && a.thread != b.thread);
  }

  void explain_race(std::uint64_t first, const std::vector<const Write*>& rivals) {
    const Write& last = *rivals.back();
    const bool ordered = log_.orders_threads(*last.kernel);
    const auto chosen = std::ranges::find_if(rivals, [&](const Write* w) {
      return w->kind != Write::Kind::update && !w->is_sum() &&
             (!ordered || w->kind == Write::Kind::exchange) && unordered(*w, last) &&
             std::memcmp(w->value.data(), &copied_.expected[first], last.place.bytes) == 0;
    });
    if (chosen == rivals.end()) return;
    std::set<std::pair<std::uint64_t, std::uint32_t>> threads;
    for (const Write* w : rivals) threads.emplace(w->cta, w->thread);
    add(first, last, "last store",
        fmt::format("{} threads write {:#x} in one launch and nothing orders them: here {} is last ({}, {}), "
                    "on the hardware {} ({}, {})",
                    threads.size(), last.place.address,
                    number(last, bits(last.value.data(), last.place.bytes)), who(last), where(last),
                    number(**chosen, bits((*chosen)->value.data(), last.place.bytes)), who(**chosen),
                    where(**chosen)));
  }

  struct Store {
    std::uint64_t first;
    const Write* write;
  };

  void explain_tickets(const std::vector<Store>& stores) {
    const Write& one = *stores.front().write;
    const auto tickets = log_.tickets(one.launch);
    if (tickets.empty() || stores.size() < 2) return;
    std::multiset<std::string_view> here, there;
    for (const Store& store : stores) {
      const auto* got = reinterpret_cast<const char*>(&copied_.got[store.first]);
      const auto* expected = reinterpret_cast<const char*>(&copied_.expected[store.first]);
      here.emplace(got, store.write->place.bytes);
      there.emplace(expected, store.write->place.bytes);
    }
    if (here != there) return;
    for (const Store& store : stores)
      add(store.first, *store.write, "tickets",
          fmt::format("{} stores by {} put the same values at other places; '{}' at ptx line {} hands out "
                      "the places, and in which order it is "
                      "executed is open: here {} stores {} at {:#x}",
                      stores.size(), where(one), tickets.front()->text, tickets.front()->ptx_line,
                      who(*store.write),
                      number(*store.write, bits(store.write->value.data(), store.write->place.bytes)),
                      store.write->place.address));
  }

  void add(std::uint64_t first, const Write& last, const char* kind, std::string evidence) {
    const auto expected = copied_.expected.subspan(first, last.place.bytes);
    Open& open = open_.emplace_back();
    open.sequence = copied_.sequence;
    open.first = first;
    open.last = first + last.place.bytes - 1;
    open.place = last.place;
    open.launch = last.launch;
    open.hardware.assign(expected.begin(), expected.end());
    open.kind = kind;
    open.evidence = std::move(evidence);
    open.writer = last.at->text;
    open.kernel = last.kernel->name;
    open.line = last.at->ptx_line;
  }

  const Copied& copied_;
  const WriteLog& log_;
  std::map<std::pair<std::uint64_t, const wedjat_instruction*>, std::vector<Store>>
      single_;  // places that one thread wrote
  std::vector<Open> open_;
};

}  // namespace

std::vector<Open> explain(const Copied& copied, const WriteLog& log) { return Explainer(copied, log).run(); }

}  // namespace wedjat::traces
