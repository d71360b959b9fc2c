// Tools with WEDJAT_MUTATES: what they may change, and what is refused.
#include "tests/emulator/hooks/tools.h"

using namespace wedjat::test;

namespace {

Watched changed(const std::string& options, const std::string& kernel = strided(4)) {
  Watched w = watch(kernel, {tool("changing", options)});
  CHECK(w.failure.empty());
  return w;
}

std::uint64_t refused(const Watched& w) { return w.cell("changes", "refused"); }

}  // namespace

TEST_CASE("an instruction is skipped, replaced, wrapped") {
  const Watched skipped = changed("do=skip,opcode=st");
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(skipped.word(lane) == 0);
  const Watched replaced = changed("do=replace,opcode=and");
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(replaced.word(lane) == lane);  // no lane is even
  const Watched wrapped = changed("do=original,opcode=and");  // 0 stays 0: still half of the lanes
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    CHECK(wrapped.word(lane) == lane + (lane % 2 == 0 ? 100 : 0));
  CHECK(refused(wrapped) == 0);
}

TEST_CASE("operand rows can be written") {
  const Watched w = changed("do=rows,opcode=and");  // odd lanes become even numbers, even ones odd: none is 0
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(w.word(lane) == lane);
}

TEST_CASE("memory is read and written as a lane sees it") {
  const Watched w = changed("do=memory,opcode=st");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    CHECK(w.word(lane) == lane + (lane % 2 == 0 ? 100 : 0));
    CHECK(w.word(1024 + lane) == 1 + lane);
  }
  CHECK(refused(w) == 0);
}

TEST_CASE("registers and predicates of any lane are written") {
  const Watched value = changed("do=register,opcode=setp,register=%r2");
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    CHECK(value.word(lane) == lane);  // %r2 is 7 and more: none is 0
  const Watched predicate = changed("do=register,opcode=mul,register=%p1,as=predicate");
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    CHECK(predicate.word(lane) == lane + (lane % 4 == 0 ? 100 : 0));
  CHECK(refused(predicate) == 0);
  // Stands for %tid.x: there is no such register to write. The two setp are run by 32 and 36 lanes.
  CHECK(refused(changed("do=register,opcode=setp,register=%r1", looping)) == 32 + 36);
}

TEST_CASE("an instruction PTX lacks") {
  const char* const text = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .pred %p1;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  setp.lt.u32 %p1, %r1, 4;
  mov.u32 %r2, 5;
@%p1 wsum.u32 %r2, %r1;
  st.global.u32 [%rd3], %r2;
  ret; })";
  const Watched w = changed("do=define", text);
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(w.word(lane) == (lane < 4 ? 0 + 1 + 2 + 3 : 5));
  CHECK_THROWS_WITH(watch(text, {tool("changing", "do=nothing")}), doctest::Contains("wsum"));
  CHECK(
      watch(text, {tool("changing", "do=define,launches=7-8")}).failure.find("does not watch this launch") !=
      std::string::npos);
  CHECK_THROWS_WITH(watch(text, {tool("changing", "do=define_add")}),
                    doctest::Contains("PTX has the opcode of 'add.mine'"));
}

TEST_CASE("what cannot be done is refused") {
  CHECK(refused(changed("do=skip,opcode=ret")) == 1);
  CHECK(refused(changed("do=replace,opcode=mov", looping)) == 1);  // %tid.x: folded away
  CHECK_THROWS_WITH(watch(looping, {tool("changing", "do=skip") + ",isolated"}),
                    doctest::Contains("it cannot be isolated"));
}
