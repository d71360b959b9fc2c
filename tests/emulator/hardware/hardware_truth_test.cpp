#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <tuple>

#include "emulator/fidelity/truth_file.h"
#include "tests/emulator/hardware/cases/row_shape.h"
#include "tests/emulator/hardware/cases/texel_case.h"
#include "tests/emulator/hardware/forms/kernel.h"
#include "tests/emulator/hardware/forms/own_registers.h"
#include "tests/emulator/hardware/forms/random.h"
#include "tests/emulator/hardware/forms/rounds.h"

using namespace wedjat::fidelity;
using namespace wedjat::hardware_truth;

namespace {

const std::string kForms = WEDJAT_SOURCE_DIR "/tests/emulator/hardware/forms.txt";

std::filesystem::path scratch(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "wedjat_hardware_truth_test";
  std::filesystem::create_directories(folder);
  return folder / name;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string read_error(const std::string& list) {
  std::ofstream(scratch("forms.txt")) << list;
  return error_of([] { read_forms(scratch("forms.txt")); });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

}  // namespace

TEST_CASE("alternatives expand from left to right, vectors stay") {
  CHECK(expand_alternatives("a{,.b}.{c,d} x") ==
        std::vector<std::string>{"a.c x", "a.d x", "a.b.c x", "a.b.d x"});
  CHECK(expand_alternatives("mov.b64 d.b64, {s.b16*4}") ==
        std::vector<std::string>{"mov.b64 d.b64, {s.b16*4}"});
}

TEST_CASE("a malformed list names file, line and operand") {
  CHECK(contains(read_error("# c\nadd.{s32 d.b32"), "forms.txt:2: "));
  CHECK(contains(read_error("add.s32 d.b33, s.b32"), "operand \"d.b33\" is not understood"));
  CHECK(contains(read_error("mov.b64 {s.b16*1}, s.b64"), "operand \"{s.b16*1}\""));
  CHECK(contains(read_error("add.s32 d.b32, , s.b32"), "operand \"\""));
  CHECK(contains(read_error("not.b32 d.b32, s.b32\nnot.{b32,b64} d.b32, s.b32"),
                 "forms.txt:2: \"not.b32 d.b32, s.b32\" is listed twice"));
  CHECK(contains(error_of([] { read_forms("/nonexistent"); }), "/nonexistent: cannot be read"));
}

TEST_CASE("the list holds every form, each kernel its instruction") {
  const std::vector<Form> forms = read_forms(kForms);
  CHECK(forms.size() == 6318);
  for (const Case& one : make_cases(forms)) {
    REQUIRE(contains(one.ptx, "\n  " + one.form.substr(0, one.form.find(' '))));
    REQUIRE(one.output_bytes > 0);
  }
}

TEST_CASE("rounds: values are made in a loop, and a sum is kept") {
  input_rounds = {.same = true};
  CHECK(contains(make_case(parse_form("fma.rn.f32 d.b32, s.b32, -s.b32, s.b32"), "k").ptx,
                 "fma.rn.f32 %d0, %s0, -%s0, %s0;"));
  input_rounds = {.count = 7, .guarded = true};
  const Case one = make_case(parse_form("fma.rn.f32 d.b32, s.b32, s.b32, s.b32"), "k");
  const Case vote = make_case(parse_form("vote.sync.any.pred d.pred, s.pred, s.b32@mask"), "k");
  input_rounds = {};
  CHECK(contains(one.ptx, "@%guard fma.rn.f32 %s0, %s0, %s1, %s2;"));
  CHECK(contains(one.ptx, "setp.lt.u32 %again, %round, 7;"));
  CHECK(one.output_bytes == std::size_t{kLanes} * 8);
  CHECK(!contains(vote.ptx, "@%guard"));
  CHECK(one.input_hash() == make_case(parse_form("fma.rn.f32 d.b32, s.b32, s.b32, s.b32"), "k").input_hash());
  std::vector<std::byte> sums(one.output_bytes);
  const std::vector<std::byte> before = round_hashes(sums);
  CHECK(before.size() == kLanes / 32 * 8);
  sums[33 * 8] = std::byte{1};
  const std::vector<std::byte> after = round_hashes(sums);
  CHECK(std::equal(before.begin(), before.begin() + 8, after.begin()));
  CHECK(!std::equal(before.begin() + 8, before.begin() + 16, after.begin() + 8));
}

TEST_CASE("inputs follow from the form's text alone") {
  const Case one = make_case(parse_form("fma.rn.f32 d.b32, s.b32, s.b32, s.b32"), "a");
  CHECK(one.input == make_case(parse_form("fma.rn.f32 d.b32, s.b32, s.b32, s.b32"), "b").input);
  CHECK(one.input.size() == 3 * 4 * kLanes);
  // A truth file becomes stale when this changes.
  CHECK(one.input_hash() == 10636376366276503280u);
}

TEST_CASE("another seed chooses other inputs, for the same kernels") {
  const std::vector<std::string> forms = {"fma.rn.f32 d.b32, s.b32, s.b32, s.b32", "popc.b32 d.b32, s.b32",
                                          "vote.sync.any.pred d.pred, s.pred, s.b32@mask"};
  for (const std::string& form : forms) {
    const Case first = make_case(parse_form(form), "a");
    input_seed = 7;
    const Case other = make_case(parse_form(form), "a");
    input_seed = 0;
    CHECK(other.ptx == first.ptx);
    CHECK(other.input.size() == first.input.size());
    CHECK(other.input_hash() != first.input_hash());
    CHECK(make_case(parse_form(form), "a").input_hash() == first.input_hash());
  }
}

TEST_CASE("an immediate is no operand, but counts as one") {
  // The shift is the second source: amounts, not numbers of every size.
  const std::vector<Values> values = make_inputs(parse_form("shl.b32 d.b32, #5, s.b32"));
  REQUIRE(values.size() == 1);
  const auto small =
      std::count_if(values[0].low.begin(), values[0].low.end(), [](std::uint64_t n) { return n < 256; });
  CHECK(small > 800);
}

TEST_CASE("the chief corners of two operands meet") {
  const std::vector<Values> values = make_inputs(parse_form("add.f32 d.b32, s.b32, s.b32"));
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::size_t lane = 0; lane < kLanes; ++lane) seen.emplace(values[0].low[lane], values[1].low[lane]);
  for (const std::uint64_t a : {0x00000000u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xff800001u,
                                0x00000001u, 0x7f7fffffu}) {
    for (const std::uint64_t b : {0x80000000u, 0x7f800000u, 0xff800000u, 0xff800001u, 0x3f800000u}) {
      CHECK_MESSAGE(seen.count({a, b}) == 1, a << " with " << b);
    }
  }
  CHECK(seen.size() > 900);
}

TEST_CASE("no input whose result PTX leaves open") {
  for (const char* form : {"div.s16 d.b16, s.b16, s.b16", "rem.u64 d.b64, s.b64, s.b64"}) {
    const std::vector<Values> values = make_inputs(parse_form(form));
    for (const std::uint64_t divisor : values[1].low) REQUIRE(divisor != 0);
  }
  // A shuffle under a partial mask reads only from lanes in the mask.
  for (const std::string& mode : std::vector<std::string>{"up", "down", "bfly", "idx"}) {
    const auto values =
        make_inputs(parse_form("shfl.sync." + mode + ".b32 d.b32, s.b32, s.b32, s.b32, s.b32@mask"));
    for (unsigned thread = 0; thread < kLanes; ++thread) {
      const unsigned lane = thread % 32;
      const auto b = static_cast<unsigned>(values[1].low[thread] & 31),
                 c = static_cast<unsigned>(values[2].low[thread]);
      const unsigned segment = c >> 8 & 31, clamp = c & 31;
      const int limit = static_cast<int>((lane & segment) | (clamp & ~segment));
      const int source = static_cast<int>(mode == "up"     ? lane - b
                                          : mode == "down" ? lane + b
                                          : mode == "bfly" ? lane ^ b
                                                           : (lane & segment) | (b & ~segment));
      const bool in_range = mode == "up" ? source >= limit : source <= limit;
      const auto mask = static_cast<std::uint32_t>(values[3].low[thread]);
      if (in_range && (mask >> lane & 1) != 0) REQUIRE((mask >> source & 1) == 1);
    }
  }
}

TEST_CASE("the rows of textures and surfaces: each kernel its instruction, its operands all with a meaning") {
  const auto rows = texel_rows();
  CHECK(rows.size() == 8806);
  for (const InventoryRow* row : rows) {
    const TexelRow texel = texel_row(*row);
    REQUIRE_MESSAGE(texel.meanings.size() == texel.shape.sources.size(), row->text);
    REQUIRE(texel.scenes->scenes.size() == kLanes / 32);
  }
  for (std::size_t i = 0; i < rows.size(); i += 97) {
    const Case one = make_texel_case(*rows[i], "k");
    REQUIRE(contains(one.ptx, std::string(rows[i]->text)));
    REQUIRE(one.input == make_texel_case(*rows[i], "l").input);
  }
}

TEST_CASE("rows_bounded.txt lists the rows that are compared by a relation, each with its bound") {
  std::set<std::string> listed, related;
  std::ifstream in(WEDJAT_SOURCE_DIR "/tests/emulator/hardware/rows_bounded.txt");
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '#') continue;
    const std::size_t tab = line.find('\t');
    REQUIRE_MESSAGE(tab + 1 < line.size(), line);
    listed.insert(line.substr(0, tab));
  }
  for (const InventoryRow* row : shown_rows())
    if (reads_own_register(*row)) related.insert(shape_of(*row).name);
  CHECK(listed == related);
  CHECK(listed.size() == 33);
}

