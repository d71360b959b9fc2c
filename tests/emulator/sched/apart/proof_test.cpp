// What is shown of kernels before they run: that no CTA changes what another one touches.
#include "emulator/sched/apart/proof.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "tests/emulator/sched/ptx_launch.h"

using namespace wedjat;
using test::Shape;

namespace {

bool is_proven(const exec::Launch& launch) {
  sched::apart::Proofs proofs;
  const sched::apart::Apart* const apart = proofs.of(launch);
  return apart != nullptr && apart->indirect.empty();
}

bool is_proven(const std::string& body, const Shape& shape = {}) {
  return is_proven(test::PtxLaunch(body, shape).launch());
}

// Steps that read where nobody knows; nothing if it is not shown that all others keep apart.
std::optional<std::size_t> indirect_reads(const std::string& body, const Shape& shape = {}) {
  test::PtxLaunch made(body, shape);
  sched::apart::Proofs proofs;
  const sched::apart::Apart* const apart = proofs.of(made.launch());
  return apart == nullptr ? std::nullopt : std::optional(apart->indirect.size());
}

// %rd5: where the element %r2 of the array b lies.
const std::string own_element = "mul.wide.s32 %rd4, %r2, 4; add.s64 %rd5, %rd2, %rd4;\n";
const std::string guard = "setp.ge.s32 %p1, %r2, %r1; @%p1 bra END;\n";

}  // namespace

TEST_CASE("each thread has an element of its own") {
  CHECK(is_proven(own_element + "st.global.u32 [%rd5], %r2;"));
  CHECK(is_proven(own_element + "ld.global.u32 %r6, [%rd5]; st.global.u32 [%rd5], %r6;"));
  CHECK(is_proven(own_element + "red.global.add.u32 [%rd5], 1;"));
  CHECK(is_proven(own_element + "st.u32 [%rd5], %r2;"));

  SUBCASE("or shares it with its neighbour") {
    CHECK_FALSE(is_proven(own_element + "st.global.u32 [%rd5+2], %r2; st.global.u8 [%rd5], %r2;"));
    CHECK_FALSE(is_proven(own_element + "st.global.v2.u32 [%rd5], {%r2, %r2};"));
    CHECK_FALSE(is_proven(own_element + "ld.global.u32 %r6, [%rd5+4]; st.global.u32 [%rd5], %r6;"));
  }
  SUBCASE("or reads its neighbour's of another array") {
    CHECK(is_proven(own_element +
                    "add.s64 %rd6, %rd1, %rd4; ld.global.u32 %r6, [%rd6+4]; st.global.u32 [%rd5], %r6;"));
  }
  SUBCASE("or nobody knows which") {
    CHECK_FALSE(
        is_proven("ld.global.u32 %r6, [%rd1]; mul.wide.u32 %rd4, %r6, 4; add.s64 %rd5, %rd2, %rd4;"
                  "st.global.u32 [%rd5], %r6;"));
  }
}

