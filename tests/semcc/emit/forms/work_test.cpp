// What forms compute, against counts by hand.
#include "emulator/kernel/forms/work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "emulator/kernel/forms/form_table.h"

using namespace wedjat::kernel;

namespace {

// "f32:2", of a warp "f16:4096w"; by the text of the form.
std::string work(std::string_view text) {
  const auto forms = all_forms();
  const auto form = std::ranges::find(forms, text, &Form::text);
  if (form == forms.end()) return "no such form";
  std::string all;
  for (const FormWork& w : work_of(*form))
    all += (all.empty() ? "" : " ") + std::string(w.format) + ":" + std::to_string(w.operations) +
           (w.of_warp ? "w" : "");
  return all;
}

}  // namespace

TEST_CASE("operations by format") {
  CHECK(work("add.rn.f32") == "f32:1");
  CHECK(work("sub.rn.ftz.sat.f32") == "f32:1");
  CHECK(work("mul.rn.f64") == "f64:1");
  CHECK(work("fma.rn.f32") == "f32:2");
  CHECK(work("div.rn.f32") == "f32:1");
  CHECK(work("sqrt.rn.f64") == "f64:1");
  CHECK(work("mul.rn.ftz.f32") == "f32:1");
  CHECK(work("fma.rn.ftz.sat.f16") == "f16:2");
  CHECK(work("fma.rn.ftz.sat.f16x2") == "f16:4");
  CHECK(work("fma.rn.f32x2") == "f32:4");
}

TEST_CASE("what is no arithmetic of floats") {
  for (const char* text : {"add.u32", "mad.lo.s32", "ld.weak.global.f32", "mov.f32", "cvt.rn.f32.f64",
                           "min.f32", "neg.f32", "setp.lt.f32"})
    CHECK_MESSAGE((work(text).empty() || work(text) == "no such form"), text, " ", work(text));
}

TEST_CASE("matrices: the products and sums of the whole multiplication") {
  unsigned found = 0;
  for (const Form& form : all_forms()) {
    if (form.opcode != "mma" || form.text.find("sp") != std::string_view::npos ||
        form.text.find(".b1") != std::string_view::npos ||  // sparse; of single bits
        form.control == Control::Refused)
      continue;
    const std::size_t m = form.text.find(".m16n8k");
    if (m == std::string_view::npos) continue;
    const auto k = static_cast<unsigned>(std::stoul(std::string(form.text.substr(m + 7, 3))));
    REQUIRE(work_of(form).size() == 1);
    CHECK_MESSAGE(work_of(form)[0].operations == 2 * 16 * 8 * k, form.text);
    CHECK(work_of(form)[0].of_warp);
    ++found;
  }
  CHECK(found > 50);
}
