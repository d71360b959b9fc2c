// roofline, reuse_distance, cache_model and warp_timeline against counts made by hand.
#include <filesystem>
#include <fstream>

#include "tests/utilities/kernels.h"
#include "tests/utilities/trace_events.h"
#include "tests/utilities/watched.h"

using namespace wedjat::test;

namespace {

/// One thread loads from these lines of 128 bytes in turn; `S` before a number: it stores there.
std::string walk(const std::string& steps) {
  std::string body = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p];
)";
  std::istringstream words(steps);
  for (std::string word; words >> word;) {
    const bool store = word[0] == 'S';
    const std::string at = "[%rd1+" + std::to_string(128 * std::stoi(word.substr(store))) + "]";
    body += store ? "  st.global.u32 " + at + ", %r1;\n" : "  ld.global.u32 %r1, " + at + ";\n";
  }
  return body + "  ret; }";
}

const char* const arithmetic = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .f32 %f<4>; .reg .f64 %fd<3>; .reg .b32 %h<2>; .reg .pred %p1;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  fma.rn.f32 %f2, %f1, %f1, %f1;
  div.rn.f32 %f2, %f2, %f1;
@%p1 add.rn.f32 %f2, %f2, %f1;
  cvt.f64.f32 %fd1, %f2;
  mul.rn.f64 %fd2, %fd1, %fd1;
  mov.b32 %h1, 0x3c003c00;
  fma.rn.f16x2 %h1, %h1, %h1, %h1;
  st.global.f32 [%rd3], %f2;
  ret; })";

// Warp 0 adds twice before the barrier, warp 1 does not.
const char* const meeting = R"(.visible .entry k(.param .u64 p) {
  .reg .b32 %r<3>; .reg .pred %p1;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 32;
@%p1 bra MEET;
  add.u32 %r2, %r1, 1;
  add.u32 %r2, %r2, 1;
MEET:
  bar.sync 0;
  ret; })";

const char* const clocked = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<9>;
  mov.u32 %r1, %clock;
  add.u32 %r2, %r1, 1;
  mov.u32 %r3, %clock;
  mov.u64 %rd1, %clock64;
  ret; })";

}  // namespace

TEST_CASE("roofline: operations by format, bytes by space") {
  const Watched w = watch(arithmetic, {"roofline,gflops=100,gbytes=10"}, {.threads = 48});
  const auto operations = [&](const char* format) {
    for (const auto& row : w.tools[0]["tables"][0]["rows"])
      if (row["format"] == format) return row["operations"].get<int>();
    return 0;
  };
  CHECK(operations("f32") == 48 * (2 + 1) + 24);  // the guarded add: even lanes
  CHECK(operations("f64") == 48);
  CHECK(operations("f16") == 48 * 4);
  CHECK(w.cell("bytes by space", "loaded") == 48 * 4);
  CHECK(w.cell("bytes by space", "stored") == 48 * 4);
  CHECK(w.cell("roofline", "operations") == 48 * 8 + 24);
  CHECK(w.cell("roofline", "sector_bytes") == 2 * 32 * 6);  // 48 words of 4 bytes, twice
  CHECK(w.cell("under the roof", "bend") == 10.0);
  CHECK(w.cell("under the roof", "bound") == "memory");
  CHECK(w.cell("under the roof", "attainable_gflops").get<double>() == doctest::Approx(10.0 * 408 / 384));
}

TEST_CASE("reuse_distance: other lines since the last use") {
  //                              A B A C B A A
  const Watched w = watch(walk("0 1 0 2 1 0 0"), {"reuse_distance"}, {.threads = 1});
  const auto& histogram = w.tools[0]["tables"][0]["rows"];
  REQUIRE(histogram.size() == 3);
  CHECK(histogram[0]["accesses"] == 1);  // 0: the last A
  CHECK(histogram[1]["accesses"] == 1);  // 1: the second A
  CHECK(histogram[2]["accesses"] == 2);  // 2: B after A C, A after C B
  CHECK(w.cell("lines", "accesses") == 7);
  CHECK(w.cell("lines", "cold") == 3);
  CHECK(histogram[2]["hits_percent"].get<double>() == doctest::Approx(100.0 * 4 / 7));
}

