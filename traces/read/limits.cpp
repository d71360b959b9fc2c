#include "traces/read/limits.h"

#include <unistd.h>

#include <algorithm>

namespace wedjat::traces {

std::uint64_t default_memory_limit() {
  constexpr std::uint64_t least = std::uint64_t{1} << 30;
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const std::uint64_t memory =
      pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0;
  return std::max(memory / 4, least);
}

}  // namespace wedjat::traces
