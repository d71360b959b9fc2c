// The runtime library under `wedjat live`.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tests/shell.h"

namespace {

Outcome live(const std::string& arguments) {
  return shell(std::string(WEDJAT_COMMAND) + " live " + arguments);
}

// The source compiled by nvcc; empty if there is no nvcc here.
std::string compiled(const std::string& name, const std::string& options) {
  if (std::string(WEDJAT_NVCC).ends_with("NOTFOUND")) return "";
  const std::string program =
      (std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))).string();
  const Outcome made = shell(std::string(WEDJAT_NVCC) + " " + options + " -o " + program + " " +
                             WEDJAT_SOURCE_DIR + "/tests/interposer/runtime/saxpy.cu");
  if (made.code != 0) MESSAGE("nvcc cannot be used here: ", made.output);
  return made.code == 0 ? program : "";
}

}  // namespace

TEST_CASE("a program does with the runtime what nvcc's code does") {
  const Outcome outcome = live(std::string("-- ") + WEDJAT_PROGRAM);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("0 failures") != std::string::npos);
  CHECK(outcome.output.find("cudaDestroyExternalMemory is not carried out") != std::string::npos);
}

TEST_CASE("tools watch what the runtime launches") {
  const Outcome outcome = live(std::string("--tool instruction_count -- ") + WEDJAT_PROGRAM);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("scale") != std::string::npos);
}

TEST_CASE("every function of the header is exported, with the runtime's version") {
  const Outcome symbols = shell(std::string("nm -D --defined-only ") + WEDJAT_RUNTIME);
  std::set<std::string> exported;
  std::istringstream lines(symbols.output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("@@libcudart.so.13");
    if (at != line.npos)
      exported.insert(line.substr(line.find_last_of(' ') + 1, at - line.find_last_of(' ') - 1));
  }
  std::ifstream file(WEDJAT_RUNTIME_TABLE);
  const nlohmann::json functions = nlohmann::json::parse(file).at("functions");
  CHECK(functions.size() > 350);
  for (const auto& function : functions) {
    INFO(function.at("name").get<std::string>());
    CHECK(exported.contains(function.at("name")));
  }
  CHECK(exported.contains("__cudaRegisterFatBinary"));
}

TEST_CASE("a program of nvcc with the shared runtime runs") {
  const std::string program = compiled("wedjat-shared-", "-arch=sm_90 -cudart shared");
  if (program.empty()) return;
  const Outcome outcome = live("-- " + program);
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "1999 1 1000 cudaSuccess\ncudaErrorInvalidConfiguration\n");
  std::filesystem::remove(program);
}

TEST_CASE("a program of nvcc with the static runtime is told how to be linked, before it starts") {
  const std::string program = compiled("wedjat-static-", "-arch=sm_90");
  if (program.empty()) return;
  const Outcome outcome = live("-- " + program);
  CHECK(outcome.code == 4);
  CHECK(outcome.output.find("nvcc -cudart shared") != std::string::npos);
  CHECK(outcome.output.find("cudaSuccess") == std::string::npos);
  std::filesystem::remove(program);
}
