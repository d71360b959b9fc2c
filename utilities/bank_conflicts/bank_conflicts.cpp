// Passes that accesses of shared memory take because lanes want different words of a bank.
#include <vector>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct BankConflicts : Tool {
  struct Site {
    const wedjat_kernel* kernel;
    const wedjat_instruction* at;
    std::uint32_t first;  // of the counters: requests, passes, ideal passes
  };
  std::vector<Site> sites;

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k))
      for (std::uint32_t a = 0; a < i.access_count; ++a) {
        if (i.accesses[a].bytes == 0 || i.accesses[a].space != WEDJAT_SHARED) continue;
        const std::uint32_t first = counters(3);
        if (count(i, WEDJAT_ISSUED, first) && count(i, WEDJAT_BANK_WAYS, first + 1, 0, a) &&
            count(i, WEDJAT_BANK_IDEAL, first + 2, 0, a))
          sites.push_back({&k, &i, first});
      }
  }
  void finish() override {
    Table all =
        table("shared memory by instruction", "kernel place instruction requests passes ideal excessive");
    std::uint64_t requests = 0, passes = 0, ideal = 0;
    for (const Site& s : sites) {
      const std::uint64_t r = value(s.first), p = value(s.first + 1), i = value(s.first + 2);
      if (r != 0) all.row(s.kernel->name, place(*s.at), s.at->text, r, p, i, p - i);
      requests += r, passes += p, ideal += i;
    }
    table("shared memory", "requests passes ideal excessive").row(requests, passes, ideal, passes - ideal);
  }
};
WEDJAT_TOOL(BankConflicts, "bank_conflicts", "bank conflicts of shared memory")
