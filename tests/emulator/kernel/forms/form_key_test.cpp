#include "emulator/kernel/forms/form_key.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "emulator/kernel/legality/word_order.h"

using namespace wedjat::kernel;

TEST_CASE("words that are types") {
  for (const char* word : {"u8", "s64", "b128", "f16", "f16x2", "bf16", "bf16x2", "tf32", "pred", "e4m3",
                           "e5m2x2", "ue8m0x2", "b1", "row", "col"}) {
    INFO(word);
    CHECK(is_type_word(word));
  }
  for (const char* word : {"rn", "v4", "sat", "sync", "b", "u", "x4", "e4", "m8n8", "shared::cta", "b8x",
                           "ftz", "eq", "m16n8k16", "bf"}) {
    INFO(word);
    CHECK_FALSE(is_type_word(word));
  }
}

TEST_CASE("a key keeps the order of types and sorts the rest") {
  const auto key = [](std::vector<std::string_view> words) { return form_key("cvt", words); };
  CHECK(key({"rn", "ftz", "f16", "f32"}) == "cvt.f16.f32.ftz.rn");
  CHECK(key({"ftz", "f16", "rn", "f32"}) == "cvt.f16.f32.ftz.rn");
  CHECK(key({"f32", "f16"}) != key({"f16", "f32"}));
  CHECK(key({"sync", "sync"}) == "cvt.sync");
}

TEST_CASE("words of an instruction's name stand first, in their order") {
  const auto fits = [](std::string_view text, std::vector<std::string_view> words) {
    const auto form = std::ranges::find(all_forms(), text, &Form::text);
    REQUIRE(form != all_forms().end());
    return name_stands_first(*form, words);
  };
  CHECK(fits("mul.lo.s32", {"lo", "s32"}));
  CHECK(fits("mul.rn.ftz.f32", {"ftz", "rn", "f32"}));
  CHECK_FALSE(fits("mul.lo.s32", {"s32", "lo"}));
  CHECK_FALSE(fits("mad.hi.sat.s32", {"sat", "hi", "s32"}));
  const char* const load = "wmma.load.a.sync.aligned.row.m16n16k16.f16";
  CHECK(fits(load, {"load", "a", "sync", "aligned", "row"}));
  CHECK_FALSE(fits(load, {"a", "load", "sync", "aligned", "row"}));
  CHECK_FALSE(fits(load, {"load", "sync", "a", "aligned", "row"}));
  CHECK(fits("bar.sync", {"cta", "sync"}));
  CHECK_FALSE(fits("bar.sync", {"sync", "cta"}));
  CHECK(fits("add.rn.f32", {"f32", "rn"}));
}
