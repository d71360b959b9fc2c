// Bundles elsewhere than they were recorded: which words are addresses, and that it is proved.
#include <array>

#include "emulator/device/error.h"
#include "tests/traces/extract/launched.h"
#include "tests/traces/extract/mixed.h"
#include "traces/bundle/places.h"
#include "traces/extract/extract.h"
#include "traces/regress/find.h"

using namespace wedjat::traces;

namespace {

constexpr std::uint64_t memory = 0x7e5500000400;

// One thread that runs `body` on %d0, the address of four words and room for four more.
Bundle thread_of(const std::string& body, std::array<std::uint64_t, 8> words) {
  Bundle bundle = test::launched(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b64 %d<8>;\n.reg .b32 %r<8>;\nld.param.u64 %d0, [p];\n" +
          body + "\nret;\n}\n",
      {}, {{memory, test::contents_of(words)}});
  make_movable(bundle, {});
  return bundle;
}

bool runs_elsewhere(const Bundle& bundle, unsigned way) {
  wedjat::device::Device device({.threads = 1});
  return run_bundle(device, bundle, Places::elsewhere(bundle, way)).same();
}

using Words = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("addresses in parameters, in memory and among the results are found") {
  // A list is turned round: next pointers are read and written.
  const Bundle bundle = thread_of(
      "ld.u64 %d1, [%d0];\nst.u64 [%d1], %d0;\nadd.u64 %d2, %d1, 8;\nst.u64 [%d0+32], %d2;\n"
      "ld.u64 %d3, [%d0+16];\nst.u64 [%d0+40], %d3;",
      {memory + 24, 0, 77, 0});
  REQUIRE(bundle.pointers.has_value());
  CHECK(bundle.pointers->parameters == Words{0});
  CHECK(bundle.pointers->input == Words{memory});
  CHECK(bundle.pointers->expected == Words{memory + 24, memory + 32});
  CHECK(bundle.notes.empty());
  CHECK(runs_elsewhere(bundle, 7));
}

TEST_CASE("everything that a bundle can hold moves, and not without its addresses") {
  Bundle bundle = test::mixed_launch();
  make_movable(bundle, {});
  REQUIRE(bundle.pointers.has_value());
  CHECK(bundle.pointers->parameters == Words{16});
  CHECK(bundle.pointers->input == Words{test::table, test::table + 8});
  CHECK(bundle.pointers->expected.empty());
  CHECK(runs_elsewhere(bundle, 4));
  bundle.pointers->input.pop_back();
  CHECK_THROWS_AS(runs_elsewhere(bundle, 4), wedjat::device::Failed);
}

TEST_CASE("a number that looks like an address stays a number") {
  const Bundle bundle =
      thread_of("ld.u64 %d1, [%d0];\nmul.lo.u64 %d1, %d1, 3;\nst.u64 [%d0+32], %d1;", {memory + 8, 0, 0, 0});
  REQUIRE(bundle.pointers.has_value());
  CHECK(bundle.pointers->parameters == Words{0});
  CHECK(bundle.pointers->input.empty());
  CHECK(runs_elsewhere(bundle, 5));
}

TEST_CASE("what cannot be proved is told") {
  // Half of an address is a result.
  const Bundle bundle = thread_of("shr.u64 %d1, %d0, 21;\nst.u64 [%d0+32], %d1;", {});
  CHECK_FALSE(bundle.pointers.has_value());
  REQUIRE(bundle.notes.size() == 1);
  CHECK(bundle.notes[0].find("at the addresses of the recording only") != std::string::npos);
  CHECK(bundle.notes[0].find("the first at 0x7e5500000420") != std::string::npos);
}

TEST_CASE("of the recordings, the first launch of nearly each kernel can move") {
  std::size_t kernels = 0, fixed = 0;
  for (const std::string folder : {"samples", "regression"}) {
    for (const Recording& recording : find_recordings({WEDJAT_SOURCE_DIR "/traces/" + folder})) {
      INFO(recording.full_name());
      if (recording.name == "beside") continue;  // its replay fails where memory beside it is not mapped
      ReplayOptions options;
      options.threads = 2;
      extract_first_launches(open_trace(recording.path), options, [&](Bundle&& bundle) {
        INFO(bundle.kernel);
        ++kernels;
        CHECK_NOTHROW(prove(bundle, options));
        make_movable(bundle, options);
        if (bundle.pointers) return;
        // The handle of a condition is a number that the driver chose, and leads to memory all the same.
        if (bundle.notes.back().find("conditions of a graph") != std::string::npos) return;
        ++fixed;
        MESSAGE(recording.full_name() << " " << bundle.kernel << ": " << bundle.notes.back());
      });
    }
  }
  CHECK(kernels > 150);
  CHECK(fixed == 0);
}
