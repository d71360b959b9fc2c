#include "traces/replay/state/report.h"

#include <iterator>
#include <numeric>

namespace wedjat::traces {
namespace {

template <class Range, class T, class Get>
T sum(const Range& range, T start, Get get) {
  return std::accumulate(range.begin(), range.end(), start,
                         [&](T total, const auto& item) { return total + get(item); });
}

}  // namespace

void ReplayReport::add(ReplayReport&& other) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(checked, other.checked);
  append(launched, other.launched);
  append(stepped_over, other.stepped_over);
  append(not_compared, other.not_compared);
  recorded_bytes += other.recorded_bytes;
  left_bytes += other.left_bytes;
  calls += other.calls;
  if (hardware_failed.empty()) hardware_failed = std::move(other.hardware_failed);
}

std::uint64_t ReplayReport::differing_bytes() const {
  return sum(checked, std::uint64_t{0}, [](const Checked& c) { return c.difference.differing_bytes; });
}

std::uint64_t ReplayReport::addresses() const {
  return sum(checked, std::uint64_t{0}, [](const Checked& c) { return c.addresses; });
}

std::uint64_t ReplayReport::compared_bytes() const {
  return sum(checked, std::uint64_t{0}, [](const Checked& c) { return c.difference.bytes; });
}

double ReplayReport::kernel_seconds() const {
  return sum(launched, 0.0, [](const Launched& l) { return l.seconds; });
}

std::uint64_t ReplayReport::thread_instructions() const {
  return sum(launched, std::uint64_t{0}, [](const Launched& l) { return l.thread_instructions; });
}

std::uint64_t ReplayReport::warp_instructions() const {
  return sum(launched, std::uint64_t{0}, [](const Launched& l) { return l.warp_instructions; });
}

Agreement ReplayReport::agreement() const {
  if (!hardware_failed.empty()) return Agreement::only_hardware_failed;
  if (differing_bytes() != 0) return Agreement::differs;
  if (compared_bytes() == 0) return Agreement::nothing_compared;
  return not_compared.empty() ? Agreement::exact : Agreement::not_all_compared;
}

std::string_view agreement_name(Agreement agreement) {
  switch (agreement) {
    case Agreement::exact:
      return "exact";
    case Agreement::differs:
      return "differs";
    case Agreement::only_hardware_failed:
      return "only the hardware failed";
    case Agreement::nothing_compared:
      return "nothing compared";
    case Agreement::not_all_compared:
      return "not all compared";
  }
  return "";
}

}  // namespace wedjat::traces
