// What is open and what is not, from logs written by hand.
#include "traces/order/explain.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstring>

using namespace wedjat::traces;

namespace {

constexpr std::uint64_t base = 0x7f0000000000;

struct Hand {
  wedjat_instruction store{}, other_store{}, red{}, atom{};
  wedjat_kernel kernel{};
  WriteLog log{{{base, 64}}};

  Hand() {
    store.text = "st.global.u32 [%rd1], %r1", store.ptx_line = 10;
    other_store.text = "st.global.u32 [%rd1], %r2", other_store.ptx_line = 11;
    red.text = "red.global.add.f32 [%rd1], %f1", red.ptx_line = 12;
    atom.text = "atom.global.add.u32 %r3, [%rd2], 1", atom.ptx_line = 13;
    kernel.name = "k", kernel.ptx_file = "k.ptx";
  }
  Write& write(Write::Kind kind, const wedjat_instruction& at, std::uint64_t offset, std::uint32_t value,
               std::uint64_t cta, std::uint32_t old = 0) {
    last = {};
    last.kind = kind, last.place = {base + offset, 4}, last.at = &at, last.kernel = &kernel, last.cta = cta;
    std::memcpy(last.value.data(), &value, 4);
    std::memcpy(last.old.data(), &old, 4);
    return last;
  }
  void stores(std::uint64_t offset, std::uint32_t value, std::uint64_t cta) {
    log.add(write(Write::Kind::store, store, offset, value, cta));
  }
  void adds(float value, std::uint64_t cta, float old) {
    log.add(write(Write::Kind::sum_f32, red, 0, std::bit_cast<std::uint32_t>(value), cta,
                  std::bit_cast<std::uint32_t>(old)));
  }
  std::vector<Open> explained(std::vector<std::uint32_t> expected, std::vector<std::uint32_t> got) {
    return explain({5, base, std::as_bytes(std::span(expected)), std::as_bytes(std::span(got))}, log);
  }
  Write last;
};

std::uint32_t f32(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

TEST_CASE("a sum in another order is open, a sum of other numbers is not") {
  Hand hand;
  hand.adds(0x1p24f, 0, 0), hand.adds(1, 1, 0x1p24f), hand.adds(1, 2, 0x1p24f);
  const auto open = hand.explained({f32(0x1p24f + 2)}, {f32(0x1p24f)});
  REQUIRE(open.size() == 1);
  CHECK(open[0].kind == "sum order");
  CHECK(open[0].first == 0);
  CHECK(open[0].last == 3);
  CHECK(open[0].line == 12);
  for (const char* part : {"3 additions", "red.global.add.f32", "k.ptx:12", "0x7f0000000000",
                           "CTA 2 thread 0", "16777216 as here", "16777218 as on the hardware"})
    CHECK_MESSAGE(open[0].evidence.find(part) != std::string::npos, part);
  CHECK(hand.explained({f32(0x1p24f + 4)}, {f32(0x1p24f)}).empty());
  // What the log adds up to is not what is here: something wrote unseen.
  CHECK(hand.explained({f32(0x1p24f + 2)}, {f32(5)}).empty());
}

TEST_CASE("what the host wrote counts from then on only") {
  Hand hand;
  hand.adds(3, 0, 0);
  Write host;
  host.kind = Write::Kind::host, host.place = {base, 64};
  hand.log.add(host);
  CHECK(hand.explained({f32(1)}, {f32(3)}).empty());
  hand.adds(0x1p24f, 0, 0), hand.adds(1, 1, 0x1p24f), hand.adds(1, 2, 0x1p24f);
  CHECK(hand.explained({f32(0x1p24f + 2)}, {f32(0x1p24f)}).size() == 1);
}

TEST_CASE("the last of several stores is open if nothing orders them and one of them is the hardware's") {
  Hand hand;
  hand.stores(0, 7, 0), hand.stores(0, 8, 1), hand.stores(0, 9, 2);
  REQUIRE(hand.explained({8}, {9}).size() == 1);
  CHECK(hand.explained({8}, {9})[0].kind == "last store");
  CHECK(hand.explained({6}, {9}).empty());
  hand.log.has_order(hand.kernel);
  CHECK(hand.explained({8}, {9}).empty());
}

TEST_CASE("stores of one CTA may be ordered by its barriers") {
  Hand hand;
  hand.stores(0, 7, 0);
  Write& second = hand.write(Write::Kind::store, hand.other_store, 0, 9, 0);
  second.thread = 64;
  hand.log.add(second);
  CHECK(hand.explained({7}, {9}).empty());
}

TEST_CASE("values at other places are open if an atomic hands the places out") {
  Hand hand;
  hand.stores(0, 7, 0), hand.stores(4, 8, 1), hand.stores(8, 9, 2);
  CHECK(hand.explained({9, 7, 8}, {7, 8, 9}).empty());
  hand.log.ran(0, hand.atom);
  const auto open = hand.explained({9, 7, 8}, {7, 8, 9});
  REQUIRE(open.size() == 3);
  CHECK(open[1].kind == "tickets");
  CHECK(open[1].evidence.find("ptx line 13") != std::string::npos);
  CHECK(hand.explained({9, 7, 6}, {7, 8, 9}).empty());
  CHECK(hand.explained({7, 8, 6}, {7, 8, 9}).empty());
}

TEST_CASE("places that nobody wrote, or that were written in parts, are not explained") {
  Hand hand;
  CHECK(hand.explained({1}, {2}).empty());
  hand.stores(0, 7, 0);
  Write& half = hand.write(Write::Kind::store, hand.store, 2, 1, 1);
  half.place.bytes = 2;
  hand.log.add(half);
  CHECK(hand.explained({8}, {9}).empty());
}

TEST_CASE("a place whose other bytes the host has written since is not explained") {
  Hand hand;
  hand.stores(0, 7, 0), hand.stores(0, 9, 1);
  REQUIRE(hand.explained({7}, {9}).size() == 1);
  Write host;
  host.kind = Write::Kind::host, host.place = {base + 2, 2};
  hand.log.add(host);
  CHECK(hand.explained({7}, {9}).empty());
}
