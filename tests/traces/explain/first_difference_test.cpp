#include "traces/explain/first_difference.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace wedjat::traces;

namespace {

std::string explained(const std::string& name, wedjat::kernel::Contract contract) {
  const Trace trace = open_trace(WEDJAT_SOURCE_DIR "/traces/regression/" + name + ".tar.zst");
  ReplayOptions options;
  options.contract = contract;
  const Resolution resolution = resolve_order(trace, options);
  return fmt::format("{}", fmt::join(explain_first_difference(trace, options, resolution), "\n"));
}

void check_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) CHECK_MESSAGE(text.find(part) != std::string::npos, part << " in " << text);
}

}  // namespace

TEST_CASE("the store, the sum and its product are named, and contraction as the cause") {
  check_parts(explained("rodinia/gaussian", wedjat::kernel::Contract::none),
              {"first difference: cuMemcpyDtoH_v2", "written by 'st.global.f32", "launch", "CTA", "mul.f32",
               "may be contracted into a sum", "sub.f32", "may be contracted with a product",
               "with --contract=ptxas this element is the hardware's: contraction is the cause; 0 bytes "
               "differ in all"});
  // There the wrong number was loaded: it comes from an earlier launch.
  check_parts(explained("polybench/lu", wedjat::kernel::Contract::none),
              {"st.global.f64", "div.rn.f64", "ld.global.f64", "contraction is the cause"});
}

TEST_CASE("nothing is said of what is exact or open") {
  CHECK(explained("rodinia/gaussian", wedjat::kernel::Contract::ptxas).empty());
  CHECK(explained("order/tickets", wedjat::kernel::Contract::ptxas).empty());
}
