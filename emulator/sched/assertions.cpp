#include "emulator/sched/assertions.h"

#include "emulator/sched/worker.h"

namespace wedjat::sched {

namespace {

// Threads that are told of: an H100 told of 1,344 where 102,400 failed.
constexpr std::size_t most_told = 1024;

}  // namespace

std::uint64_t Assertions::end() const {
  if (failed_.empty()) return ~std::uint64_t{0};
  std::size_t told = 0;
  for (const auto& [cta, failed] : failed_)
    if ((told += failed.told().size()) >= most_told) return cta + 1;
  return first() + resident_on_device(launch_);
}

exec::Assertion Assertions::all() const {
  exec::Assertion whole = failed_.begin()->second;
  for (auto other = std::next(failed_.begin()); other != failed_.end() && other->first < end(); ++other)
    whole = whole.with(other->second);
  return whole;
}

}  // namespace wedjat::sched
