#include "interposer/shim/ranges/page_faults.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace wedjat::interposer {
namespace {

std::uint64_t faults_of(int whom) {
  rusage usage{};
  ::getrusage(whom, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

thread_local bool counting_own = false;

constexpr std::uintptr_t kPage = 4096, kHugePage = std::uintptr_t{2} << 20;

}  // namespace

std::uint64_t page_faults() { return faults_of(RUSAGE_SELF); }

std::uint64_t least_faults(const PageRuns& written) {
  std::uint64_t faults = 0;
  for (const auto& [first, last] : written) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first), end = reinterpret_cast<std::uintptr_t>(last);
    const std::uintptr_t whole_begin = (begin + kHugePage - 1) / kHugePage * kHugePage;
    const std::uintptr_t whole_end = end / kHugePage * kHugePage;
    if (whole_begin >= whole_end)
      faults += (end - begin) / kPage;
    else
      faults += (whole_begin - begin + end - whole_end) / kPage + (whole_end - whole_begin) / kHugePage;
  }
  return faults;
}

bool FaultAccount::quiet_since_last() {
  if (!process_.is_same()) {
    process_.begin();
    known_ = false;
  }
  const std::uint64_t ended = ended_.load(), begun = begun_.load();  // in this order
  now_begun_ = begun == ended ? begun : kUnderWay;
  known_ = known_ && now_begun_ != kUnderWay && now_begun_ == last_begun_;
  now_ = page_faults();
  last_ += own_.exchange(0);
  return known_ && now_ == last_;
}

void FaultAccount::end() {
  last_ = now_;
  last_begun_ = now_begun_;
  known_ = true;
}

OwnFaults::OwnFaults(FaultAccount& account)
    : account_(account), outermost_(!std::exchange(counting_own, true)) {
  if (outermost_) before_ = faults_of(RUSAGE_THREAD);
}

OwnFaults::~OwnFaults() {
  if (!outermost_) return;
  account_.add_own(faults_of(RUSAGE_THREAD) - before_);
  counting_own = false;
}

}  // namespace wedjat::interposer
