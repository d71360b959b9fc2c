// Keys of kept code: what changes code changes them.
#include "emulator/compile/cache/key.h"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "emulator/compile/cache/build_id.h"
#include "emulator/compile/cache/processor.h"
#include "tests/emulator/compile/hand_function.h"

using namespace wedjat;
using namespace wedjat::compile;
using test::HandFunction;

namespace {

const Maker maker{.program = "p", .compiler = "c", .processor = "x", .features = "f", .leave = 0};

void fill(HandFunction& f) {
  f.block();
  f.step(0, 1, 2);
  f.step(1, 1, 1, true);
  f.end(kernel::End::Fall, 1);
  f.block();
  f.end(kernel::End::Exit);
  f.code.fills.push_back({.row = 64, .value = 5});
}

kernel::Kernel kernel_of(const HandFunction& f) {
  kernel::Kernel made;
  made.name = "hand";
  made.functions.push_back(f.code);
  return made;
}

}  // namespace

TEST_CASE("a kernel has one key, wherever it lies") {
  HandFunction one;
  fill(one);
  const kernel::Kernel kernel = kernel_of(one);
  kernel::Kernel copy = kernel;
  copy.number = 17;
  CHECK(key_of(maker, kernel, {}) == key_of(maker, copy, {}));
  CHECK(key_of(maker, kernel, {}).hex().size() == 32);
}

TEST_CASE("who watches is part of the key, and where it lies is not") {
  HandFunction one;
  fill(one);
  const kernel::Kernel kernel = kernel_of(one);
  const auto key = [&](const exec::Probe& probe) {
    const exec::Probes probes{.all = {probe}};
    return key_of(maker, kernel, {}, &probes).hex();
  };
  const auto bitcode = [](const char* text) { return std::make_shared<const std::string>(text); };
  const exec::InlinedFunction function{
      .name = "f", .bitcode = bitcode("BC"), .values = {{.offset = 64, .bytes = 8}}};
  auto same = function, other = function, moved = function;
  same.bitcode = bitcode("BC");
  other.bitcode = bitcode("BC2");
  moved.values[0].offset = 128;
  CHECK(key({.inlined = {function}}) == key({.inlined = {same}}));
  std::set<std::string> keys{key_of(maker, kernel, {}).hex()};
  const std::vector<exec::Probe> all = {{},
                                        {.guard = 1},
                                        {.tallies = {{.cell = 1}}},
                                        {.tallies = {{.cell = 2}}},
                                        {.access = {{.address = 64}}},
                                        {.inlined = {function}},
                                        {.inlined = {other}},
                                        {.inlined = {moved}},
                                        {.rows = {{.offset = 64}}},
                                        {.only = {{.low = 1, .high = 2}}},
                                        {.only = {{.low = 1, .high = 3}}},
                                        {.tools = 1},
                                        {.tools = 1, .sleepers = 1},
                                        {.within = 0},
                                        {.expected = {.tool = 0}},
                                        {.expected = {.tool = 0, .site = 1}},
                                        {.by_hand = "why"}};
  for (const exec::Probe& probe : all) keys.insert(key(probe));
  CHECK(keys.size() == all.size() + 1);
}

TEST_CASE("forms that are no table's are known by what they say") {
  HandFunction one, other;
  fill(one);
  fill(other);
  const kernel::Kernel kernel = kernel_of(one), same = kernel_of(other);
  REQUIRE(kernel.functions[0].steps[0].form != same.functions[0].steps[0].form);
  CHECK(key_of(maker, kernel, {}) == key_of(maker, same, {}));
  kernel::Form form = *kernel.functions[0].steps[0].form;
  form.text = "another";
  kernel::Kernel different = kernel;
  different.functions[0].steps[0].form = &form;
  CHECK(!(key_of(maker, kernel, {}) == key_of(maker, different, {})));
}

TEST_CASE("everything that decides what code is made has a part in the key") {
  HandFunction f;
  fill(f);
  const kernel::Kernel kernel = kernel_of(f);
  std::set<std::string> keys{key_of(maker, kernel, {}).hex()};
  const auto is_new = [&](const Key& key) { CHECK(keys.insert(key.hex()).second); };

  for (std::string Maker::*const part :
       {&Maker::program, &Maker::compiler, &Maker::processor, &Maker::features}) {
    Maker other = maker;
    other.*part += "1";
    is_new(key_of(other, kernel, {}));
  }
  Maker left = maker;
  left.leave = 5;
  is_new(key_of(left, kernel, {}));

  is_new(key_of(maker, kernel, {.width = 16}));
  is_new(key_of(maker, kernel, {.full = {{3, Shape::affine(1, 0)}}}));
  is_new(key_of(maker, kernel, {.any = {{3, Shape::affine(1, 0)}}}));
  is_new(key_of(maker, kernel, {.any = {{3, Shape::of(0)}}}));

  const auto changed = [&](auto&& change) {
    kernel::Kernel other = kernel;
    change(other, other.functions[0]);
    is_new(key_of(maker, other, {}));
  };
  changed([](auto& k, auto&) { k.static_shared_bytes = 16; });
  changed([](auto& k, auto&) { k.parameter_bytes = 8; });
  changed([](auto& k, auto&) { k.ordered = true; });
  changed([](auto& k, auto&) { k.local_bytes = 0; });
  changed([](auto&, auto& c) { c.steps[0].guard = 1; });
  changed([](auto&, auto& c) { c.steps[0].flags = 1; });
  changed([](auto&, auto& c) { c.steps[0].id = 9; });
  changed([](auto&, auto& c) { c.steps[0].row = c.steps[1].row; });
  changed([](auto&, auto& c) {
    c.steps[0].full = [](exec::WarpContext&, const kernel::Step&, std::uint32_t) {};
  });
  changed([](auto&, auto& c) { c.blocks[0].end.target = 0; });
  changed([](auto&, auto& c) { c.blocks[0].end.guard = 1; });
  changed([](auto&, auto& c) { c.blocks[0].instructions = 3; });
  changed([](auto&, auto& c) { c.fills[0].value = 6; });
  changed([](auto&, auto& c) { c.fills[0].source = kernel::RowFill::Source::Special; });
  changed([](auto&, auto& c) { c.frame_bytes = 64; });
  changed([](auto&, auto& c) { c.local_bytes = 64; });
  changed([](auto& k, auto& c) { k.functions.push_back(c); });
}

TEST_CASE("programs and libraries have build ids, other files have none") {
  CHECK(own_build_id().size() >= 8);
  CHECK(own_build_id() == build_id_of("/proc/self/exe"));
  CHECK(build_id_of(WEDJAT_SOURCE_DIR "/CMakeLists.txt").empty());
  CHECK(build_id_of("/nowhere").empty());
  CHECK(build_id_of("/").empty());
}

TEST_CASE("the processor is the same one each time it is asked") {
  CHECK(processor_identity().size() > 16);
  CHECK(processor_identity() == processor_identity());
}
