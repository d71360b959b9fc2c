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
std::string compiled(const std::string& name, const std::string& options,
                     const std::string& sources = "saxpy.cu") {
  if (std::string(WEDJAT_NVCC).ends_with("NOTFOUND")) return "";
  const std::string program =
      (std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))).string();
  const Outcome made = shell("cd " WEDJAT_SOURCE_DIR "/tests/interposer/runtime && " WEDJAT_NVCC " " +
                             options + " -o " + program + " " + sources);
  if (made.code != 0) MESSAGE("nvcc cannot be used here: ", made.output);
  return made.code == 0 ? program : "";
}

std::set<std::string> exported_by(const std::string& library, const std::string& version) {
  const Outcome symbols = shell("nm -D --defined-only " + library);
  std::set<std::string> exported;
  std::istringstream lines(symbols.output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("@@" + version);
    if (at != line.npos)
      exported.insert(line.substr(line.find_last_of(' ') + 1, at - line.find_last_of(' ') - 1));
  }
  return exported;
}

}  // namespace

TEST_CASE("a program does with the runtime what nvcc's code does") {
  const Outcome outcome = live(std::string("-- ") + WEDJAT_PROGRAM);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("0 failures") != std::string::npos);
  CHECK(outcome.output.find("cudaDestroyExternalMemory is not carried out") != std::string::npos);
}

TEST_CASE("arrays, textures, boxes, nodes of graphs, objects that graphs hold") {
  const Outcome outcome = live("-- " WEDJAT_PROGRAMS "/arrays_program");
  INFO(outcome.output);
  CHECK(outcome.output.find("label=\"3\\nlook\"") != std::string::npos);
  CHECK(outcome.output.find("node_0 -> node_1;") != std::string::npos);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("0 failures") != std::string::npos);
}

TEST_CASE("a program linked with the runtime of CUDA 12 gets its structs and functions") {
  const Outcome outcome = live("-- " WEDJAT_PROGRAMS "/version_12_program");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("0 failures") != std::string::npos);
}

TEST_CASE("tools watch what the runtime launches") {
  const Outcome outcome = live(std::string("--tool instruction_count -- ") + WEDJAT_PROGRAM);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("scale") != std::string::npos);
}

TEST_CASE("every function of the header is exported, with the runtime's version") {
  const std::set<std::string> exported = exported_by(WEDJAT_RUNTIME, "libcudart.so.13");
  std::ifstream file(WEDJAT_RUNTIME_TABLE);
  const nlohmann::json functions = nlohmann::json::parse(file).at("functions");
  CHECK(functions.size() > 350);
  for (const auto& function : functions) {
    INFO(function.at("name").get<std::string>());
    CHECK(exported.contains(function.at("name")));
  }
  CHECK(exported.contains("__cudaRegisterFatBinary"));
}

TEST_CASE("libcudart.so.12 has the names of CUDA 12") {
  const std::set<std::string> exported = exported_by(WEDJAT_RUNTIME_12, "libcudart.so.12");
  CHECK(exported.size() > 370);
  for (const char* name :
       {"__cudaRegisterFatBinary", "cudaGetDeviceProperties_v2", "cudaMemAdvise_v2",
        "cudaMemPrefetchAsync_v2_ptsz", "cudaStreamGetCaptureInfo_v2", "cudaThreadSynchronize", "cudaMalloc"})
    CHECK(exported.contains(name));
  for (const char* name : {"cudaMemPrefetchBatchAsync", "cudaStreamGetCaptureInfo", "cudaLogsCurrent"})
    CHECK(!exported.contains(name));
}

TEST_CASE("a program of nvcc with the shared runtime runs") {
  const std::string program = compiled("wedjat-shared-", "-arch=sm_90 -cudart shared");
  if (program.empty()) return;
  const Outcome outcome = live("-- " + program);
  CHECK(outcome.code == 0);
  CHECK(outcome.output == "1999 1 1000 cudaSuccess\ncudaErrorInvalidValue\n");
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

TEST_CASE("once a kernel has failed each call of the runtime answers as with an H100") {
  const std::string program =
      compiled("wedjat-after-", "-arch=sm_90 -std=c++17 -cudart shared", "after/after.cu");
  if (program.empty()) return;
  const Outcome outcome = live("-- " + program);
  std::filesystem::remove(program);
  CHECK(outcome.code == 0);
  // A line "CODE\tcall" each; the driver's own messages have no tab.
  const auto rows = [](std::istream&& from) {
    std::vector<std::string> found;
    for (std::string line; std::getline(from, line);)
      if (line.find('\t') != line.npos) found.push_back(line);
    return found;
  };
  const auto ours = rows(std::istringstream(outcome.output));
  const auto measured = rows(std::ifstream(WEDJAT_SOURCE_DIR "/tests/interposer/runtime/after/h100.txt"));
  CHECK(measured.size() > 150);
  REQUIRE(ours.size() == measured.size());
  for (std::size_t i = 0; i < ours.size(); ++i) CHECK(ours[i] == measured[i]);
}

// Its object is nvcc 13's, but what it needs of the runtime is of version 12.
TEST_CASE("a program of nvcc linked with libcudart.so.12 runs") {
  const std::string program = compiled(
      "wedjat-twelve-",
      std::string("-arch=sm_90 -cudart none -Xlinker --allow-shlib-undefined -Xlinker ") + WEDJAT_RUNTIME_12);
  if (program.empty()) return;
  const Outcome outcome = live("-- " + program);
  CHECK(outcome.output == "1999 1 1000 cudaSuccess\ncudaErrorInvalidConfiguration\n");
  CHECK(shell("readelf -d " + program).output.find("libcudart.so.12") != std::string::npos);
  std::filesystem::remove(program);
}

TEST_CASE("device code of several translation units is linked from their PTX") {
  const std::string program = compiled("wedjat-separate-", "-arch=sm_90 -rdc=true -cudart shared",
                                       "separate/main.cu separate/other.cu");
  if (program.empty()) return;
  const Outcome outcome = live("-- " + program);
  CHECK(outcome.output == "107 113 cudaSuccess\n");
  std::filesystem::remove(program);
}

TEST_CASE("kernels decide what a graph runs, linked from parts or whole") {
  for (const char* options : {"-arch=sm_90 -cudart shared", "-arch=sm_90 -rdc=true -cudart shared"}) {
    const std::string program = compiled("wedjat-conditional-", options, "conditional.cu -lcudadevrt");
    if (program.empty()) return;
    const Outcome outcome = live("-- " + program);
    CHECK(outcome.output == "0 790 cudaSuccess\n");
    std::filesystem::remove(program);
  }
}
