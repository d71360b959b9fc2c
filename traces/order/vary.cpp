#include "traces/order/vary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "emulator/device/error.h"
#include "emulator/hooks/hooks.h"
#include "traces/order/causes.h"
#include "traces/order/other_time.h"
#include "traces/order/racing_loads.h"
#include "traces/order/resolve.h"
#include "traces/order/spread.h"

namespace wedjat::traces {
namespace {

struct Variation {
  bool side_by_side = false;
  std::uint32_t shuffle = 0;
  std::byte unwritten{};
  std::optional<unsigned> racing;  // draw of loads that take what was there before
  bool other_time = false;

  bool is_order() const { return unwritten == std::byte{} && !other_time; }
  bool is_nudge() const { return racing >= racing_draws; }
  std::string how() const {
    if (other_time) return "where clocks and timers show another time";
    if (!is_order())
      return fmt::format("with {:#04x} in shared, local and heap memory that nobody wrote",
                         std::to_integer<unsigned>(unwritten));
    if (side_by_side) return "with all warps side by side";
    if (is_nudge())
      return fmt::format("where loads that race take what lies beyond the {} value",
                         *racing == racing_draws ? "later" : "earlier");
    if (racing)
      return fmt::format("where {} that race take what was there before the store",
                         *racing == 0 ? "loads" : "some of the loads");
    return fmt::format("with warps and CTAs {} (--shuffle {})", shuffle == 1 ? "in reverse order" : "mixed",
                       shuffle);
  }
};

// Orders move what shows the time as well: so that comes first.
constexpr Variation variations[] = {{.other_time = true},
                                    {.side_by_side = true},
                                    {.shuffle = 1},
                                    {.shuffle = 2},
                                    {.shuffle = 3},
                                    {.unwritten = std::byte{0x55}},
                                    {.unwritten = std::byte{0xaa}}};
// Where some places take other values and others do not yet; more where only few do not, of short replays:
// sums of few numbers are the same in most orders.
constexpr std::uint32_t first_further_shuffle = 4, last_shuffle = 16, last_shuffle_for_few = 80;
constexpr std::uint64_t few = 16;  // of so many places, one
constexpr std::uint64_t most_instructions_for_few = 20'000'000'000;

// So many values that no order gave are looked at as a whole.
constexpr std::uint64_t fewest_judged = 16;

struct Seen {
  std::uint64_t first = 0;  // byte of the copy
  Place place;
  std::optional<Write> last;  // nothing: nobody wrote it
  std::uint64_t launch = 0;   // that wrote it; else the last one before the copy
  std::vector<std::byte> expected, got, other;
  std::optional<Variation> variation;  // that gave `other`
  bool as_hardware = false;            // `other` is what is expected
  Spread spread;                       // of the values that orders give

  bool is_some_order() const {
    return variation && variation->is_order() && !variation->is_nudge() && !as_hardware;
  }
  bool is_nudged() const { return variation && variation->is_nudge(); }
};

using Bytes = std::span<const std::byte>;

std::string hex(Bytes bytes) {
  std::string text = "0x";
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
    text += fmt::format("{:02x}", std::to_integer<unsigned>(*byte));
  return text;
}

class Variations {
 public:
  Variations(const Trace& trace, ReplayOptions options, const std::vector<Open>& open,
             const ReplayReport& report)
      : trace_(trace),
        options_(std::move(options)),
        open_(open),
        log_(differing_places(report)),
        instructions_(report.thread_instructions()) {
    for (const Launched& launched : report.launched) kernels_.push_back(launched.kernel);
  }

  std::vector<Open> run() {
    see_places();
    for (const Variation& variation : variations)
      if (undecided_ != 0) vary(variation);
    for (std::uint32_t shuffle = first_further_shuffle; may_shuffle(shuffle); ++shuffle)
      vary({.shuffle = shuffle});
    // Loads are taken one by one there: it costs more.
    for (unsigned draw = 0; draw < racing_draws; ++draw)
      if (varied_ && is_any_left()) vary({.racing = draw});
    for (unsigned nudge = 0; nudge < racing_nudges; ++nudge)
      if (varied_ && unchanged_ + nudged_ != 0) vary({.racing = racing_draws + nudge});
    std::vector<Open> all;
    if (!varied_) return all;
    const std::optional<Sought> sought = causes_sought();
    const Causes causes = sought ? find_causes(trace_, fresh(), *sought) : Causes();
    for (const auto& [copy, places] : seen_) {
      const bool elsewhere = lies_elsewhere(places);
      for (const Seen& one : places) {
        if (elsewhere && (one.is_some_order() || one.is_nudged())) continue;
        if (one.is_nudged() && !one.spread.holds(one.expected)) continue;
        const std::string cause = one.variation ? cause_of(one, causes) : std::string();
        if (!cause.empty()) all.push_back(opened(copy.first, one, cause));
      }
    }
    return all;
  }

