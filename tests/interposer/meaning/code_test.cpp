// How a program's code is told in messages.
#include "interposer/meaning/code.h"

#include <doctest/doctest.h>

using wedjat::interposer::describe;
using wedjat::traces::ImageEntry;

namespace {

ImageEntry machine_code(unsigned architecture, std::vector<std::string> kernels) {
  ImageEntry entry;
  entry.kind = ImageEntry::Kind::elf;
  entry.architecture = architecture;
  entry.kernels = std::move(kernels);
  return entry;
}

ImageEntry ptx(unsigned architecture) {
  ImageEntry entry;
  entry.kind = ImageEntry::Kind::ptx;
  entry.architecture = architecture;
  return entry;
}

}  // namespace

TEST_CASE("kernels of several architectures are named once") {
  CHECK(describe({}) == "nothing");
  CHECK(describe({ptx(80), machine_code(90, {"a", "b"})}) ==
        "PTX for sm_80, machine code for sm_90 (kernels a, b)");
  CHECK(
      describe({machine_code(80, {"a"}), machine_code(90, {"a"}), machine_code(100, {"a", "b"}), ptx(100)}) ==
      "machine code for sm_80, sm_90 (kernel a), machine code for sm_100 (kernels a, b), PTX for sm_100");
}

TEST_CASE("of many kernels, or of long names, only some are named") {
  const std::string longest(300, 'x');
  CHECK(describe({machine_code(90, {longest, "a", "b"})}) ==
        "machine code for sm_90 (kernels " + longest + " and 2 more)");
  const std::string text =
      describe({machine_code(90, std::vector<std::string>(400, "twenty_characters_is"))});
  CHECK(text.ends_with(" and 390 more)"));
}
