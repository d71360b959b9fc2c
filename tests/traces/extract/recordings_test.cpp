// Launches of recordings as bundles: they run by themselves and leave the same bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "emulator/device/error.h"
#include "traces/extract/extract.h"

using namespace wedjat::traces;

namespace {

const std::string recordings = WEDJAT_SOURCE_DIR "/traces/";

Bundle extracted(const std::string& name, std::uint64_t launch, ReplayOptions options = {}) {
  const Trace trace = open_trace(recordings + name + ".tar.zst");
  options.threads = 2;
  return extract(trace, options, {launch, {}}, true);
}

}  // namespace

TEST_CASE("what the hardware computed is found where the recording has it, and only there") {
  // y is overwritten by the second launch before it is copied to the host.
  CHECK_FALSE(extracted("samples/saxpy", 0).hardware.has_value());
  const Bundle second = extracted("samples/saxpy", 1);
  REQUIRE(second.hardware.has_value());
  CHECK(bytes_of(*second.hardware) == bytes_of(second.expected));
  CHECK(compare_runs("", *second.hardware, second.expected).differing == 0);
  CHECK(second.origin.sequence == 1194);
  const Bundle open = extracted("regression/order/last_writer", 0);
  REQUIRE(open.hardware.has_value());
  CHECK(compare_runs("", *open.hardware, open.expected).differing == 194);
}

TEST_CASE("addresses of functions in tables of the module are left to whoever loads it") {
  const Bundle bundle = extracted("samples/recursion", 0);  // it calls through tables, and reads nothing else
  CHECK(bytes_of(bundle.input) == 0);
  CHECK(bundle.notes.empty());
}

TEST_CASE("what the program set of its context is part of the launch") {
  CHECK(extracted("samples/recursion", 0).limits ==
        std::map<std::string, std::uint64_t>{{"CU_LIMIT_STACK_SIZE", 8192}});
  CHECK(extracted("samples/saxpy", 0).limits.empty());
}

TEST_CASE("memory beside allocations is mapped for a kernel that needs it, as in a replay") {
  CHECK(extracted("regression/order/beside", 0).surroundings);
  CHECK_FALSE(extracted("samples/saxpy", 0).surroundings);
}

TEST_CASE("it is noted where the result changes with the order of threads") {
  const auto has_note = [](const Bundle& bundle) {
    return std::ranges::any_of(bundle.notes, [](const std::string& note) {
      return note.find("change with the order of threads") != std::string::npos;
    });
  };
  CHECK(has_note(extracted("regression/order/tickets", 0)));
  CHECK(has_note(extracted("regression/order/last_writer", 0)));
  CHECK_FALSE(has_note(extracted("samples/saxpy", 1)));
}

TEST_CASE("there is an error for launches that there are not") {
  CHECK_THROWS_WITH_AS(extracted("samples/saxpy", 2),
                       "there is no launch 2: the recording has 2, from 0 to 1", std::invalid_argument);
  const Trace trace = open_trace(recordings + "samples/saxpy.tar.zst");
  CHECK_THROWS_WITH_AS(extract(trace, {}, {0, "nothing"}, true),
                       "the recording launches no kernel nothing; it launches saxpy_grid_stride(int, float, "
                       "float const*, float*); saxpy(int, float, float const*, float*)",
                       std::invalid_argument);
}

TEST_CASE("the PTX becomes what the kernel reaches, and runs the same") {
  Bundle bundle = extracted("regression/instructions/policies", 0);
  const std::string whole = bundle.sources[0].text;
  CHECK(trim_ptx(bundle, {}).empty());
  REQUIRE(bundle.sources.size() == 1);
  CHECK(bundle.sources[0].text.size() < whole.size() / 10);
  CHECK_NOTHROW(prove(bundle, {}));
}

TEST_CASE("PTX that does not leave the same bits with less of it stays whole") {
  Bundle bundle = extracted("regression/instructions/policies", 0);
  const std::string whole = bundle.sources[0].text;
  bundle.expected.front().pattern.front() ^= std::byte{1};  // as if it needed what is left out
  CHECK(trim_ptx(bundle, {}).starts_with("with less of it, the launch of whole00"));
  CHECK(bundle.sources[0].text == whole);
}
