#include "traces/replay/state/parameter_layout.h"

#include <algorithm>

namespace wedjat::traces {

Bytes as_declared(Bytes packed, const DriverLayout& driver, std::span<const device::ParameterSlot> declared) {
  if (driver.offsets.size() != declared.size() || driver.sizes.size() != declared.size()) return packed;
  std::size_t bytes = 0, given = 0;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (driver.sizes[i] != declared[i].size || driver.offsets[i] > packed.size()) return packed;
    bytes = std::max<std::size_t>(bytes, declared[i].offset + declared[i].size);
    given = std::max<std::size_t>(given, driver.offsets[i] + driver.sizes[i]);
  }
  if (packed.size() != given)
    return packed;  // a buffer of the program's own, or a kernel that is not the recorded one
  Bytes laid_out(bytes);
  for (std::size_t i = 0; i < declared.size(); ++i)
    std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(driver.offsets[i]), declared[i].size,
                laid_out.begin() + static_cast<std::ptrdiff_t>(declared[i].offset));
  return laid_out;
}

}  // namespace wedjat::traces