TEST_CASE("all threads of a CTA have one element, or all CTAs have") {
  const std::string of_cta = "mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd2, %rd4;";
  CHECK(is_proven(of_cta + "st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(is_proven("st.global.u32 [%rd2], %r2;"));
  CHECK(is_proven("setp.ne.s32 %p1, %r3, 3; @%p1 bra END; st.global.u32 [%rd2], %r2;"));
  CHECK(is_proven("setp.eq.s32 %p1, %r3, 3; @%p1 st.global.u32 [%rd2], %r2;"));
  CHECK_FALSE(is_proven("setp.ne.s32 %p1, %r3, 3; @%p1 st.global.u32 [%rd2], %r2;"));
}

TEST_CASE("a plane whose rows are no multiple of a CTA's") {
  const std::string plane = R"(mov.u32 %r6, %ctaid.y; mov.u32 %r7, %ntid.y; mov.u32 %r8, %tid.y;
    mad.lo.s32 %r9, %r6, %r7, %r8; mad.lo.s32 %r10, %r9, %r1, %r2;
    mul.wide.s32 %rd4, %r10, 4; add.s64 %rd5, %rd2, %rd4;)";
  const Shape shape{.grid = {4, 16, 1}, .block = {32, 4, 1}, .n = 100};
  // Who is to the right of a row is at the beginning of the next one.
  CHECK_FALSE(is_proven(plane + "st.global.u32 [%rd5], %r2;", shape));
  CHECK(is_proven(guard + plane + "st.global.u32 [%rd5], %r2;", shape));
  CHECK(is_proven("setp.lt.s32 %p1, %r2, %r1;" + plane + "@%p1 st.global.u32 [%rd5], %r2;", shape));
  CHECK(is_proven("setp.ge.u32 %p1, %r2, %r1; setp.ge.or.s32 %p2, %r3, 4, %p1; @%p2 bra END;" + plane +
                      "st.global.u32 [%rd5], %r2;",
                  shape));
}

TEST_CASE("a plane of which each thread has several rows") {
  // Threads (32, 8) of a CTA have 32 rows of 32 elements: each thread four, eight rows apart.
  const auto rows = [](const std::string& apart) {
    return R"(mov.u32 %r6, %ctaid.y; mov.u32 %r7, %tid.y; mov.u32 %r8, %tid.x; shl.b32 %r9, %r6, 5; add.s32 %r9, %r9, %r7;
    shl.b32 %r10, %r3, 5; add.s32 %r10, %r10, %r8; mul.wide.s32 %rd4, %r9, %r1; cvt.s64.s32 %rd5, %r10;
    add.s64 %rd4, %rd4, %rd5; shl.b64 %rd4, %rd4, 2; add.s64 %rd5, %rd2, %rd4; mul.wide.s32 %rd6, %r1, )" +
           apart + R"(; st.global.u32 [%rd5], %r2; add.s64 %rd5, %rd5, %rd6; st.global.u32 [%rd5], %r2;
    add.s64 %rd5, %rd5, %rd6; st.global.u32 [%rd5], %r2; add.s64 %rd5, %rd5, %rd6; st.global.u32 [%rd5], %r2;)";
  };
  const Shape shape{.grid = {8, 8, 1}, .block = {32, 8, 1}, .n = 256};
  CHECK(is_proven(rows("32"), shape));
  // The fourth lies in the rows of the CTA below.
  CHECK_FALSE(is_proven(rows("64"), shape));
  CHECK_FALSE(is_proven(rows("32"), {.grid = {8, 8, 1}, .block = {32, 9, 1}, .n = 256}));
  // Rows are shorter than what CTAs have of them.
  CHECK_FALSE(is_proven(rows("32"), {.grid = {9, 8, 1}, .block = {32, 8, 1}, .n = 256}));
}

TEST_CASE("loops") {
  // A number is compared with the bound before and after each round, as compilers do.
  const std::string strides = guard + R"(mov.u32 %r6, %nctaid.x; mul.lo.s32 %r7, %r6, %r4;
LOOP: mul.wide.s32 %rd4, %r2, 4; add.s64 %rd5, %rd2, %rd4; st.global.u32 [%rd5], %r7;
    add.s32 %r2, %r2, %r7; setp.lt.s32 %p2, %r2, %r1; @%p2 bra LOOP;)";
  CHECK(is_proven(strides, {.n = 9000}));
  // Pointers are counted on, and who counts down to 0 counts the rounds.
  const std::string row = R"(mul.lo.s32 %r6, %r3, %r1; mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd2, %rd4;
    mov.u32 %r7, %r1;
