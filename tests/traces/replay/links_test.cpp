// What machine code was made of.
#include "traces/replay/state/links.h"

#include <doctest/doctest.h>

#include <deque>

using namespace wedjat::traces;

namespace {

std::deque<Event> events;

const Event& image(std::uint64_t hash) {
  Event& event = events.emplace_back();
  event.name = "image";
  event.fields = {{"hash_high", hash}, {"hash_low", std::uint64_t{0}}};
  return event;
}

const Event& made_of(std::uint64_t made, std::uint64_t index, std::uint64_t part) {
  Event& event = events.emplace_back();
  event.name = "made_of";
  event.fields = {{"made_high", made},
                  {"made_low", std::uint64_t{0}},
                  {"index", index},
                  {"hash_high", part},
                  {"hash_low", std::uint64_t{0}}};
  return event;
}

std::vector<std::uint64_t> hashes(const std::vector<Links::Part>& parts) {
  std::vector<std::uint64_t> all;
  for (const auto& part : parts) all.push_back(part.image->number("hash_high"));
  return all;
}

}  // namespace

TEST_CASE("an image that nobody in the program made is itself") {
  const Links links;
  const Event& one = image(1);
  const auto parts = links.parts_of(one);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].image == &one);
  CHECK(parts[0].made == nullptr);
}

TEST_CASE("parts may be made of parts, and name what they were made into") {
  Links links;
  links.learn(made_of(1, 0, 2));
  links.learn(made_of(1, 1, 3));
  links.learn(made_of(3, 0, 4));
  const auto parts = links.parts_of(image(1));
  CHECK(hashes(parts) == std::vector<std::uint64_t>{2, 4});
  CHECK(parts[0].made->number("hash_high") == 1);
  CHECK(parts[1].made->number("hash_high") == 3);
}

TEST_CASE("the same code made twice has its parts once") {
  Links links;
  for (int twice = 0; twice < 2; ++twice) {
    links.learn(made_of(1, 0, 2));
    links.learn(made_of(1, 1, 3));
  }
  CHECK(hashes(links.parts_of(image(1))) == std::vector<std::uint64_t>{2, 3});
}

TEST_CASE("what a damaged trace says to be made of itself ends") {
  Links links;
  for (std::uint64_t index = 0; index < 100; ++index) links.learn(made_of(1, index, index % 2 + 1));
  for (std::uint64_t index = 0; index < 100; ++index) links.learn(made_of(2, index, index % 3 + 1));
  CHECK(hashes(links.parts_of(image(1))) == std::vector<std::uint64_t>{3});
  links.learn(made_of(5, 0, 5));
  CHECK(links.parts_of(image(5)).empty());
}
