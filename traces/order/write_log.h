// Notes what a replay writes to watched places, and by which instruction.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/hooks/hooks.h"
#include "traces/replay/state/report.h"

namespace wedjat::traces {

struct Place {
  std::uint64_t address = 0, bytes = 0;
  auto operator<=>(const Place&) const = default;
};

// What differs in a report, up to a bounded number of bytes.
std::vector<Place> differing_places(const ReplayReport& report);

struct Write {
  enum class Kind : std::uint8_t {
    store,
    sum_f32,  // atomic additions of floating-point numbers in global memory
    sum_f64,
    exchange,
    update,  // any other atomic
    host,    // a copy or fill: whatever was there before is gone
  };
  static constexpr std::size_t most_bytes = 16;

  Kind kind = Kind::store;
  Place place;
  std::array<std::byte, most_bytes> value{}, old{};  // old: only of sums
  const wedjat_instruction* at = nullptr;            // null for the host; lives as long as the Hooks
  const wedjat_kernel* kernel = nullptr;
  std::uint64_t launch = 0, cta = 0;  // of kernels
  std::uint32_t thread = 0;           // of the CTA

  bool is_sum() const { return kind == Kind::sum_f32 || kind == Kind::sum_f64; }
};

class WriteLog {
 public:
  // Watches everything within `places`.
  explicit WriteLog(std::vector<Place> places);
  ~WriteLog();

  // `hooks` must not be used after the log is gone.
  void attach(hooks::Hooks& hooks);

  // Writes that touch any of these bytes, in the order they happened.
  std::vector<const Write*> writes(Place place) const;
  // Atomics whose result the kernel uses, of those that ran in this launch.
  std::vector<const wedjat_instruction*> tickets(std::uint64_t launch) const;
  // Whether the kernel has fences, or accesses that order others.
  bool orders_threads(const wedjat_kernel& kernel) const;

  // What the watching tool notes.
  bool watches(std::uint64_t address, std::uint64_t bytes) const;
  void add(const Write& write);
  void ran(std::uint64_t launch, const wedjat_instruction& ticket) { tickets_[launch].insert(&ticket); }
  void has_order(const wedjat_kernel& kernel) { ordering_.insert(&kernel); }

 private:
  // Indices of the watched places that overlap it: first, one after the last.
  std::pair<std::size_t, std::size_t> touched(Place place) const;

  // The writes of one watched place. Kernels write a few bytes at a time: what touches a byte is found by the
  // pieces of Write::most_bytes that it lies in, without a look at all others.
  struct Noted {
    std::vector<Write> writes;                                            // in the order they happened
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> small;  // by piece: indices in `writes`
    std::vector<std::uint32_t> large;                                     // those that touch many pieces
  };

  std::vector<Place> places_;                                             // sorted, apart from each other
  std::vector<Noted> noted_;                                              // by place
  std::map<std::uint64_t, std::set<const wedjat_instruction*>> tickets_;  // by launch
  std::set<const wedjat_kernel*> ordering_;
};

}  // namespace wedjat::traces