LOOP: st.global.u32 [%rd5], %r7; add.s64 %rd5, %rd5, 4; add.s32 %r7, %r7, -1;
    setp.ne.s32 %p2, %r7, 0; @%p2 bra LOOP;)";
  CHECK(is_proven(row));
  SUBCASE("one element more is the next CTA's") {
    std::string more = row;
    more.replace(more.find("mov.u32 %r7, %r1"), 16, "add.s32 %r7, %r1, 1");
    CHECK_FALSE(is_proven(more));
  }
  SUBCASE("who counts past 0 goes on") {
    std::string past = row;
    past.replace(past.find("%r7, -1"), 7, "%r7, -3");
    CHECK_FALSE(is_proven(past));
  }
  SUBCASE("in a loop") {
    CHECK(is_proven(R"(mul.lo.s32 %r6, %r3, 400; mov.u32 %r8, 0;
OUTER: mov.u32 %r7, 0;
INNER: mad.lo.s32 %r9, %r8, 20, %r7; add.s32 %r9, %r9, %r6; mul.wide.s32 %rd4, %r9, 4;
      add.s64 %rd5, %rd2, %rd4; st.global.u32 [%rd5], %r7; add.s32 %r7, %r7, 1;
      setp.lt.s32 %p1, %r7, 20; @%p1 bra INNER;
      add.s32 %r8, %r8, 1; setp.lt.s32 %p2, %r8, 20; @%p2 bra OUTER;)"));
  }
  SUBCASE("whose end nobody knows") {
    CHECK_FALSE(is_proven(own_element + R"(
LOOP: ld.global.u32 %r6, [%rd1]; st.global.u32 [%rd5], %r6; add.s64 %rd5, %rd5, 4;
      setp.lt.s32 %p1, %r6, 100; @%p1 bra LOOP;)"));
  }
}

TEST_CASE("reads at addresses that were loaded") {
  const std::string index = own_element + "add.s64 %rd6, %rd1, %rd4; ld.global.u32 %r6, [%rd6];";
  const std::string gather =
      index + "mul.wide.u32 %rd7, %r6, 4; add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r7, [%rd8];";
  CHECK(indirect_reads(gather + "st.global.u32 [%rd5], %r7;") == 1);
  CHECK(indirect_reads(gather + "ld.global.u32 %r8, [%rd8+4]; st.global.u32 [%rd5], %r7;") == 2);
  CHECK(indirect_reads(index +
                       "ld.global.u64 %rd7, [%rd6]; ld.u32 %r7, [%rd7]; st.global.u32 [%rd5], %r7;") == 1);
  SUBCASE("that can only be among what nobody writes") {
    CHECK(indirect_reads(index + "and.b32 %r6, %r6, 255; mul.wide.u32 %rd7, %r6, 4; add.s64 %rd8, %rd1, %rd7;"
                                 "ld.global.u32 %r7, [%rd8]; st.global.u32 [%rd5], %r7;") == 0);
  }
  SUBCASE("in loops whose rounds were loaded") {
    CHECK(indirect_reads(index + R"(mov.u32 %r8, 0; mov.u32 %r9, 0;
LOOP: mul.wide.u32 %rd7, %r6, 4; add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r7, [%rd8]; add.s32 %r9, %r9, %r7;
      add.s32 %r8, %r8, 1; setp.lt.s32 %p1, %r8, %r6; @%p1 bra LOOP;
      st.global.u32 [%rd5], %r9;)") == 1);
  }
  SUBCASE("do not help who writes or updates there, or where another CTA's element is known to be") {
    CHECK_FALSE(indirect_reads(gather + "st.global.u32 [%rd8], %r7;"));
    CHECK_FALSE(indirect_reads(gather + "red.global.add.u32 [%rd8], %r7;"));
    CHECK_FALSE(indirect_reads(gather + "st.global.u32 [%rd2], %r7;"));
    CHECK_FALSE(indirect_reads(gather + "ld.global.u32 %r8, [%rd5+4]; st.global.u32 [%rd5], %r8;"));
  }
  SUBCASE("where most of what lies between what is written is not") {
    CHECK_FALSE(indirect_reads(gather + "mul.wide.s32 %rd4, %r2, 64; add.s64 %rd5, %rd2, %rd4;"
                                        "st.global.u32 [%rd5], %r7;"));
  }
}

TEST_CASE("numbers that wrap around, are limited or shifted") {
  // 2^30 times 4 is 0 in 32 bits.
  CHECK_FALSE(
      is_proven("shl.b32 %r6, %r2, 30; shl.b32 %r7, %r6, 2; cvt.u64.u32 %rd4, %r7;"
                "add.s64 %rd5, %rd2, %rd4; st.global.u32 [%rd5], %r2;"));
  CHECK(
      is_proven("shl.b32 %r7, %r2, 2; cvt.u64.u32 %rd4, %r7; add.s64 %rd5, %rd2, %rd4;"
                "st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(is_proven("min.s32 %r2, %r2, 500;" + own_element + "st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(is_proven("and.b32 %r2, %r2, 255;" + own_element + "st.global.u32 [%rd5], %r2;"));
  CHECK(
      is_proven("and.b32 %r6, %r5, 31; shr.u32 %r7, %r5, 5; mad.lo.s32 %r2, %r3, 36, %r6;"
                "add.s32 %r2, %r2, %r7;" +
                own_element + "st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(
      is_proven("and.b32 %r6, %r5, 31; shr.u32 %r7, %r5, 5; mad.lo.s32 %r2, %r3, 32, %r6;"
                "add.s32 %r2, %r2, %r7;" +
                own_element + "st.global.u32 [%rd5], %r2;"));
  CHECK(
      is_proven("cvt.s64.s32 %rd6, %r2; shl.b64 %rd7, %rd6, 34; shr.s64 %rd4, %rd7, 32;"
                "add.s64 %rd5, %rd2, %rd4; st.global.u32 [%rd5], %r2;"));
  CHECK(is_proven("shl.b32 %r6, %r3, 7; or.b32 %r2, %r6, %r5;" + own_element + "st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(
      is_proven("shl.b32 %r6, %r3, 6; or.b32 %r2, %r6, %r5;" + own_element + "st.global.u32 [%rd5], %r2;"));
  // A 32-bit sum that passes 2^31 is another address when it is widened.
  CHECK_FALSE(
      is_proven("add.s32 %r6, %r2, 2147483000; mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd2, %rd4;"
                "st.global.u32 [%rd5], %r2;"));
}

TEST_CASE("registers that hold something else by now") {
  CHECK_FALSE(is_proven(own_element + "setp.lt.s32 %p1, %r5, 3; @%p1 mov.u64 %rd5, %rd2;"
                                      "st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(is_proven(own_element + "setp.lt.s32 %p1, %r5, 3; @%p1 bra ON; mov.u64 %rd5, %rd2;"
                                      "ON: st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(is_proven(own_element + "setp.lt.s32 %p1, %r5, 3; selp.b64 %rd6, %rd5, %rd2, %p1;"
                                      "st.global.u32 [%rd6], %r2;"));
}

TEST_CASE("calls, textures of one memory and what is in order are not looked into") {
  CHECK_FALSE(is_proven(own_element + "atom.global.add.u32 %r6, [%rd1], 1; st.global.u32 [%rd5], %r6;"));
  CHECK_FALSE(is_proven(own_element + "ld.acquire.gpu.global.u32 %r6, [%rd5]; st.global.u32 [%rd5], %r6;"));
}

TEST_CASE("one memory at two addresses") {
  const std::string copy =
      own_element + "add.s64 %rd6, %rd1, %rd4; ld.global.u32 %r6, [%rd6+4]; st.global.u32 [%rd5], %r6;";
  test::PtxLaunch made(copy);
  CHECK(is_proven(made.launch()));
  made.memory.free(made.a);
  made.memory.adopt_at(made.a, made.memory.host(made.b, made.bytes, "test"), made.bytes, "the same again");
  CHECK_FALSE(is_proven(made.launch()));
}

TEST_CASE("addresses that stand for several places") {
  test::PtxLaunch made(own_element + "st.global.u32 [%rd5], %r2;");
  memory::MulticastTable several;
  exec::Launch launch = made.launch();
  launch.multicast = &several;
  CHECK(is_proven(launch));
  several.bind(0x7f1300000000, {4096, {made.a, made.b}});
  CHECK_FALSE(is_proven(launch));
}

TEST_CASE("what was shown holds for the same parameters and shape") {
  sched::apart::Proofs proofs;
  test::PtxLaunch made(own_element + "st.global.u32 [%rd5], %r2;");
  exec::Launch launch = made.launch();
  CHECK(proofs.of(launch) != nullptr);
  CHECK(proofs.of(launch) != nullptr);
  launch.grid = {64, 2, 1};
  CHECK(proofs.of(launch) == nullptr);
  launch.grid = {2, 1, 1};
  CHECK(proofs.of(launch) == nullptr);  // over before it is shown
  proofs.ran(0.0001);
  CHECK(proofs.of(launch) == nullptr);
  proofs.ran(0.01);
  CHECK(proofs.of(launch) != nullptr);  // it is not
}

TEST_CASE("kernels of very many blocks, registers or loops in loops are left alone in little time") {
  std::string blocks, registers = ".reg .b64 %q<20000>;\n", loops, ends;
  for (int i = 0; i < 20'000; ++i) {
    blocks +=
        fmt::format("setp.eq.s32 %p1, %r5, {}; @%p1 bra L{}; add.s32 %r6, %r6, 1; L{}:\n", i % 100, i, i);
    registers += fmt::format("add.s64 %q{}, %rd1, {};\n", i, i);
  }
  registers += "setp.eq.s32 %p1, %r5, 1; @%p1 bra ON; mov.u32 %r6, 1; ON:\n";
  for (int i = 0; i < 20'000; i += 2) registers += fmt::format("st.global.u64 [%q{}], %q{};\n", i, i + 1);
  for (int i = 0; i < 12; ++i) {
    loops += fmt::format("mov.u32 %r{}, 0; L{}:\n", 10 + i, i);
    ends = fmt::format("add.s32 %r{}, %r{}, 1; setp.lt.s32 %p1, %r{}, 3; @%p1 bra L{};\n", 10 + i, 10 + i,
                       10 + i, i) +
           ends;
  }
  for (const std::string& body :
       {blocks, registers, loops + own_element + "st.global.u32 [%rd5], %r2;\n" + ends})
    CHECK_FALSE(is_proven(body));
}
