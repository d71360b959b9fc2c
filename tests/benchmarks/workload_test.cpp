#include "benchmarks/kernels/workload.h"

#include <doctest/doctest.h>

using namespace wedjat::benchmarks;

TEST_CASE("workloads give the numbers plain loops give, on any number of threads") {
  for (const auto make : all_workloads) {
    const Workload workload = make(8);
    CAPTURE(workload.name);
    const auto expected = workload.expected();
    for (const unsigned threads : {1u, 2u, 3u}) {
      Prepared prepared(workload, threads);
      const auto statistics = prepared.launch();
      CHECK(statistics.thread_instructions > expected.size());
      CHECK(prepared.result() == expected);
    }
  }
}
