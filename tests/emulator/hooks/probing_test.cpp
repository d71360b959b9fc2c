// What can be subscribed to, and what the events hold; here and in a process apart.
#include "tests/emulator/hooks/tools.h"

using namespace wedjat::test;

namespace {

std::uint64_t seen(const std::string& kernel, const std::string& options, const std::string& what,
                   Grid grid = {}) {
  const Watched here = watch(kernel, {tool("probing", options)}, grid);
  CHECK(here.failure.empty());
  if (options.find("register") == std::string::npos) {
    const Watched apart = watch(kernel, {tool("probing", options) + ",isolated"}, grid);
    CHECK(apart.tools[0]["detached"] == "");
    CHECK(here.tools[0]["tables"] == apart.tools[0]["tables"]);
  }
  return here.number("seen", what);
}

}  // namespace

TEST_CASE("edges: lanes that leave a block for each of its successors") {
  const auto lanes = [](const char* edge) { return seen(looping, "at=edges", edge); };
  CHECK(lanes("B0-B3") == 24);
  CHECK(lanes("B0-B1") == 8);
  CHECK(lanes("B1-B2") == 8);
  CHECK(lanes("B2-B2") == 7 + 6 + 5 + 4 + 3 + 2 + 1);
  CHECK(lanes("B2-B3") == 8);
}

TEST_CASE("edges of an indexed branch and around a call") {
  const char* const text = R"(.func f(.reg .u32 x) { ret; }
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
ts: .branchtargets A, B;
  brx.idx %r2, ts;
A:
  setp.lt.u32 %p1, %r1, 4;
  @%p1 call f, (%r1);
B:
  ret; })";
  const Watched w = watch(text, {tool("probing", "at=edges")});
  CHECK(w.failure.empty());
  CHECK(w.number("seen", "B0-B1") == 16);
  CHECK(w.number("seen", "B0-B2") == 16);
  CHECK(w.number("seen", "B1-B2") == 16);  // those that call come back
}

TEST_CASE("blocks: lanes that enter them") {
  CHECK(seen(looping, "at=blocks", "block 0") == 32);
  CHECK(seen(looping, "at=blocks", "block 2") == 36);
  CHECK(seen(looping, "at=blocks", "block 3") == 32);
}

TEST_CASE("operands before and after, old memory") {
  // r1 = tid; even lanes add 100.
  CHECK(seen(strided(4), "at=before,opcode=add", "a") != 0);
  const Watched w = watch(strided(4), {tool("probing", "at=after,opcode=add,needs=5")});
  CHECK(w.number("seen", "d") == 31 * 16 - 16 + 0 + 1600 - 240 + 240 - 240);  // 0+2+…+30 = 240, and 100 each
  // @%p1 add.s32 %r1, %r1, 100 overwrote its own operand: INPUTS shows the old one.
  CHECK(w.number("seen", "a") == 240);
  const Watched old =
      watch(strided(4), {tool("probing", "at=after,opcode=st,needs=11")}, {.ctas = 2, .threads = 32});
  // The second CTA finds what the first wrote: lanes, and 100 more for the even ones.
  CHECK(old.number("seen", "old") == 31 * 16 + 1600);
}

TEST_CASE("conditions are judged before a handler is called") {
  const auto events = [](const std::string& more) {
    return seen(strided(4), "at=before,opcode=st," + more, "events", {.ctas = 1, .threads = 128});
  };
  CHECK(events("if=any") == 4);
  CHECK(events("every=3") == 2);
  // 4 bytes a thread from 0x7f0000000000 on: the second warp has bytes 128 to 255.
  CHECK(events("if=address,low=0x7f0000000084,high=0x7f0000000084") == 1);
  CHECK(events("if=address,low=0x7f000000007f,high=0x7f0000000080") == 2);
  CHECK(events("if=address,low=0x7f0000000200,high=0x7f0000000300") == 0);
  // Also of events that need nothing else.
  for (const char* tier : {"", ",isolated"})
    for (const char* condition :
         {"if=address,low=0x7f0000000084,high=0x7f0000000084", "if=value,row=1,low=33,high=33"}) {
      const Watched w =
          watch(strided(4), {tool("probing", "at=before,opcode=st,needs=0," + std::string(condition)) + tier},
                {.ctas = 1, .threads = 128});
      CHECK(w.number("seen", "events") == 1);
    }
  // The value stored is row 1: thread numbers, and 100 more for even ones.
  CHECK(events("if=value,row=1,low=33,high=33") == 1);
  CHECK(events("if=value,row=1,low=97,high=110") == 2);
  CHECK(seen(strided(4), "at=before,opcode=add,if=partial", "events") == 1);
  CHECK(seen(looping, "at=before,opcode=bra,needs=0,if=partial", "events") == 1 + 7);
}

TEST_CASE("pieces: what no operand is the address of") {
  const auto copied = [](const std::string& what) {
    return seen(box_copy, "at=after,opcode=cp,needs=64", what);
  };
  CHECK(copied("events") == 1);
  // Two rows inside: 24 bytes read, written, 8 filled in; two rows outside are filled in.
  CHECK(copied("pieces") == 2 * 3 + 2);
  CHECK(copied("parts") == 2 * 2 + 2 * 2);
  CHECK(copied("read") == 2 * 24);
  CHECK(copied("written") == 4 * 32);
  CHECK(copied("last read") == 0x7f0000000000 + 2 * 64 + 16);
  const auto at = [](const char* more) {
    return seen(box_copy, std::string("at=after,opcode=cp,needs=64,if=address,") + more, "events");
  };
  CHECK(at("low=0x7f0000000067,high=0x7f0000000067") == 1);
  CHECK(at("low=0x7f0000000068,high=0x7f000000006f") == 0);
  CHECK(seen(box_copy, "at=before,opcode=cp,needs=64", "events") == 0);  // nothing is known yet
  // 16 rows of 16 halves, 24 halves apart.
  CHECK(seen(tile_load, "at=after,opcode=wmma,needs=64", "pieces") == 16);
  CHECK(seen(tile_load, "at=after,opcode=wmma,needs=64", "read") == 512);
  CHECK(seen(tile_load, "at=after,opcode=wmma,needs=64", "last read") == 0x7f0000000000 + 15 * 48);
}

TEST_CASE("any register of the running function, whether the instruction names it or not") {
  // At the store: %r2 (tid & 1) is dead since setp, %p1 since the add.
  CHECK(seen(strided(4), "at=before,opcode=st,needs=32,register=%r2", "register") == 16);
  CHECK(seen(strided(4), "at=before,opcode=st,needs=32,register=%p1", "register") == 16);
  CHECK(seen(strided(4), "at=before,opcode=st,needs=32,register=%r1", "register") == 31 * 16 + 1600);
  CHECK(seen(strided(4), "at=before,opcode=st,needs=32,register=%r4", "no register") == 1);
}

TEST_CASE("subscriptions that make no sense are refused, in a process apart too") {
  for (const char* more :
       {"at=after,opcode=ret", "at=before,opcode=st,if=value,row=9", "at=before,opcode=add,if=address",
        "at=before,opcode=st,low=2,high=1,if=address", "at=before,opcode=st,needs=1024",
        "at=after,opcode=st,needs=512", "at=after,opcode=st,needs=64"})
    CHECK(seen(strided(4), more, "events") == 0);
}
