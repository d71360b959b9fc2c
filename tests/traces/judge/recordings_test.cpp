// Recordings as they are, and with a result that the hardware did not give.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "traces/format/hash.h"
#include "traces/judge/judge.h"
#include "traces/judge/report.h"
#include "traces/regress/find.h"

using namespace wedjat::traces;

namespace {

const std::string recordings = WEDJAT_SOURCE_DIR "/traces/";

Trace opened(const std::string& name) { return open_trace(recordings + name + ".tar.zst"); }

// Changes a bit of the last result that is kept in its event; its size, 0 if there is none.
std::size_t change_result(Trace& trace) {
  for (auto event = trace.events.rbegin(); event != trace.events.rend(); ++event) {
    if (event->name != "payload" || event->text("name") != "host_out") continue;
    for (Field& field : event->fields) {
      auto* const contents = std::get_if<Bytes>(&field.value);
      if (field.name != "data" || contents == nullptr || contents->empty()) continue;
      contents->back() ^= std::byte{0x10};
      const Hash hash = hash_bytes(*contents);
      for (Field& other : event->fields) {
        if (other.name == "hash_high") other.value = hash.high;
        if (other.name == "hash_low") other.value = hash.low;
      }
      return contents->size();
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("of samples every kernel agrees, or nothing that it wrote was brought back") {
  for (const char* name : {"samples/saxpy", "samples/histogram", "samples/reduction", "samples/gemm_tiled"}) {
    INFO(name);
    const Judgement judgement = judge_recording(opened(name), {});
    REQUIRE_FALSE(judgement.kernels.empty());
    for (const KernelJudged& kernel : judgement.kernels) CHECK(kernel.verdict == Judged::agrees);
    CHECK(judgement.verdict() == Judged::agrees);
  }
}

TEST_CASE("of recordings that leave something open no machine code is blamed") {
  for (const Recording& recording : find_recordings({recordings + "regression/order"})) {
    INFO(recording.full_name());
    const Judgement judgement = judge_recording(open_trace(recording.path), {});
    CHECK(judgement.verdict() != Judged::machine_code);
    if (recording.name == "tickets" || recording.name == "last_writer")
      CHECK(judgement.verdict() == Judged::open);
  }
}

TEST_CASE("of a changed result of one kernel the machine code is blamed, of others what was there before") {
  Trace alone = opened("samples/driver_ptx");
  REQUIRE(change_result(alone) == 4);
  const Judgement blamed = judge_recording(alone, {});
  CHECK(blamed.verdict() == Judged::machine_code);
  REQUIRE(blamed.kernels.size() == 2);
  CHECK(blamed.kernels[0].kernel == "affine");
  CHECK(blamed.kernels[0].verdict == Judged::machine_code);
  REQUIRE(blamed.kernels[0].fault.has_value());
  CHECK(blamed.kernels[0].fault->store == "atom.global.add.u32 %r11, [%rd9], 1");
  CHECK(blamed.kernels[1].verdict == Judged::agrees);
  CHECK(to_json(blamed)["kernels"][0]["first"]["here"] == "0x00000001");

  // Four launches change the same numbers in place: any of them may be it.
  Trace chain = opened("samples/driver");
  REQUIRE(change_result(chain) == 4000);
  const Judgement unsure = judge_recording(chain, {});
  REQUIRE(unsure.kernels.size() == 1);
  CHECK(unsure.kernels[0].verdict == Judged::unknown);
  REQUIRE_FALSE(unsure.kernels[0].evidence.empty());
  CHECK(unsure.kernels[0].evidence[0].cause == "inputs");
}

TEST_CASE("a changed result never agrees, in any sample, and processes are kept apart") {
  std::size_t changed = 0;
  for (const Recording& recording : find_recordings(recordings + "samples")) {
    INFO(recording.full_name());
    Trace trace = open_trace(recording.path);
    if (change_result(trace) == 0) continue;
    ++changed;
    const Judgement judgement = judge_recording(trace, {});
    CHECK(judgement.verdict() >= Judged::unknown);
  }
  CHECK(changed > 8);
}

TEST_CASE("of what was recorded on the emulated device no machine code is judged") {
  Trace trace = opened("samples/driver_ptx");
  trace.manifest.device->emulated = true;
  const Judgement judgement = judge_recording(trace, {});
  CHECK(judgement.verdict() == Judged::unknown);
  CHECK(judgement.kernels.at(0).evidence.back().cause == "no hardware");
  REQUIRE(change_result(trace) != 0);
  for (const KernelJudged& kernel : judge_recording(trace, {}).kernels)
    CHECK(kernel.verdict == Judged::unknown);
}

TEST_CASE("of a recording without kernels it is said that there are none") {
  Trace trace = opened("samples/driver_ptx");
  trace.events.clear();
  const Judgement judgement = judge_recording(trace, {});
  CHECK(judgement.verdict() == Judged::unknown);
  CHECK(judgement.notes == std::vector<std::string>{"it launches no kernel that could be judged"});
}
