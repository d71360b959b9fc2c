// One seed, in every way: what does not agree is seen.
#include "cli/fuzz/campaign.h"

#include <doctest/doctest.h>

#include "cli/foreign/program.h"

using namespace wedjat::fuzz;

TEST_CASE("what is well defined agrees; what races is found") {
  Settings settings;
  Spent spent;
  settings.tiers = false;
  for (settings.program.seed = 1; settings.program.seed <= 5; ++settings.program.seed) {
    const auto disagreement = try_seed(settings, spent);
    CAPTURE(settings.program.seed);
    CHECK_MESSAGE(!disagreement, (disagreement ? disagreement->message : ""));
  }
  settings.program.races = true;
  settings.program.statements = 200;
  bool found = false;
  for (settings.program.seed = 1; settings.program.seed <= 5; ++settings.program.seed) {
    const auto disagreement = try_seed(settings, spent);
    found = found || (disagreement && disagreement->kind == Disagreement::Kind::finding);
  }
  CHECK(found);
}

TEST_CASE("a program that is not done in time says so, whatever it printed") {
  std::string said = "before";
  CHECK(!wedjat::foreign::says_yes({"/bin/sh", "-c", "echo words; sleep 60"}, "", 0.25, &said));
  CHECK(said == "/bin/sh was not done after 0.25 seconds");
  CHECK(wedjat::foreign::says_yes({"/bin/sh", "-c", "echo words"}, "", 60, &said));
  CHECK(said == "words\n");
}

TEST_CASE("the same fault has the same signature, whatever the numbers") {
  const Disagreement a{Disagreement::Kind::finding, "at %r12, line 40"},
      b{Disagreement::Kind::finding, "at %r3, line 7"}, c{Disagreement::Kind::failure, "at %r3, line 7"};
  CHECK(a.signature() == b.signature());
  CHECK(b.signature() != c.signature());
}
