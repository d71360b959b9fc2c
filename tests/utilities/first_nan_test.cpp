// Where NaN and infinities come from, by hand.
#include "tests/utilities/watched.h"

using namespace wedjat::test;

namespace {

// tid as f32 in %f1, the thread's word of the buffer at [%rd3].
std::string kernel(const std::string& body) {
  return R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .f32 %f<8>; .reg .pred %p<2>; .shared .f32 s[64];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  cvt.rn.f32.u32 %f1, %r1;
)" + body +
         "\n  ret; }";
}

nlohmann::json origins(const Watched& w) { return w.tools[0]["tables"][0]["rows"]; }

}  // namespace

TEST_CASE("the first NaN, and where it went") {
  // Lane 0: 0 / 0 is NaN; it goes through an addition and shared memory to the buffer, that the host copies.
  const Watched w = watch(kernel(R"(
  div.rn.f32 %f2, %f1, %f1;
  add.f32 %f3, %f2, 0f3F800000;
  st.shared.f32 [s], %f3;
  ld.shared.f32 %f4, [s];
  st.global.f32 [%rd3], %f3;)"),
                          {"first_nan"}, {.ctas = 2, .threads = 32});
  REQUIRE(origins(w).size() == 1);
  const auto origin = origins(w)[0];
  CHECK(origin["kind"] == "first-nan");
  CHECK(origin["place"] == "ptx:12");
  CHECK(origin["thread"] == 0);
  CHECK(origin["lanes"] == 2);   // lane 0 of two CTAs
  CHECK(origin["stored"] == 4);  // by lane 0, to shared and to global memory
  CHECK(origin["copied"] == 1);  // both CTAs write the same word
  CHECK(w.tools[0]["warnings"] == 1);
  CHECK(w.tools[0]["errors"] == 0);
}

TEST_CASE("infinity, what becomes of it, and NaN of two infinities") {
  const Watched w = watch(kernel(R"(
  mul.f32 %f2, %f1, 0f7F000000;
  mul.f32 %f3, %f2, %f2;
  sub.f32 %f4, %f3, %f3;
  st.global.f32 [%rd3], %f4;)"),
                          {"first_nan"});
  REQUIRE(origins(w).size() == 3);
  // 2^127 * 2 and more overflows; lane 1's 2^127 squared does; infinity minus itself is NaN.
  CHECK(origins(w)[0]["kind"] == "first-infinity");
  CHECK(origins(w)[0]["lanes"] == 30);
  CHECK(origins(w)[1]["kind"] == "first-infinity");
  CHECK(origins(w)[1]["lanes"] == 1);
  CHECK(origins(w)[2]["kind"] == "first-nan");
  CHECK(origins(w)[2]["lanes"] == 31);
  CHECK(origins(w)[2]["stored"] == 31);
  const Watched only = watch(kernel("mul.f32 %f2, %f1, 0f7F000000;\n  mul.f32 %f3, %f2, 0f7F000000;"),
                             {"first_nan,infinities=0"});
  CHECK(origins(only).empty());
}

TEST_CASE("a NaN that was there before, and one through a reduction in the warp") {
  const Watched w = watch(kernel(R"(
  setp.eq.u32 %p1, %r1, 5;
@%p1 st.global.u32 [%rd3], 0x7FC00000;
  ld.global.f32 %f2, [%rd3];
  mov.b32 %r2, %f2;
  shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;
  mov.b32 %f3, %r3;
  add.f32 %f4, %f2, %f3;
  st.global.f32 [%rd3], %f4;)"),
                          {"first_nan"});
  REQUIRE(origins(w).size() == 1);
  CHECK(origins(w)[0]["kind"] == "nan-input");
  CHECK(origins(w)[0]["place"] == "ptx:14");
  CHECK(origins(w)[0]["stored"] == 2);  // lanes 4 and 5
  CHECK(origins(w)[0]["copied"] == 2);
}

TEST_CASE("no NaN, nothing told") {
  const Watched w = watch(kernel("add.f32 %f2, %f1, %f1;\n  st.global.f32 [%rd3], %f2;"), {"first_nan"});
  CHECK(origins(w).empty());
  CHECK(w.tools[0]["warnings"] == 0);
}
