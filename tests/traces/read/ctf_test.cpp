// Reading CTF: what LTTng-UST writes is read, and everything else is refused with its place.
#include <doctest/doctest.h>

#include "tests/traces/read/ctf_builder.h"
#include "traces/read/archive.h"
#include "traces/read/ctf_reader.h"

using namespace wedjat::traces;

namespace {

struct Outcome {
  std::vector<Event> events;
  std::vector<std::string> damage;
};

Outcome read(const std::string& metadata, const std::string& stream) {
  const TemporaryFolder folder;
  ctf::write(folder.path() / "metadata", metadata);
  ctf::write(folder.path() / "calls_0", stream);
  Outcome outcome;
  outcome.events = read_ctf(folder.path(), outcome.damage);
  return outcome;
}

const std::string all_kinds = ctf::event(
    0,
    "integer { size = 8; align = 8; signed = 1; } _small; string _text; floating_point { exp_dig = 8; "
    "mant_dig = 24; "
    "align = 8; } _real; integer { size = 32; align = 8; signed = 0; } __many_length; integer { size = 16; "
    "align = 8; "
    "signed = 1; } _many[ __many_length ]; integer { size = 8; align = 8; signed = 0; } _few[2]; ");

struct Refused {
  std::string bytes;
  const char* cause;
};

std::string record_of_all_kinds() {
  return ctf::record(0, 5,
                     ctf::bytes_of(std::int8_t{-3}) + std::string("abc\0", 4) + ctf::bytes_of(1.5f) +
                         ctf::bytes_of(2) + ctf::bytes_of(std::int16_t{-1}) + ctf::bytes_of(std::int16_t{4}) +
                         "xy");
}

}  // namespace

TEST_CASE("every kind of field, two packets, padding, extended ids") {
  const std::string long_id = ctf::bytes_of(std::uint16_t{65535}) + ctf::bytes_of(1) + std::string(8, '\0') +
                              ctf::bytes_of(7) + ctf::bytes_of(std::uint64_t{6});
  const auto outcome = read(ctf::metadata(ctf::preamble + all_kinds + ctf::event(1, "")),
                            ctf::packet(record_of_all_kinds(), 11) + ctf::packet(long_id));
  CHECK(outcome.damage.empty());
  REQUIRE(outcome.events.size() == 2);
  const Event& event = outcome.events[0];
  CHECK(event.provider == "wedjat_meta");
  CHECK(event.name == "kind0");
  CHECK(event.process == 7);
  CHECK(event.sequence == 5);
  CHECK(event.number("small") == static_cast<std::uint64_t>(-3));
  CHECK(event.text("text") == "abc");
  CHECK(std::get<double>(*event.find("real")) == 1.5);
  CHECK(event.numbers("many") == std::vector<std::uint64_t>{~std::uint64_t{0}, 4});
  CHECK(event.bytes("few") == Bytes{std::byte{'x'}, std::byte{'y'}});
  CHECK(outcome.events[1].name == "kind1");
  CHECK(outcome.events[1].sequence == 6);
}

TEST_CASE("streams cut at every byte keep the events before the cut") {
  const std::string metadata = ctf::metadata(ctf::preamble + all_kinds);
  const std::string first = ctf::packet(record_of_all_kinds()), both = first + first;
  for (std::size_t length = 0; length <= both.size(); ++length) {
    INFO(length);
    const auto outcome = read(metadata, both.substr(0, length));
    CHECK(outcome.events.size() == length / first.size());
    CHECK(outcome.damage.size() == (length % first.size() != 0));
  }
}

TEST_CASE("metadata cut at every byte") {
  const std::string text = ctf::preamble + all_kinds, stream = ctf::packet(record_of_all_kinds());
  for (std::size_t length = 0; length < text.size(); ++length) {
    INFO(length);
    const auto outcome = read(ctf::metadata(text.substr(0, length)), stream);
    if (length + 1 < text.size()) CHECK(!outcome.damage.empty());
  }
}

TEST_CASE("records that claim more than there is") {
  const std::string metadata = ctf::metadata(ctf::preamble + all_kinds + ctf::event(1, "string _text; "));
  const std::string counts =
      ctf::record(0, 5, std::string("\1\0", 2) + std::string(4, '\0') + "\xff\xff\xff\xff");
  for (const Refused& refused : {Refused{counts, "4294967295 times 2 bytes"},
                                 {ctf::record(1, 5, "abc"), "a text without end"},
                                 {ctf::record(9, 5, ""), "kind 9"},
                                 {std::string("\0", 1), "left of the packet"}}) {
    const auto outcome = read(metadata, ctf::packet(refused.bytes));
    INFO(refused.cause);
    CHECK(outcome.events.empty());
    REQUIRE(outcome.damage.size() == 1);
    CHECK(outcome.damage[0].find("calls_0: offset ") != std::string::npos);
    CHECK(outcome.damage[0].find(refused.cause) != std::string::npos);
  }
}

TEST_CASE("packets that lie about their size") {
  const std::string metadata = ctf::metadata(ctf::preamble + all_kinds);
  for (const std::size_t at : {24, 32})  // content_size, packet_size
    for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{8}, ~std::uint64_t{0}}) {
      std::string stream = ctf::packet(record_of_all_kinds());
      std::memcpy(&stream[at], &bits, sizeof bits);
      INFO(at, " ", bits);
      CHECK(read(metadata, stream).damage.size() == 1);
    }
}

TEST_CASE("metadata that LTTng would not write are refused with their line") {
  const std::string integer = "integer { size = 8; align = 8; signed = 0; } ";
  for (const Refused& refused : {
           Refused{"env {", "end within"},
           {"\"unended", "a text without end"},
           {"/* unended", "a comment without end"},
           {"\x01\x1e", "a byte that belongs"},
           {"99999999999999999999;", "64 bits"},
           {"variant { };", "declares nothing"},
           {"trace { byte_order = be; };", "little endian"},
           {"struct unheard { };", "a struct we do not know"},
           {ctf::event(1, "uint5_t _x; "), "whole bytes"},
           {ctf::event(1, "string _x[3]; "), "other than integers"},
           {ctf::event(1, integer + "_x[0]; "), "an array of nothing"},
           {ctf::event(1, integer + "_x[ _y ]; "), "no count"},
           {ctf::event(1, "unheard_t _x; "), "a type we do not know"},
           {ctf::event(1, "floating_point { exp_dig = 5; mant_dig = 11; align = 8; } _x; "),
            "neither float nor double"},
           {ctf::event(1, "") + ctf::event(1, ""), "declared twice"},
           {"event { name = \"a:b\"; id = 0; stream_id = 4;", "not declared"},
       }) {
    INFO(refused.bytes);
    const auto outcome = read(ctf::metadata(ctf::preamble + refused.bytes), "");
    REQUIRE(outcome.damage.size() == 1);
    CHECK(outcome.damage[0].find("metadata: line ") != std::string::npos);
    CHECK(outcome.damage[0].find(refused.cause) != std::string::npos);
  }
}

TEST_CASE("packets of metadata") {
  const std::string whole = ctf::metadata(ctf::preamble);
  CHECK(read(whole, "").damage.empty());
  for (const std::size_t at : {0, 24, 28, 32}) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x80);
    INFO(at);
    CHECK(read(broken, "").damage.size() == 1);
  }
}
