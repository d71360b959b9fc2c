// All forms of semantics/, executor against judge.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "semcc/cli/program.h"
#include "semcc/emit/tests.h"
#include "semcc/eval/text.h"
#include "tests/semantics/harness/compare.h"

namespace wedjat::test {
namespace {

namespace ir = semcc::ir;

const ir::Program& program() {
  static const std::optional<ir::Program> loaded = semcc::cli::load_program({WEDJAT_SOURCE_DIR "/semantics"});
  REQUIRE(loaded.has_value());
  return *loaded;
}

// WEDJAT_CASES=360 compares twenty times the warps of each executor.
unsigned cases_per_executor() {
  const char* text = std::getenv("WEDJAT_CASES");
  return text == nullptr ? 18 : static_cast<unsigned>(std::max(std::atoi(text), 1));
}

// WEDJAT_FORMS=add.rn runs only forms whose text begins so.
std::string wanted() {
  const char* text = std::getenv("WEDJAT_FORMS");
  return text == nullptr ? "" : text;
}

// WEDJAT_PART=1/3 compares the executors of every third instruction, from the second on.
bool in_part(std::size_t instruction) {
  const char* text = std::getenv("WEDJAT_PART");
  unsigned part = 0, parts = 1;
  if (text != nullptr) REQUIRE(std::sscanf(text, "%u/%u", &part, &parts) == 2);
  return instruction % parts == part;
}

// A form that has an executor and an answer of the judge.
const ir::Form& form_named(const std::string& text) {
  for (const ir::Family& family : program().families)
    for (const ir::Form& form : family.forms)
      if (form.text() == text) return form;
  FAIL("no form is called ", text);
  std::abort();
}

}  // namespace

TEST_CASE("every executor agrees with the judge") {
  std::set<kernel::Executor> seen;
  std::map<std::string, unsigned> unsupported;
  unsigned forms = 0, warps = 0, wrong = 0, never = 0;
  std::size_t instruction = 0;
  for (const ir::Family& family : program().families) {
    if (!in_part(instruction++)) continue;
    for (const ir::Form& form : family.forms) {
      if (form.level == ir::Level::Control || !form.text().starts_with(wanted())) continue;
      const kernel::Form* row = row_of(form);
      if (row == nullptr) {
        FAIL_CHECK(fmt::format("{} is not in the form table", form.text()));
        continue;
      }
      // The judge takes a tenth of a second for the widest products; what shares their code is compared.
      if (form.opcode == "wgmma" && !form.operands.empty() && form.operands[0].count > 8) continue;
      // Forms that share code are compared too, on fewer inputs.
      const unsigned cases =
          seen.insert(row->masked).second ? cases_per_executor() : (cases_per_executor() + 5) / 6;
      const Verdict verdict = compare(program(), form, row->full, row->masked, cases, ++forms);
      warps += verdict.compared;
      if (verdict.unsupported)
        ++unsupported[*verdict.unsupported];
      else if (verdict.compared == 0) {
        ++never;
        MESSAGE(form.text(), ": no input met its requirements");
      }
      if (verdict.wrong && ++wrong <= 40)
        FAIL_CHECK(fmt::format("{} ({}:{}): {}", form.text(),
                               program().files[static_cast<std::size_t>(form.at.file)], form.at.line,
                               *verdict.wrong));
    }
  }
  for (const auto& [why, count] : unsupported) MESSAGE(count, " forms have no answer of the judge: ", why);
  MESSAGE(forms, " forms, ", warps, " warp instructions compared, ", seen.size(), " executors, ", never,
          " never ran");
  CHECK(wrong == 0);
}

TEST_CASE("the examples in the semantics files hold") {
  for (const ir::Family& family : program().families)
    for (const ir::Example& example : family.examples) {
      CAPTURE(example.instruction);
      CHECK(semcc::eval::check_example(program(), example) == std::nullopt);
    }
}

// `add.s32 0x7fffffff, 0x1 -> 0x80000000`, as semcc emits it: read like an example.
TEST_CASE("the tests that semcc emits hold") {
  std::size_t held = 0, open = 0;
  for (const auto& [name, text] : semcc::emit::emit_tests(program())) {
    std::istringstream lines(text);
    std::size_t of_file = 0;
    for (std::string line; std::getline(lines, line) && of_file < 60;) {
      const std::size_t arrow = line.find(" -> ");
      if (line.starts_with("//")) continue;
      if (line.find('?', arrow) != line.npos) {
        ++open;  // bits that the semantics leave open
        continue;
      }
      ir::Example example{line.substr(0, arrow), {}, {}};
      std::istringstream results(line.substr(arrow + 4));
      for (std::string one; std::getline(results, one, ',');)
        example.expected.push_back(one.substr(one.find_first_not_of(' ')));
      CAPTURE(line);
      CHECK(semcc::eval::check_example(program(), example) == std::nullopt);
      ++held, ++of_file;
    }
  }
  CHECK(held > 5000);
  CHECK(open < held / 10);
}

TEST_CASE("a wrong executor is noticed") {
  // The executor of another instruction, of the same operands: wrong on some input.
  const std::pair<const char*, const char*> swapped[] = {{"add.s32", "sub.s32"},
                                                         {"add.rz.f32", "add.rn.f32"},
                                                         {"fma.rn.f32", "fma.rn.ftz.f32"},
                                                         {"setp.lt.s32", "setp.le.s32"}};
  for (const auto& pair : swapped) {
    CAPTURE(pair.first);
    const kernel::Form* row = row_of(form_named(pair.second));
    REQUIRE(row != nullptr);
    CHECK(compare(program(), form_named(pair.first), row->full, row->masked, 40, 1).wrong.has_value());
  }
}

TEST_CASE("one wrong bit of a result is noticed") {
  const ir::Form& form = form_named("add.u64");
  Random random(1);
  const semcc::eval::Frame before = any_frame(form, exec::all_lanes, random);
  const semcc::eval::Frame expected = semcc::eval::evaluate(program(), form, before).after;
  semcc::eval::Frame got = expected;
  CHECK(!difference(form, before, expected, got, false));
  got.operands[0][0][31].bits ^= mpz_class(1) << 63;
  CHECK(difference(form, before, expected, got, false));
}

}  // namespace wedjat::test
