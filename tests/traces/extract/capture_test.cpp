// What is kept of a launch, and that it runs by itself.
#include <filesystem>
#include <span>

#include "emulator/device/error.h"
#include "tests/traces/extract/mixed.h"
#include "traces/extract/extract.h"
#include "traces/extract/touched.h"

using namespace wedjat::traces;

namespace {

BundleRun run(const Bundle& bundle) {
  wedjat::device::Device device({.threads = 1});
  return run_bundle(device, bundle);
}

std::uint64_t bytes_in(const Runs& runs, std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t found = 0;
  for (const Run& run : runs)
    if (run.address - address < bytes) found += run.bytes;
  return found;
}

}  // namespace

TEST_CASE("only touched bytes are kept, with variables, constants, textures and surfaces") {
  const Bundle bundle = test::mixed_launch();
  CHECK(bundle.memory.size() == 2);
  CHECK(bytes_in(bundle.input, test::table, 4096) == 16);
  CHECK(bytes_in(bundle.input, test::numbers, 4096) == 16 * 4);
  CHECK(bytes_in(bundle.expected, test::numbers + 256, 4096) == 16 * 4);
  CHECK(bytes_of(bundle.expected) == 16 * 4);
  REQUIRE(bundle.variables.size() == 2);
  CHECK(bytes_of(bundle.input) == 16 + 64 + 4 + 4);
  REQUIRE(bundle.arrays.size() == 2);
  CHECK(bundle.arrays[0].expected.empty());
  CHECK(bundle.arrays[1].expected.size() == 64);
  REQUIRE(bundle.handles.size() == 2);
  CHECK(bundle.handles[0].offset == 0);
  CHECK(bundle.handles[1].offset == 8);
  CHECK(bundle.config.cluster[0] == 2);
  CHECK(bundle.notes.empty());
}

TEST_CASE("it runs by itself, also from a folder, and does the same") {
  const Bundle bundle = test::mixed_launch();
  CHECK(run(bundle).same());
  CHECK_NOTHROW(prove(bundle, {}));
  const auto folder = std::filesystem::temp_directory_path() / "wedjat-capture-test";
  std::filesystem::remove_all(folder);
  write_bundle(folder, bundle);
  const BundleRun again = run(read_bundle(folder, std::uint64_t{1} << 20));
  CHECK(again.same());
  CHECK(again.compared.size() == 2);
  CHECK(again.statistics.thread_instructions == run(bundle).statistics.thread_instructions);
  std::filesystem::remove_all(folder);
}

TEST_CASE("other inputs give other results, and where is told") {
  const auto differs = [](const Bundle& bundle, const char* what, std::uint64_t first) {
    const BundleRun found = run(bundle);
    CHECK_FALSE(found.same());
    for (const auto& one : found.compared)
      if (one.what == what) return one.differing != 0 && one.first / 4 == first / 4;
    return false;
  };
  Bundle number = test::mixed_launch();
  for (Run& one : number.input)
    if (one.address == test::numbers + 8) one.pattern[2] ^= std::byte{0x40};
  CHECK(differs(number, "expected", test::numbers + 256 + 8));
  Bundle constant = test::mixed_launch();
  for (const auto& variable : constant.variables)
    for (Run& one : constant.input)
      if (variable.label == "offset" && one.address == variable.address) one.pattern[0] = std::byte{8};
  CHECK(differs(constant, "array 0", 0) == false);
  CHECK(differs(constant, "array 1", 0));
  Bundle texel = test::mixed_launch();
  texel.arrays[0].input[3] = std::byte{0};
  CHECK(differs(texel, "expected", test::numbers + 256 + 3));
  CHECK_THROWS_WITH_AS(prove(texel, {}), doctest::Contains("does not run by itself"),
                       wedjat::device::Refused);
}

TEST_CASE("a copy of two gigabytes, which fails, is not noted byte by byte") {
  const std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.entry k(.param .u64 p) {
  .shared .align 16 .b8 s[16];
  .reg .b64 %a, %i;
  .reg .b32 %t, %s;
  ld.param.u64 %a, [p];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %i, %t, 0x80000000;
  add.s64 %a, %a, %i;
  mov.u32 %s, s;
  cp.async.ca.shared.global [%s], [%a], -2147483648;
}
)";
  TouchLog log;
  log.begin = [](const wedjat_launch&) { return true; };
  log.end = [](const wedjat_launch&) {};
  log.changed = [](std::uint64_t, std::uint64_t) {};
  wedjat::hooks::Hooks hooks;
  log.attach(hooks);
  wedjat::device::Device device({.threads = 1, .hooks = &hooks});
  const std::uint64_t buffer = std::uint64_t{1} << 33;
  device.allocate_at(buffer, 4096, "buffer");
  wedjat::device::Module* const module =
      device.load_module(std::vector<wedjat::device::PtxSource>{{"k.ptx", text}}, {});
  CHECK_THROWS_WITH_AS(device.launch(device.function(module, "k"), {.block = {32, 1, 1}},
                                     std::as_bytes(std::span(&buffer, 1))),
                       doctest::Contains("cp.async copies 4, 8 or 16 bytes"), wedjat::device::Failed);
  std::uint64_t noted = 0;
  log.touched.read.each_run([&](std::uint64_t, std::uint64_t bytes) { noted += bytes; });
  CHECK(noted > 0);
  CHECK(noted <= 32 * 232448);
}
