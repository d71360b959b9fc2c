// record --keep-ptx: compilers that run in the program leave PTX as it is.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "tests/interposer/recording.h"

namespace {

const std::string ptxas = WEDJAT_BUILD_DIR "/lib/wedjat/keep_ptx/bin/ptxas";

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("its ptxas gives the PTX it was given, with the NUL that drivers look for") {
  const test::Folder folder;
  const std::string in = folder.path() / "in file.ptx", out = folder.path() / "out.cubin";
  std::ofstream(in) << ".version 8.7\n.target sm_90a\n";
  const std::string expected = contents(in) + '\0';
  for (const std::string& arguments :
       {"-lineinfo -v --gpu-name=sm_90a '" + in + "' -o " + out,
        "'" + in + "' -arch=sm_90a --output-file " + out, "-O0 --output-file=" + out + " '" + in + "'"}) {
    CAPTURE(arguments);
    std::filesystem::remove(out);
    REQUIRE(test::run(ptxas + " " + arguments) == 0);
    CHECK(contents(out) == expected);
  }
  CHECK(test::run(ptxas + " '" + in + "'") == 1);
  CHECK(test::run(ptxas + " -o " + out) == 1);
  CHECK(test::run(ptxas + " " + in + ".missing -o " + out) != 0);
}

TEST_CASE("its ptxas says which release it stands for") {
  const test::Folder folder;
  const auto said = folder.path() / "said";
  REQUIRE(test::run("exec 3>" + said.string() + "; " + ptxas + " --version >&3; true") == 0);
  CHECK(contents(said).find("release 12.8, V12.8") != std::string::npos);
}

TEST_CASE("Triton in the recorded program is told of it") {
  const test::Folder folder;
  const auto script = folder.path() / "script.sh", said = folder.path() / "said";
  std::ofstream(script)
      << "echo $TRITON_PTXAS_PATH $TRITON_ALWAYS_COMPILE $TORCHINDUCTOR_FORCE_DISABLE_CACHES > "
      << said.string() << "\n";
  std::string command = test::record_command(folder.path() / "t", script, "/bin/sh");
  REQUIRE(test::run(command) == 0);
  CHECK(contents(said) == "\n");
  command.insert(command.find(" record ") + 8, "--keep-ptx ");
  std::filesystem::remove_all(folder.path() / "t");
  REQUIRE(test::run(command) == 0);
  CHECK(contents(said) == ptxas + " 1 1\n");
}