TEST_CASE("reuse_distance: whose accesses are one sequence") {
  const auto cold = [](const std::string& options, Grid grid) {
    return watch(walk("0 1 0 1"), {"reuse_distance" + options}, grid).cell("lines", "cold");
  };
  CHECK(cold("", {.ctas = 3, .threads = 64}) == 2);
  CHECK(cold(",scope=cta", {.ctas = 3, .threads = 64}) == 3 * 2);
  CHECK(cold(",scope=warp", {.ctas = 3, .threads = 64}) == 3 * 2 * 2);
  CHECK(cold(",line=256", {.threads = 1}) == 1);
  CHECK_THROWS_AS(watch(walk("0"), {"reuse_distance,scope=moon"}), std::runtime_error);
}

TEST_CASE("cache_model: two ways a set, the least recently used goes") {
  // L1: 4 sets, L2: 8 sets. Lines 0, 4, 8 share a set of L1; 0, 8, 16, 24 one of both.
  const std::string tool = "cache_model,l1=1:2,l2=2:2";
  const auto level = [&](const std::string& steps, const char* which, const char* column) {
    return watch(walk(steps), {tool}, {.threads = 1}).cell("levels", column, which);
  };
  CHECK(level("0 4 8 0 8", "L1", "hits") == 1);
  CHECK(level("0 4 8 0 8", "L1", "accesses") == 5);
  CHECK(level("0 4 8 0 8", "L2", "accesses") == 4);
  CHECK(level("0 4 8 0 8", "L2", "hits") == 1);
  CHECK(level("S0 0", "L1", "hits") == 0);  // a store allocates nothing in L1
  CHECK(level("S0 0", "L2", "hits") == 1);
  CHECK(level("0 S0 0", "L1", "hits") == 2);
  // S0 makes line 0 dirty; 16 replaces 8, 24 replaces 0 and writes it back.
  const Watched w = watch(walk("0 8 S0 16 24"), {tool}, {.threads = 1});
  CHECK(w.cell("memory", "memory_writes") == 1);
  CHECK(w.cell("memory", "memory_reads") == 4);
  // A CTA an SM, each with an L1 of its own; one L2.
  const Watched many = watch(walk("0"), {tool}, {.ctas = 3, .threads = 32});
  CHECK(many.cell("levels", "hits", "L1") == 0);
  CHECK(many.cell("levels", "hits", "L2") == 2);
  const Watched one = watch(walk("0"), {tool + ",sms=1"}, {.ctas = 3, .threads = 32});
  CHECK(one.cell("levels", "hits", "L1") == 2);
  CHECK_THROWS_AS(watch(walk("0"), {"cache_model,l1=1:3"}), std::runtime_error);
}

TEST_CASE("warp_timeline: latencies add up, barriers wait for the last") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".json";
  const Watched w = watch(meeting, {"warp_timeline,file=" + file}, {.threads = 64});
  const auto& warps = w.tools[0]["tables"][0]["rows"];
  REQUIRE(warps.size() == 2);
  // 3 or 5 instructions of 4 cycles, 20 for the barrier, 4 for ret.
  CHECK(warps[0]["stop"] == 5 * 4 + 20 + 4);
  CHECK(warps[0]["waiting"] == 0);
  CHECK(warps[1]["stop"] == 5 * 4 + 20 + 4);
  CHECK(warps[1]["waiting"] == 2 * 4);
  CHECK(warps[1]["busy"] == 3 * 4 + 20 + 4);
  CHECK(w.cell("totals", "cycles") == 44);

  std::ifstream in(file);
  const auto trace = nlohmann::json::parse(in);
  std::filesystem::remove(file);
  std::uint64_t slices = 0, waited = 0;
  for (const auto& event : trace["traceEvents"]) {
    slices += event["ph"] == "X";
    if (event["name"] == "barrier") waited += event["dur"].get<std::uint64_t>();
  }
  CHECK(slices == 3);
  CHECK(waited == 8);
  CHECK(trace["otherData"]["model"] == "latency");
}

TEST_CASE("warp_timeline: the trace is as its format asks, by every model and with several CTAs of an SM") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".json";
  const std::vector<std::pair<const char*, std::string>> runs{
      {meeting, "latency,sms=2"}, {meeting, "h200"}, {clocked, "clock"}};
  for (const auto& run : runs) {
    INFO(run.second);
    watch(run.first, {"warp_timeline,file=" + file + ",model=" + run.second}, {.ctas = 300, .threads = 64});
    std::ifstream in(file);
    CHECK(trace_events::faults_of_trace(nlohmann::json::parse(in)) == "");
  }
  std::filesystem::remove(file);
}

