// The runner against fake_cuda.cpp: whatever one form does, the others get their answer.
#include "tests/emulator/hardware/devices/runner.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/emulator/hardware/cases/texel_case.h"
#include "tests/emulator/hardware/devices/cuda_driver.h"

using namespace wedjat::hardware_truth;

namespace {

std::vector<Outcome> run(const std::vector<std::string>& words, Machine& machine, std::size_t module_size) {
  std::vector<Form> forms;
  for (const std::string& word : words) forms.push_back(parse_form(word + ".b32 d.b32, s.b32"));
  std::size_t settled = 0;
  RunOptions options{FAKE_CUDA, module_size, 2};
  std::vector<Outcome> outcomes =
      run_cases(make_cases(forms), options, machine, [&](std::size_t done) { settled = done; });
  CHECK(settled == words.size());
  return outcomes;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("all outputs come back, in order") {
  Machine machine;
  const auto outcomes = run({"not", "neg", "abs", "brev", "cnot"}, machine, 2);
  CHECK(machine.device == "Fake");
  REQUIRE(outcomes.size() == 5);
  for (const Outcome& outcome : outcomes) CHECK(outcome.error.empty());
  CHECK(outcomes[3].output == make_case(parse_form("brev.b32 d.b32, s.b32"), "k").input);
}

TEST_CASE("one bad form costs one form") {
  const auto check = [](const std::string& word, const std::string& message) {
    for (const std::size_t module_size : {1, 3, 8}) {
      CAPTURE(word);
      CAPTURE(module_size);
      Machine machine;
      const auto outcomes = run({"not", "neg", word, "abs", "brev", word, "cnot"}, machine, module_size);
      REQUIRE(outcomes.size() == 7);
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (i == 2 || i == 5) {
          CHECK_MESSAGE(contains(outcomes[i].error, message), outcomes[i].error);
        } else {
          CHECK_MESSAGE(outcomes[i].error.empty(), outcomes[i].error);
        }
      }
    }
  };
  check("refused", "CUDA_ERROR_INVALID_PTX (218): line 1: refused");
  check("compiler_crash", "killed by signal 6");
  check("process_crash", "killed by signal 6");
  check("context_crash", "CUDA_ERROR_LAUNCH_FAILED");
  check("undecided", "two runs differ");
}

TEST_CASE("a form that hangs is given up") {
  Machine machine;
  const auto outcomes = run({"not", "hang", "neg"}, machine, 8);
  CHECK(outcomes[0].error.empty());
  CHECK(contains(outcomes[1].error, "silent for 2 s"));
  CHECK(outcomes[2].error.empty());
}

TEST_CASE("without a GPU there is one clear error") {
  Machine machine;
  const std::vector<Form> forms{parse_form("not.b32 d.b32, s.b32")};
  const auto nothing = [](std::size_t) {};
  CHECK_THROWS_AS(run_cases(make_cases(forms), {"/nonexistent/libcuda.so"}, machine, nothing), CudaError);
  setenv("FAKE_CUDA_NO_DEVICE", "1", 1);
  CHECK_THROWS_WITH(run_cases(make_cases(forms), {FAKE_CUDA}, machine, nothing),
                    "cuInit: CUDA_ERROR_NO_DEVICE (100)");
  unsetenv("FAKE_CUDA_NO_DEVICE");
}

TEST_CASE("what the driver does not have costs the forms that need it") {
  std::vector<Case> cases;
  for (const char* const opcode : {"suld", "txq"})
    for (const wedjat::fidelity::InventoryRow* row : texel_rows())
      if (row->opcode() == opcode) {
        cases.push_back(make_texel_case(*row, "form_0"));
        break;
      }
  cases.push_back(make_case(parse_form("not.b32 d.b32, s.b32"), "form_1"));
  Machine machine;
  const auto outcomes = run_cases(cases, {FAKE_CUDA, 10, 2}, machine, [](std::size_t) {});
  REQUIRE(outcomes.size() == 3);
  CHECK(contains(outcomes[0].error, "scene 0: cuArray3DCreate_v2 is not in the driver library"));
  CHECK(contains(outcomes[1].error, "scene 0: cuArray3DCreate_v2 is not in the driver library"));
  CHECK(outcomes[2].error.empty());
}

TEST_CASE("an assembler that cannot be started, or refuses, costs its kernels") {
  const std::vector<Form> forms{parse_form("not.b32 d.b32, s.b32")};
  for (const auto& [ptxas, said] : {std::pair("/nonexistent/ptxas", "/nonexistent/ptxas cannot be started"),
                                    std::pair("false", "false: ")}) {
    Machine machine;
    RunOptions options{FAKE_CUDA, 10, 2};
    options.ptxas = ptxas;
    const auto outcomes = run_cases(make_cases(forms), options, machine, [](std::size_t) {});
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error.starts_with(said));
  }
}
