// Images in memory: what they refer to, and that they run.
#include "emulator/compile/image/placed_code.h"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>

using namespace wedjat::compile;

namespace {

// Gives what the first word of its table says: mov 64-7(%rip), %rax; ret.
Image reads_table() {
  Image image;
  for (const unsigned byte : {0x48u, 0x8bu, 0x05u, 57u, 0u, 0u, 0u, 0xc3u})
    image.bytes.push_back(static_cast<std::byte>(byte));
  image.bytes.resize(72);
  image.table = 64;
  image.links = {{Link::Kind::step, 3, {}}};
  return image;
}

}  // namespace

TEST_CASE("code finds in its table what it was linked to") {
  const Image first = reads_table(), second = reads_table();
  const std::array<const Image*, 2> images{&first, &second};
  const PlacedCode code(images, [&](const Image& image, const Link& link) {
    return (&image == &first ? 1000u : 2000u) + link.number;
  });
  CHECK(code.entry<std::uint64_t()>(0)() == 1003);
  CHECK(code.entry<std::uint64_t()>(1)() == 2003);
}

TEST_CASE("a link that nothing is known of leaves nothing behind") {
  const Image image = reads_table();
  const Image* const images[] = {&image};
  CHECK_THROWS_AS(PlacedCode(images,
                             [](const Image&, const Link&) -> std::uint64_t {
                               throw std::runtime_error("nothing is known of it");
                             }),
                  std::runtime_error);
}

TEST_CASE("links have names, and names are links") {
  for (std::size_t kind = 0; kind < static_cast<std::size_t>(Link::Kind::library); ++kind) {
    const Link link{static_cast<Link::Kind>(kind), 12, {}};
    CHECK(link_of(symbol_of(link.kind, link.number)) == link);
  }
  CHECK(link_of("fmaf") == Link{Link::Kind::library, 0, "fmaf"});
  CHECK_THROWS_AS(link_of("wedjat.step."), std::runtime_error);
  CHECK_THROWS_AS(link_of("wedjat.step.1x"), std::runtime_error);
  CHECK_THROWS_AS(link_of("wedjat.other.1"), std::runtime_error);
  CHECK_THROWS_AS(link_of(""), std::runtime_error);
}
