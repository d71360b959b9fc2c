#include "traces/bundle/runs.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "traces/bundle/bundle.h"
#include "traces/format/error.h"

using namespace wedjat::traces;

namespace {

std::vector<std::byte> joined(const Runs& runs, std::uint64_t first, std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  for (const Run& run : runs) {
    const auto contents = run.contents();
    std::memcpy(all.data() + (run.address - first), contents.data(), contents.size());
  }
  return all;
}

std::size_t kept(const Runs& runs) {
  std::size_t bytes = 0;
  for (const Run& run : runs) bytes += run.pattern.size();
  return bytes;
}

struct File {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "wedjat-runs-test";
  ~File() { std::filesystem::remove(path); }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
};

std::string error_of(const std::filesystem::path& path) {
  try {
    read_runs(path);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("contents come back, and what repeats takes no room") {
  std::mt19937 random(2);
  std::vector<std::byte> contents(10'000);
  for (std::size_t i = 0; i < 1000; ++i) contents[i] = std::byte(random());
  for (std::size_t i = 3000; i < 9000; ++i) contents[i] = std::byte(i % 8 + 1);
  Runs runs;
  add_contents(runs, 77, contents);
  CHECK(bytes_of(runs) == contents.size());
  CHECK(joined(runs, 77, contents.size()) == contents);
  CHECK(kept(runs) < 1200);
}

TEST_CASE("any contents come back") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::byte> contents(1 + random() % 700);
    for (std::size_t i = 0; i < contents.size();) {
      const std::byte value{static_cast<unsigned char>(random() % 3)};
      for (std::size_t n = 1 + random() % (round % 2 ? 300 : 3); n != 0 && i < contents.size(); --n)
        contents[i++] = value;
    }
    Runs runs;
    add_contents(runs, 1000, contents);
    CHECK(bytes_of(runs) == contents.size());
    CHECK(joined(runs, 1000, contents.size()) == contents);
  }
}

TEST_CASE("a file gives back what was written, and broken ones are refused with their place") {
  const File file;
  Runs runs;
  add_contents(runs, 0x7f0000000000, std::vector<std::byte>(5000));
  add_contents(runs, 16, {{std::byte{1}, std::byte{2}}});
  write_runs(file.path, runs);
  CHECK(std::filesystem::file_size(file.path) == 8 + 24 + 8 + 24 + 2);
  const Runs back = read_runs(file.path);
  REQUIRE(back.size() == 2);
  CHECK(back[0].contents() == std::vector<std::byte>(5000));
  CHECK(back[1].address == 16);
  std::ifstream in(file.path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  for (const std::size_t length : {std::size_t{4}, std::size_t{20}, std::size_t{35}, text.size() - 1}) {
    file.write(text.substr(0, length));
    CHECK_MESSAGE(error_of(file.path).find(file.path.string()) == 0, length);
  }
  std::string wrong = text;
  wrong[8 + 16] = 0;  // a pattern of no bytes
  file.write(wrong);
  CHECK(error_of(file.path).find("offset 8: this run makes no sense") != std::string::npos);
}

TEST_CASE("bytes that both hold are compared, whichever way they are cut") {
  const auto run = [](std::uint64_t address, const std::string& text) {
    Run made{address, text.size(), {}};
    for (const char c : text) made.pattern.push_back(static_cast<std::byte>(c));
    return made;
  };
  const Runs expected = {run(100, "abcdef"), run(200, "xyz")};
  CHECK(compare_runs("", expected, {run(90, "..........abc"), run(103, "def"), run(150, "?")}).differing ==
        0);
  const auto found = compare_runs("", expected, {run(102, "cD"), run(201, "Y")});
  CHECK(found.bytes == 3);
  CHECK(found.differing == 2);
  CHECK(found.first == 103);
  CHECK(found.got == std::byte{'D'});
}