TEST_CASE("lanes of a warp write to different texels, also where a coordinate outside means the nearest") {
  for (const InventoryRow* row : texel_rows()) {
    if (row->mnemonic != "sust.b.2d.v2.b64.clamp" && row->mnemonic != "sured.p.add.1d.b32.zero") continue;
    const TexelRow texel = texel_row(*row);
    const std::vector<std::byte> input = texel_input(*row, texel);
    const auto word = [&](std::size_t lane, std::size_t at) {
      std::int32_t value;
      std::memcpy(&value, &input[lane * texel.input_bytes + at], sizeof(value));
      return value;
    };
    std::set<std::tuple<std::size_t, std::int64_t, std::int64_t>> seen;
    std::size_t active = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (input[(lane + 1) * texel.input_bytes - 1] == std::byte{0}) continue;
      ++active;
      const auto& shape = texel.scenes->scenes[lane / 32].shape;
      const std::int64_t unit = texel.bytes ? texel.access : 1;
      const auto columns = static_cast<std::int64_t>(texel.bytes ? shape.row_bytes() : shape.width) / unit;
      const bool plane = texel.geometry == "2d";
      REQUIRE(word(lane, 0) % unit == 0);
      seen.insert(
          {lane / 32, std::clamp<std::int64_t>(word(lane, 0) / unit, 0, columns - 1),
           plane ? std::clamp<std::int64_t>(word(lane, 4), 0, static_cast<std::int64_t>(shape.height) - 1)
                 : 0});
    }
    CHECK(seen.size() == active);
    CHECK(active > 900);
  }
}

