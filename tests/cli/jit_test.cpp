// What --jit and --jit-features say when they cannot be had.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

const char* const empty_kernel = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry k() { ret; }
)";

bool can_compile() { return wedjat("--version").output.find("native code: yes") != std::string::npos; }

}  // namespace

TEST_CASE("the command can make native code where it was built with LLVM") {
  CHECK(can_compile() == WEDJAT_HAS_COMPILER);
}

TEST_CASE("processor features that there are not are refused") {
  if (!can_compile()) return;  // the case above has said so
  const Folder folder;
  const std::string run = "run " + folder.file("k.ptx", empty_kernel) + " --entry k --grid 1 --block 32 ";
  for (const char* jit : {"--jit all", "--jit auto"}) {
    const Outcome unknown = wedjat(run + jit + " --jit-features=-nonsense");
    CHECK(unknown.code == 4);
    CHECK(unknown.output.find("--jit-features: no native code can be made: "
                              "there is no processor feature 'nonsense'") != std::string::npos);
  }
  const Outcome unsigned_word = wedjat(run + "--jit-features=nonsense");
  CHECK(unsigned_word.code == 4);
  CHECK(unsigned_word.output.find("'nonsense' has neither - nor + before it") != std::string::npos);
  CHECK(wedjat(run + "--jit all --jit-features=-avx512f,-avx2").code == 0);
  CHECK(wedjat(run + "--jit all").code == 0);
  CHECK(wedjat(run + "--jit sometimes").code == 2);
}

TEST_CASE("a replay tells what native code was made, and where it is left") {
  const std::string trace = std::string(WEDJAT_SOURCE_DIR) + "/traces/samples/gemm_tiled.tar.zst";
  const Outcome table = wedjat("replay --tiers --jit all " + trace);
  CHECK(table.code == (can_compile() ? 0 : 4));
  if (!can_compile()) return;
  CHECK(table.code == 0);
  CHECK(table.output.find("left at bar.sync") != std::string::npos);
  const Outcome json = wedjat("replay --json --jit all " + trace);
  const auto kernels = nlohmann::json::parse(json.output).at("native");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].at("pieces").get<unsigned>() > 0);
  CHECK(kernels[0].at("seconds").get<double>() > 0);
  CHECK(kernels[0].at("failures").empty());
  CHECK(nlohmann::json::parse(wedjat("replay --json --jit off " + trace).output).at("native").empty());
}

TEST_CASE("what was made of each kernel is told by the name that people read") {
  if (!can_compile()) return;
  const std::string replay =
      "replay --tiers --jit all " + std::string(WEDJAT_SOURCE_DIR) + "/traces/samples/saxpy.tar.zst";
  CHECK(wedjat(replay).output.find("  saxpy(int, float, float const*, float*)\n") != std::string::npos);
  CHECK(wedjat(replay + " --mangled").output.find("  _Z5saxpyifPKfPf\n") != std::string::npos);
}

TEST_CASE("native code is kept where it is asked for, and found again") {
  if (!can_compile()) return;
  const Folder folder;
  const std::string kept = (folder.path / "kept").string();
  const auto replay = [&](const std::string& options) {
    const Outcome outcome = wedjat("replay --json " + options + " " + std::string(WEDJAT_SOURCE_DIR) +
                                   "/traces/samples/saxpy.tar.zst");
    CHECK(outcome.code == 0);
    return nlohmann::json::parse(outcome.output).at("native").at(0);
  };
  const auto made = replay("--jit all --jit-cache " + kept);
  CHECK(made.at("pieces").get<unsigned>() > 0);
  CHECK(made.at("kept") == 0);
  const auto found = replay("--jit-cache " + kept);
  CHECK(found.at("pieces") == 0);
  CHECK(found.at("kept") == made.at("pieces"));
  CHECK(replay("--jit-cache off").at("kept") == 0);
  // Code that a tool watches is kept for who watches the same.
  const std::string cached = "--jit-cache " + kept, lines = " --tool memory_trace,file=" + kept + ".trace";
  const auto watched = replay("--jit all " + cached + lines);
  CHECK(watched.at("pieces").get<unsigned>() > 0);
  CHECK(watched.at("kept") == 0);
  CHECK(replay(cached + lines).at("kept") == watched.at("pieces"));
  // A folder that cannot be made is a warning; the results are the same.
  const std::string file = folder.file("file", "no folder");
  const Outcome told = wedjat("replay --jit all --jit-cache " + file + "/below " + WEDJAT_SOURCE_DIR +
                              "/traces/samples/saxpy.tar.zst");
  CHECK(told.code == 0);
  CHECK(told.output.find("native code cannot be kept in " + file + "/below") != std::string::npos);
}

TEST_CASE("code is kept in a folder that is named from where one stands") {
  const Folder folder;
  const Outcome told =
      shell("cd " + folder.path.string() + " && " + WEDJAT_COMMAND + " replay --jit all --jit-cache kept " +
            WEDJAT_SOURCE_DIR + "/traces/samples/saxpy.tar.zst");
  CHECK(told.code == 0);
  CHECK(told.output.find("cannot be kept") == std::string::npos);
  CHECK(std::filesystem::exists(folder.path / "kept"));
}

TEST_CASE("without the compiler's library native code is refused where it is asked for") {
  const Folder folder;
  // The library lies beside the folder of the program, so a copy has none.
  std::filesystem::create_directories(folder.path / "bin");
  std::filesystem::copy_file(WEDJAT_COMMAND, folder.path / "bin" / "wedjat",
                             std::filesystem::copy_options::overwrite_existing);
  const std::string run = (folder.path / "bin" / "wedjat").string() + " run " +
                          folder.file("k.ptx", empty_kernel) + " --entry k --grid 1 --block 32 ";
  for (const char* asked : {"--jit all", "--jit-features=-avx2"}) {
    const Outcome refused = shell(run + asked);
    CHECK(refused.code == 4);
    CHECK(
        refused.output.find("no native code can be made: libwedjat-compile.so is not beside this program") !=
        std::string::npos);
  }
  const Outcome reduced =
      shell((folder.path / "bin" / "wedjat").string() + " reduce --tiers -o " + folder.path.string() +
            "/out " + folder.file("case.ptx", std::string("// wedjat: launch k block=32\n") + empty_kernel));
  CHECK(reduced.code == 4);
  CHECK(reduced.output.find("--tiers: no native code can be made: ") != std::string::npos);
  const Outcome fuzzed = shell((folder.path / "bin" / "wedjat").string() + " fuzz --seeds 1..1");
  CHECK(fuzzed.code == 4);
  CHECK(fuzzed.output.find("without --no-tiers: no native code can be made: ") != std::string::npos);
  CHECK(shell(run + "--jit auto").code == 0);
  CHECK(shell(run + "--jit off").code == 0);
  // One of another build has another function: here any library, of which it has none.
  std::filesystem::create_directories(folder.path / "lib" / "wedjat");
  std::filesystem::copy_file(WEDJAT_HOSTILE, folder.path / "lib" / "wedjat" / "libwedjat-compile.so");
  const Outcome other = shell(run + "--jit all");
  CHECK(other.code == 4);
  CHECK(other.output.find("libwedjat-compile.so is of another build than this program") != std::string::npos);
  CHECK(shell(run + "--jit auto").code == 0);
}
