// Random programs: the same for a seed, of many families, and accepted.
#include <doctest/doctest.h>

#include "emulator/kernel/check.h"
#include "emulator/programs/families.h"
#include "emulator/programs/program.h"

using namespace wedjat::programs;

TEST_CASE("a seed gives the same program, another seed another") {
  CHECK(random_program({.seed = 7}) == random_program({.seed = 7}));
  CHECK(random_program({.seed = 7}) != random_program({.seed = 8}));
  // The numbers of the generator are the same on every machine: so is the text.
  CHECK(random_program({.seed = 7}).find(".visible .entry k(.param .u64 p)") != std::string::npos);
}

TEST_CASE("families have forms, and none of them what is not defined") {
  std::size_t forms = 0;
  for (unsigned i = 0; i < uses; ++i) {
    const auto use = static_cast<Use>(i);
    CAPTURE(i);
    CHECK(!families(use).empty());
    for (const Family& family : families(use)) {
      CAPTURE(family.opcode);
      CHECK(!family.forms.empty());
      forms += family.forms.size();
      for (const auto* form : family.forms) {
        CAPTURE(form->text);
        CHECK(form->opcode == family.opcode);
        CHECK(form->text.find("approx") == form->text.npos);
        CHECK(form->text.find("xorsign") == form->text.npos);
        CHECK(form->control == wedjat::kernel::Control::None);
      }
    }
  }
  CHECK(forms > 13000);
}

TEST_CASE("a weight of 0 leaves a family out, a large one brings it in") {
  Options options{.seed = 3, .statements = 200};
  options.weights = {{"add", 0}, {"popc", 1000}};
  const std::string text = random_program(options);
  CHECK(text.find("popc.") != text.npos);
  CHECK(text.find(" add.sat") == text.npos);
  CHECK(text.find(" add.rn") == text.npos);
}

// Each form that can be chosen is one that the decoder takes, with the operands that the writer gives it.
TEST_CASE("every chosen instruction is legal") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const std::string text = random_program({.seed = seed, .statements = 120});
    const auto module = wedjat::ptx::Module::parse("random", text);
    const wedjat::ptx::Module* const modules[] = {module.get()};
    const auto program = wedjat::ptx::Program::link(modules);
    const auto refusal = wedjat::kernel::refusal_of(program, program.find_entry("k"));
    CHECK_MESSAGE(!refusal, (refusal ? refusal->error.what() : ""));
  }
}