TEST_CASE("a difference names lane, inputs and outputs") {
  const Case one = make_case(parse_form("setp.eq.s32 d.pred|d.pred, s.b32, s.b32"), "k");
  std::vector<std::byte> expected(one.output_bytes), got(one.output_bytes);
  CHECK(describe_difference(one, expected, got).empty());
  got[kLanes + 3] = got[7] = std::byte{1};
  const std::string text = describe_difference(one, expected, got);
  CHECK(contains(text, "2 of 1024 lanes differ, lane 3: %s0=0x"));
  CHECK(contains(text, "-> %d1 expected 0x00 got 0x01"));
  CHECK(contains(describe_difference(one, {}, got), "0 output bytes expected"));
}

TEST_CASE("a truth file comes back as it was written") {
  const Truth truth{
      "Some GPU", "1.2", "2026-01-31", {{"a.b32 d.b32", 0x1234, bytes_of("xyz")}, {"b d.b16", ~0ull, {}}}};
  write_truth(truth, scratch("truth.bin"));
  const Truth back = read_truth(scratch("truth.bin"));
  CHECK(back.device == "Some GPU");
  CHECK(back.driver == "1.2");
  CHECK(back.date == "2026-01-31");
  REQUIRE(back.records.size() == 2);
  CHECK(back.records[0].form == "a.b32 d.b32");
  CHECK(back.records[0].input_hash == 0x1234);
  CHECK(back.records[0].output == truth.records[0].output);
  CHECK(back.records[1].input_hash == ~0ull);
}

TEST_CASE("of several truths joined, a form has what the last says") {
  const Truth old{"G", "1", "2026-01-31", {{"a", 1, bytes_of("x")}, {"b", 2, bytes_of("y")}}};
  const Truth again{"G", "2", "2026-02-01", {{"c", 3, {}}, {"a", 4, bytes_of("z")}}};
  const Truth joined = join_truth({old, again});
  CHECK(joined.driver == "2");
  REQUIRE(joined.records.size() == 3);
  CHECK(joined.records[0].form == "a");
  CHECK(joined.records[0].output == bytes_of("z"));
  CHECK(joined.records[0].input_hash == 4);
  CHECK(joined.records[1].output == bytes_of("y"));
  CHECK(joined.records[2].form == "c");
}

TEST_CASE("forms can be left out of joined truths, those that no part has are named") {
  const Truth old{"G", "1", "2026-01-31", {{"a", 1, bytes_of("x")}, {"b", 2, bytes_of("y")}}};
  const Truth again{"G", "2", "2026-02-01", {{"c", 3, {}}, {"a", 4, bytes_of("z")}}};
  const Truth joined = join_truth({old, again}, {"a", "c"});
  REQUIRE(joined.records.size() == 1);
  CHECK(joined.records[0].form == "b");
  CHECK(contains(error_of([&] {
                   join_truth({old, again}, {"a", "d"});
                 }),
                 "\"d\" is to be left out, and no part has it"));
}

TEST_CASE("a damaged truth file never yields wrong answers") {
  const std::vector<std::byte> output = bytes_of("some output bytes of a form");
  write_truth({"G", "1", "2026-01-31", {{"a.b32 d.b32", 1, output}}}, scratch("whole.bin"));
  std::ifstream in(scratch("whole.bin"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  unsigned refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::ofstream(scratch("cut.bin"), std::ios::binary) << whole.substr(0, at);
    CHECK(error_of([] { read_truth(scratch("cut.bin")); }) != "no error");
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    std::ofstream(scratch("flipped.bin"), std::ios::binary) << flipped;
    try {
      const Truth read = read_truth(scratch("flipped.bin"));
      CHECK_MESSAGE(read.records.at(0).output == output, "byte " << at);
    } catch (const InputError&) {
      ++refused;
    }
  }
  // All but the bit of the zstd frame's head that means nothing.
  CHECK(refused + 1 == whole.size());
}
