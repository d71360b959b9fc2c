#include "traces/read/image.h"

#include <doctest/doctest.h>

#include "tests/traces/read/fatbin_builder.h"
#include "traces/format/error.h"

using namespace wedjat::traces;
using fatbin::Packing;

namespace {

const std::string ptx = ".version 9.0\n.target sm_75\n.address_size 64\n// " + std::string(400, 'x') + "\n";

Bytes text_bytes(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

}  // namespace

TEST_CASE("PTX comes out of every kind of packing, without its final NULs") {
  for (const auto packing : {Packing::stored, Packing::lz4, Packing::zstd}) {
    const auto entries =
        read_image("f", fatbin::container({fatbin::entry(1, 75, ptx + std::string(2, '\0'), packing)}));
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].kind == ImageEntry::Kind::ptx);
    CHECK(entries[0].architecture == 75);
    CHECK(entries[0].ptx_major == 9);
    CHECK(entries[0].text == ptx);
  }
}

TEST_CASE("containers may follow each other, the first may be empty") {
  Bytes image = fatbin::container({});
  const Bytes second = fatbin::container(
      {fatbin::entry(2, 90, "elf", Packing::stored), fatbin::entry(1, 90, ptx, Packing::zstd)});
  image.insert(image.end(), second.begin(), second.end());
  const auto entries = read_image("f", image);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].kind == ImageEntry::Kind::elf);
  CHECK(entries[1].text == ptx);
}

TEST_CASE("PTX text and cubins are images too") {
  CHECK(read_image("t", text_bytes(ptx + '\0')).at(0).text == ptx);
  CHECK(read_image("e", text_bytes("\x7f"
                                   "ELF and the rest"))
            .at(0)
            .kind == ImageEntry::Kind::elf);
  CHECK_THROWS_WITH_AS(read_image("x", text_bytes("garbage")), doctest::Contains("neither a fatbin"),
                       FormatError);
}

TEST_CASE("the newest PTX the device can run is chosen") {
  const auto with = [](std::initializer_list<std::pair<unsigned, std::uint64_t>> list) {
    std::vector<Bytes> entries;
    for (const auto& [architecture, flags] : list)
      entries.push_back(fatbin::entry(1, architecture, ptx, Packing::stored, flags));
    return read_image("f", fatbin::container(entries));
  };
  const auto several = with({{75, 0}, {90, 0}, {90, 0x100000}, {100, 0}});
  CHECK(choose_ptx(several, 90) == &several[2]);
  CHECK(choose_ptx(several, 80) == &several[0]);
  CHECK(choose_ptx(several, 120) == &several[3]);
  const auto only_newer = with({{100, 0}});
  CHECK(choose_ptx(only_newer, 90) == nullptr);
}

TEST_CASE("cut or bit-flipped fatbins give an error or entries, never a crash") {
  const Bytes whole =
      fatbin::container({fatbin::entry(1, 75, ptx, Packing::zstd), fatbin::entry(1, 90, ptx, Packing::lz4)});
  int errors = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      read_image("cut", Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
    } catch (const FormatError&) {
      ++errors;
    }
  }
  CHECK(errors == static_cast<int>(whole.size()));
  for (std::size_t bit = 0; bit < 8 * 160; ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    try {
      read_image("flipped", flipped);
    } catch (const FormatError&) {
      ++errors;
    }
  }
  CHECK(errors > static_cast<int>(whole.size()));
}
