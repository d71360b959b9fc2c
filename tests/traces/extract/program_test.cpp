// The generated programs in C, compiled here and run under `wedjat live`.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/shell.h"
#include "tests/traces/extract/mixed.h"
#include "traces/extract/extract.h"

using namespace wedjat::traces;

namespace {

struct Program {
  std::filesystem::path bundle =
      std::filesystem::temp_directory_path() / ("wedjat-program-" + std::to_string(getpid()));
  ~Program() { std::filesystem::remove_all(bundle); }
  explicit Program(const Bundle& of) {
    write_bundle(bundle, of);
    const Outcome built =
        shell("cd " + bundle.string() + " && " WEDJAT_C_COMPILER " -Wall -Werror -O1 -o program main.c -I" +
              WEDJAT_CUDA_INCLUDE " " WEDJAT_LIVE_DRIVER);
    INFO(built.output);
    REQUIRE(built.code == 0);
  }
  Outcome run(const std::string& arguments = "") const {
    return shell("cd " + bundle.string() + " && " WEDJAT_COMMAND " live -- ./program " + arguments);
  }
  long lines() const {
    std::ifstream in(bundle / "main.c");
    return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
  }
};

Bundle extracted(const std::string& name, std::uint64_t launch) {
  return extract(open_trace(WEDJAT_SOURCE_DIR "/traces/" + name + ".tar.zst"), {}, {launch, {}}, true);
}

Bundle movable_launch() {
  Bundle bundle = test::mixed_launch();
  make_movable(bundle, {});
  return bundle;
}

}  // namespace

TEST_CASE("textures, surfaces, variables, constants, clusters and pointers in memory") {
  const Program program(movable_launch());
  CHECK(program.lines() < 100);
  const Outcome outcome = program.run("module.ptx answer");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("expected.runs: 0 of 64 bytes differ") != std::string::npos);
  CHECK(outcome.output.find("array 1: is as expected") != std::string::npos);
  const Runs answer = read_runs(program.bundle / "answer");
  CHECK(compare_runs("", read_runs(program.bundle / "expected.runs"), answer).bytes == 64);
}

TEST_CASE("what differs is told, with its address, and in the answer") {
  Bundle bundle = movable_launch();
  bundle.expected.at(1).pattern[0] ^= std::byte{1};
  bundle.arrays.at(1).expected.at(9) ^= std::byte{1};
  const Program program(bundle);
  const Outcome outcome = program.run("module.ptx answer");
  INFO(outcome.output);
  CHECK(outcome.code == 1);
  CHECK(outcome.output.find("expected.runs: the first difference is at 0x7e5500400308") != std::string::npos);
  CHECK(outcome.output.find("expected.runs: 1 of 64 bytes differ") != std::string::npos);
  CHECK(outcome.output.find("array 1: differs") != std::string::npos);
  CHECK(compare_runs("", bundle.expected, read_runs(program.bundle / "answer")).differing == 1);
}

TEST_CASE("launches of recordings: memory elsewhere, cooperative grids, dynamic shared memory") {
  const std::pair<const char*, std::uint64_t> launches[] = {{"samples/gemm_tiled", 0},
                                                            {"samples/reduction", 0},
                                                            {"samples/bfs", 1},
                                                            {"samples/recursion", 0},
                                                            {"regression/rodinia/mummergpu", 0},
                                                            {"regression/polybench/gemm", 0}};
  for (const auto& launch : launches) {
    INFO(launch.first);
    const Program program(extracted(launch.first, launch.second));
    CHECK(program.lines() < 100);
    const Outcome outcome = program.run();
    INFO(outcome.output);
    CHECK(outcome.code == 0);
  }
}

TEST_CASE("where addresses are not proved and the recorded one is not to be had, nothing is run") {
  const Program program(test::mixed_launch());
  const Outcome outcome = shell("cd " + program.bundle.string() +
                                " && sed 's/{NULL, 0x7e5500000000, /{NULL, 0xffffffff00000000, /' main.c > "
                                "other.c && " WEDJAT_C_COMPILER " -o program other.c -I" WEDJAT_CUDA_INCLUDE
                                " " WEDJAT_LIVE_DRIVER " && " WEDJAT_COMMAND " live -- ./program");
  INFO(outcome.output);
  CHECK(outcome.code == 3);
  CHECK(outcome.output.find("ERROR: the driver does not give the 2097152 bytes at 0xffffffff00000000") !=
        std::string::npos);
  CHECK(outcome.output.find("expected.runs") == std::string::npos);
}

TEST_CASE("textures that the module names are bound") {
  const Program program(extracted("regression/instructions/names", 0));
  CHECK(program.lines() < 100);
  const Outcome outcome = program.run();
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("NOTE") == std::string::npos);
}
