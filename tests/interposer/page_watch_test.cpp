// What the kernel tells of written pages, from look to look.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstring>

#include "interposer/shim/ranges/host_range.h"
#include "interposer/shim/ranges/page_faults.h"

using namespace wedjat::interposer;

TEST_CASE(
    "what the host writes anew between all looks is told each time, also where looks rest from asking") {
  constexpr std::size_t size = 1 << 20;
  auto* const memory = static_cast<std::byte*>(
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0));
  wedjat::traces::Workers workers(1);
  FaultAccount account;
  {
    HostRange range(wedjat::traces::HostRangeKind::registered, memory, size, account);
    std::size_t told = 0;
    const TellChange tell = [&](const std::byte*, std::span<const std::byte> bytes) { told += bytes.size(); };
    for (int round = 1; round <= 60; ++round) {
      std::memset(memory, round, size);
      told = 0;
      const bool quiet = account.quiet_since_last();
      Comparison comparison(workers, tell);
      if (!quiet || !range.is_silent()) {
        const OwnFaults own(account);
        range.changes(Look::host, quiet, nullptr, comparison);
        comparison.finish();
      }
      account.end();
      INFO(round);
      CHECK(told == size);
    }
  }
  munmap(memory, size);
}
