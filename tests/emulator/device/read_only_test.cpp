// Memory that kernels may read and not write: interpreted and in native code, by each kind of access.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"
#include "emulator/device/error.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t kept = 0x7f0000000000, beside = 0x7f0000100000;
constexpr std::uint32_t bytes = 4096;

// Of 64 threads; %d0: a word of `to`, which may be only read; %d1: one of `of`.
std::string text(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 to, .param .u64 of) "
         "{\n"
         "  .reg .b64 %d<6>; .reg .b32 %r<4>; .shared .align 16 .b8 room[64];\n"
         "  ld.param.u64 %d0, [to]; ld.param.u64 %d1, [of]; mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4;\n"
         "  add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2; mov.u64 %d5, room;\n" +
         body + "  ret; }\n";
}

const std::string load = text("  ld.global.u32 %r1, [%d3]; st.global.u32 [%d4], %r1;\n");
const std::string writing[] = {text("  st.global.u32 [%d3], %r0;\n"),
                               text("  st.global.u32 [%d0+8], %r0;\n"),
                               text("  st.u32 [%d3], %r0;\n"),
                               text("  red.global.add.u32 [%d0], 1;\n"),
                               text("  atom.global.cas.b32 %r1, [%d3], 99, 7; st.global.u32 [%d4], %r1;\n"),
                               text("  cp.async.bulk.global.shared::cta.bulk_group [%d0], [%d5], 16;\n"
                                    "  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n")};

struct Run {
  explicit Run(std::shared_ptr<compile::Tier> tier, const std::string& source)
      : device({.native = std::move(tier)}), module(device.load_module({{"k.ptx", source}}, {})) {
    device.allocate_at(kept, bytes, "kept");
    device.allocate_at(beside, bytes, "beside");
  }
  void launch() {
    std::vector<std::byte> parameters(16);
    std::memcpy(parameters.data(), &kept, 8);
    std::memcpy(parameters.data() + 8, &beside, 8);
    device.launch(device.function(module, "k"), {.grid = {2, 1, 1}, .block = {64, 1, 1}}, parameters);
  }
  std::uint32_t word(std::uint64_t address) {
    std::uint32_t value = 0;
    device.read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

  device::Device device;
  device::Module* module;
};

void check(const std::shared_ptr<compile::Tier>& tier) {
  Run reading(tier, load);
  const std::uint32_t seven = 7;
  reading.device.write(kept + 4, std::as_bytes(std::span(&seven, 1)));
  reading.device.set_read_only(kept, true);
  reading.launch();
  CHECK(reading.word(beside + 4) == 7);
  for (const std::string& source : writing) {
    INFO(source);
    Run run(tier, source);
    run.launch();  // what it finds out then does not hold any more
    run.device.set_read_only(kept, true);
    const std::uint32_t before = run.word(kept);
    try {
      run.launch();
      CHECK(false);
    } catch (const device::Failed& failure) {
      CHECK(failure.fault == exec::FaultKind::read_only);
      CHECK(std::string(failure.what()).find("write to read-only memory: ") != std::string::npos);
      CHECK(std::string(failure.what()).find("of 'kept' (4096 bytes at 0x7f0000000000)") !=
            std::string::npos);
    }
    Run again(tier, source);
    again.device.set_read_only(kept, true);
    again.device.set_read_only(kept, false);
    again.launch();
    CHECK(again.word(kept) == before);
  }
}

}  // namespace

TEST_CASE("memory that may be read is not written, by the interpreter or by native code") {
  check(nullptr);
  const auto tier = std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always});
  if (const std::string missing = tier->missing(); missing.empty())
    check(tier);
  else
    MESSAGE("no native code: " << missing);
}

TEST_CASE("only memory that is there may be read-only, and it goes with it") {
  device::Device device({});
  CHECK_THROWS_AS(device.set_read_only(kept, true), device::Refused);
  device.allocate_at(kept, bytes, "kept");
  CHECK_THROWS_AS(device.set_read_only(kept + 8, true), device::Refused);
  device.set_read_only(kept, true);
  device.free(kept);
  Run run(nullptr, writing[0]);
  run.launch();
  CHECK(run.word(kept + 4) == 1);
}