 private:
  // What is in place counts launches: each replay needs its own.
  ReplayOptions fresh() const {
    ReplayOptions options = options_;
    options.hooks = nullptr;
    options.differs = {};
    put_in_place(options, open_);
    return options;
  }

  // The replay as it is: what lies in places that differ, and who wrote it.
  void see_places() {
    log_.attach(hooks_);
    ReplayOptions options = fresh();
    options.hooks = &hooks_;
    std::uint64_t launches = 0;
    options.launched = [&, put = options.launched](device::Device& device) {
      put(device);
      ++launches;
    };
    options.differs = [&](const Checked& checked, Bytes expected, Bytes got) {
      std::vector<Seen>& places = seen_[{checked.sequence, checked.address}];
      for (std::uint64_t at = 0; at < got.size() && launches != 0; ++at) {
        if (expected[at] == got[at]) continue;
        Seen& one = places.emplace_back(place_of(checked.address, at, got.size()));
        if (!one.last) one.launch = launches - 1;
        const auto part = [&](Bytes of) {
          return std::vector<std::byte>(&of[one.first], &of[one.first] + one.place.bytes);
        };
        one.expected = part(expected), one.got = part(got);
        if (one.last) one.spread = Spread(*one.last->at);
        one.spread.add(one.got);
        at = one.first + one.place.bytes - 1;
        ++places_;
        ++undecided_;
        ++unchanged_;
      }
    };
    replay(trace_, options);
  }

  Seen place_of(std::uint64_t copied, std::uint64_t at, std::uint64_t bytes) const {
    Seen one{.first = at, .place = {copied + at, 1}};
    const auto writes = log_.writes(one.place);
    if (writes.empty() || writes.back()->kind == Write::Kind::host) return one;
    one.last = *writes.back();
    one.launch = one.last->launch;
    const Place& whole = one.last->place;
    if (whole.address < copied || whole.address + whole.bytes > copied + bytes) return one;
    one.first = whole.address - copied;
    one.place = whole;
    return one;
  }

  void vary(const Variation& variation) {
    ReplayOptions options = fresh();
    options.side_by_side = variation.side_by_side;
    options.shuffle = variation.shuffle;
    options.unwritten = variation.unwritten;
    hooks::Hooks hooks;
    if (variation.racing) {
      let_loads_race(hooks, *variation.racing);
      options.hooks = &hooks;
    }
    if (variation.other_time) {
      readers_of_time_.clear();
      let_time_differ(hooks, readers_of_time_);
      options.hooks = &hooks;
    }
    std::set<Copy> differing;
    options.differs = [&](const Checked& checked, Bytes, Bytes got) {
      differing.emplace(checked.sequence, checked.address);
      if (const auto seen = seen_.find({checked.sequence, checked.address}); seen != seen_.end())
        for (Seen& one : seen->second) compare(one, got.subspan(one.first, one.place.bytes), variation);
    };
    try {
      replay(trace_, options);
    } catch (const device::Failed&) {
      return;  // a kernel that waits for what comes later says nothing of values
    }
    for (auto& [copy, places] : seen_)
      if (!differing.contains(copy))
        for (Seen& one : places) compare(one, one.expected, variation);
  }

  void compare(Seen& one, Bytes now, const Variation& variation) {
    const bool as_hardware = std::ranges::equal(now, one.expected);
    if (variation.is_nudge() && one.variation && !one.is_nudged()) return;
    if (variation.is_order()) one.spread.add(now);
    if (one.as_hardware || std::ranges::equal(now, one.got)) return;
    if (one.variation && !as_hardware) return;
    if (!one.variation) --unchanged_;
    if (!one.variation && variation.is_nudge()) ++nudged_;
    one.variation = variation;
    one.other.assign(now.begin(), now.end());
    one.as_hardware = as_hardware;
    varied_ = true;
    if (as_hardware) --undecided_;
  }

  bool may_shuffle(std::uint32_t shuffle) const {
    if (!varied_ || unchanged_ == 0) return false;
    if (shuffle <= last_shuffle) return true;
    return shuffle <= last_shuffle_for_few && unchanged_ * few <= places_ &&
           instructions_ * shuffle <= most_instructions_for_few;
  }

  // Places that no order moves, or that no order brings near enough to the hardware's value.
  bool is_any_left() const {
    return unchanged_ != 0 ||
           std::ranges::any_of(seen_, [](const auto& copy) { return lies_elsewhere(copy.second); });
  }