TEST_CASE("what is wrong with a trace is told") {
  const auto faults = [](const std::string& events) {
    return trace_events::faults_of_trace(nlohmann::json::parse(R"({"traceEvents":[)" + events + "]}"));
  };
  const std::string named = R"({"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"a"}})";
  const auto slice = [](const std::string& when) {
    return R"(,{"ph":"X","name":"k","pid":1,"tid":1,)" + when + "}";
  };
  CHECK(faults(named + slice(R"("ts":0,"dur":9)") + slice(R"("ts":2,"dur":7)")) == "");
  CHECK(faults(named + slice(R"("ts":0,"dur":9)") + slice(R"("ts":2,"dur":8)")) != "");
  CHECK(faults(named + slice(R"("ts":0,"dur":-1)")) != "");
  CHECK(faults(slice(R"("ts":0,"dur":1)").substr(1)) != "");
  CHECK(faults(R"({"ph":"X","name":"k","pid":0,"tid":1,"ts":0,"dur":1})") != "");
}

TEST_CASE("warp_timeline: a page shows what the trace for Perfetto has") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".html";
  const Watched w = watch(meeting, {"warp_timeline,file=" + file}, {.threads = 64});
  std::ifstream in(file);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  CHECK(page.find("cycles 0 to 44") != page.npos);
  CHECK(page.find("CTA 0 warp 1</b><span><i") != page.npos);  // bars begin beside the name, not under it
  std::size_t bars = 0;
  for (std::size_t at = page.find("<i"); at != page.npos; at = page.find("<i", at + 1)) ++bars;
  CHECK(bars == 3 + 1);  // and the one that stretches the page
}

TEST_CASE("warp_timeline: CTAs take the places of their SM in turn") {
  const Watched w = watch(meeting, {"warp_timeline,sms=2,resident=1"}, {.ctas = 5, .threads = 32});
  const auto& warps = w.tools[0]["tables"][0]["rows"];
  REQUIRE(warps.size() == 5);
  for (int cta = 0; cta < 5; ++cta) {
    CHECK(warps[cta]["sm"] == cta % 2);
    CHECK(warps[cta]["start"] == cta / 2 * 44);
  }
  CHECK(w.cell("totals", "cycles") == 3 * 44);
}

TEST_CASE("warp_timeline: with measured times who reads a result waits for it, and nobody else") {
  const auto cycles = [](const std::string& body) {
    const std::string kernel =
        ".visible .entry k(.param .u64 p) {\n  .reg .f32 %f<9>; .shared .b8 tile[16];\n" + body +
        "  st.shared.f32 [tile], %f1; st.shared.f32 [tile+4], %f2; st.shared.f32 [tile+8], %f4; ret; }";
    return watch(kernel.c_str(), {"warp_timeline,model=h200"}, {.threads = 32})
        .cell("totals", "cycles")
        .get<std::uint64_t>();
  };
  const std::string chain = "  fma.rn.f32 %f1, %f1, %f1, %f1;\n",
                    other = "  fma.rn.f32 %f2, %f3, %f3, %f3;\n",
                    another = "  fma.rn.f32 %f4, %f3, %f3, %f3;\n";
  const std::uint64_t two = cycles(chain + chain);
  CHECK(cycles(chain + chain + chain) == two + 4);
  CHECK(cycles(chain + other + chain) == two);
  CHECK(cycles(other + another) <= cycles(other) + 1);
}

TEST_CASE("warp_timeline: what the kernel read of its clock") {
  const Watched w = watch(clocked, {"warp_timeline,model=clock"}, {.ctas = 2, .threads = 64});
  const auto& warps = w.tools[0]["tables"][0]["rows"];
  REQUIRE(warps.size() == 4);
  for (const auto& warp : warps) {
    CHECK(warp["reads"] == 3);
    CHECK(warp["cycles"].get<std::uint64_t>() ==
          warp["stop"].get<std::uint64_t>() - warp["start"].get<std::uint64_t>());
    CHECK(warp["cycles"].get<std::uint64_t>() > 0);
  }
}