  // Nothing: what changes with the time has its cause already.
  std::optional<Sought> causes_sought() const {
    bool orders = false, unwritten = false;
    for (const auto& [copy, places] : seen_)
      for (const Seen& one : places)
        if (one.variation && !one.variation->other_time)
          (one.variation->is_order() ? orders : unwritten) = true;
    if (!orders && !unwritten) return std::nullopt;
    return orders && unwritten ? Sought::both : orders ? Sought::races : Sought::unwritten;
  }

  // Orders give values on both sides of most that the hardware's order gave. Where they do not, something
  // else is wrong with the values, too.
  static bool lies_elsewhere(const std::vector<Seen>& places) {
    std::uint64_t all = 0, outside = 0;
    for (const Seen& one : places) {
      if (!one.is_some_order()) continue;
      ++all;
      outside += !one.spread.holds(one.expected);
    }
    return all >= fewest_judged && 2 * outside > all;
  }

  // Of a kernel that ran by then, best of the one that wrote the place.
  std::string found(const Seen& one, const std::vector<Cause>& causes) const {
    const auto before = kernels_.begin() +
                        static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(one.launch + 1, kernels_.size()));
    std::string best;
    for (const Cause& cause : causes) {
      if (one.last && cause.kernel == one.last->kernel->name) return cause.text;
      if (std::find(kernels_.begin(), before, cause.kernel) != before) best = cause.text;
    }
    return best;
  }

  std::string cause_of(const Seen& one, const Causes& causes) const {
    if (one.variation->other_time) return found(one, readers_of_time_);
    if (!one.variation->is_order()) return found(one, causes.unwritten);
    if (std::string race = found(one, causes.races); !race.empty()) return race;
    if (!one.last) return {};
    std::set<std::string> atomics;
    for (const Write* write : log_.writes(one.place))
      if (write->launch == one.launch && write->kind != Write::Kind::store &&
          write->kind != Write::Kind::host)
        atomics.insert(fmt::format("'{}' at ptx line {}", write->at->text, write->at->ptx_line));
    if (!atomics.empty()) return fmt::format("threads update it in any order: {}", fmt::join(atomics, ", "));
    for (std::uint64_t launch = one.launch + 1; launch-- > 0;)
      if (const auto tickets = log_.tickets(launch); !tickets.empty())
        return fmt::format("in which order threads get the results of '{}' at ptx line {} is open",
                           tickets.front()->text, tickets.front()->ptx_line);
    return {};
  }

  static Open opened(std::uint64_t sequence, const Seen& one, const std::string& cause) {
    Open open;
    open.sequence = sequence;
    open.first = one.first;
    open.last = one.first + one.place.bytes - 1;
    open.place = one.place;
    open.launch = one.launch;
    open.hardware = one.expected;
    if (one.variation->other_time)
      open.kind = "time";
    else if (!one.variation->is_order())
      open.kind = "unwritten memory";
    else if (one.is_nudged())
      open.kind = "depends on racing loads";
    else
      open.kind = one.as_hardware ? "order of threads" : "some order of threads";
    std::string writer = "nobody wrote";
    if (one.last) {
      open.writer = one.last->at->text;
      open.kernel = one.last->kernel->name;
      open.line = one.last->at->ptx_line;
      writer =
          fmt::format("'{}' at {}:{} of {} (CTA {} thread {}) wrote", open.writer, one.last->kernel->ptx_file,
                      open.line, open.kernel, one.last->cta, one.last->thread);
    }
    open.evidence = fmt::format(
        "{} {:#x}: {} here, {} {}, {} on the hardware{}; {}", writer, one.place.address, hex(one.got),
        hex(one.other), one.variation->how(), hex(one.expected),
        one.is_some_order() && one.spread.holds(one.expected) ? ", between what orders give" : "", cause);
    return open;
  }

  using Copy = std::pair<std::uint64_t, std::uint64_t>;  // sequence, address
  const Trace& trace_;
  const ReplayOptions options_;
  const std::vector<Open>& open_;
  WriteLog log_;
  hooks::Hooks hooks_;
  std::vector<std::string> kernels_;  // by launch
  std::vector<Cause> readers_of_time_;
  std::map<Copy, std::vector<Seen>> seen_;
  // Places without the hardware's value; without another one; with one when loads are nudged only.
  std::uint64_t undecided_ = 0, unchanged_ = 0, nudged_ = 0;
  std::uint64_t places_ = 0, instructions_ = 0;  // instructions: of threads, in one replay
  bool varied_ = false;
};

}  // namespace

std::vector<Open> vary(const Trace& trace, ReplayOptions options, const std::vector<Open>& open,
                       const ReplayReport& report) {
  return Variations(trace, std::move(options), open, report).run();
}

}  // namespace wedjat::traces
