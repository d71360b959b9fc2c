// Lanes that execute what their membermask does not name, as an H200 does it (membermasks_h200.txt): which
// launches end well, and with what values; which are an illegal instruction.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "emulator/device/device.h"
#include "emulator/device/error.h"

using namespace wedjat;

namespace {

using Words = std::array<std::uint32_t, 128>;  // four of each lane
constexpr std::uint64_t in = 0x7f0000000000, out = 0x7f0000010000;

// With %a, %b, %c, %c64, %k and the predicate %q as operands, %r and %p as results.
const std::map<std::string, std::string> instructions = {
    {"shfl_idx", "shfl.sync.idx.b32 %r|%p, %a, %b, 31, MASK;"},
    {"shfl_up", "shfl.sync.up.b32 %r|%p, %a, 3, 0, MASK;"},
    {"shfl_down", "shfl.sync.down.b32 %r|%p, %a, 3, 31, MASK;"},
    {"shfl_bfly", "shfl.sync.bfly.b32 %r|%p, %a, 17, 31, MASK;"},
    {"vote_ballot", "vote.sync.ballot.b32 %r, %q, MASK;"},
    {"match_any", "match.any.sync.b32 %r, %c, MASK;"},
    {"match_all", "match.all.sync.b32 %r|%p, %c, MASK;"},
    {"redux_add", "redux.sync.add.s32 %r, %a, MASK;"},
    {"redux_min", "redux.sync.min.u32 %r, %a, MASK;"},
    {"elect", "elect.sync %r|%p, MASK;"},
    {"barwarp", "bar.warp.sync MASK; mov.b32 %r, 7;"}};

struct Row {
  std::string compiler;     // that made the machine code: ptxas -O3, -O0, or the driver
  std::string instruction;  // of `instructions`
  std::string mask;         // literal; uniform: a parameter; loaded
  std::string shape;        // who executes it
  std::uint32_t low, high;  // the masks of lanes 0 to 15 and of the others
  std::string answer;       // "illegal", or what it leaves

  std::string name() const {
    return fmt::format("{} {} {} {} {:08x} {:08x}", compiler, instruction, mask, shape, low, high);
  }
};

std::vector<Row> rows() {
  std::vector<Row> all;
  std::ifstream file(WEDJAT_SOURCE_DIR "/tests/emulator/device/membermasks_h200.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    Row row;
    std::istringstream words(line);
    words >> row.compiler >> row.instruction >> row.mask >> row.shape >> std::hex >> row.low >> row.high >>
        row.answer;
    REQUIRE_MESSAGE(!row.answer.empty(), line);
    all.push_back(row);
  }
  return all;
}

std::string with_mask(const Row& row, std::uint32_t literal, const char* reg) {
  std::string text = instructions.at(row.instruction);
  const std::size_t at = text.find("MASK");
  return text.replace(at, 4, row.mask == "literal" ? fmt::format("{:#x}", literal) : reg);
}

// The kernel that was measured.
std::string kernel_text(const Row& row) {
  const bool uniform = row.mask == "uniform";
  const std::string low = with_mask(row, row.low, "%m"),
                    high = with_mask(row, row.high, uniform ? "%n" : "%m");
  const std::map<std::string, std::string> shapes = {
      {"conv", low},   // all together
      {"conv2", low},  // with masks that differ
      {"div2", "@!%low bra H; " + low + " st.global.u32 [%o+12], 5; bra J; H: " + high +
                   " st.global.u32 [%o+12], 6; J:"},
      {"div1", "@!%low bra J; " + low + " st.global.u32 [%o+12], 5; J:"},
      {"exit1", "@!%low ret; " + low + " st.global.u32 [%o+12], 5;"},
      {"guard", "@%low " + low},
      {"after", "@!%low bra J; st.global.u32 [%o+12], 5; J: " + low}};
  return std::string(
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 out, .param .u64 in, .param .u32 mlow, .param .u32 mhigh) {\n"
             ".reg .b32 %a,%b,%c,%k,%r,%s,%lane,%m,%n,%t; .reg .b64 %o,%g,%c64; .reg .pred %p,%q,%low;\n"
             "mov.u32 %lane, %laneid; ld.param.u64 %o, [out]; ld.param.u64 %g, [in];\n"
             "mad.wide.u32 %o, %lane, 16, %o; mad.wide.u32 %g, %lane, 16, %g;\n"
             "ld.global.u32 %m, [%g]; ld.global.u32 %a, [%g+4]; ld.global.u32 %b, [%g+8]; ld.global.u32 %c, "
             "[%g+12];\n"
             "and.b32 %t, %a, 1; setp.ne.u32 %q, %t, 0; setp.lt.u32 %low, %lane, 16;\n"
             "mov.b32 %r, 0xeeeeeeee; setp.eq.u32 %p, %lane, 99;\n") +
         (uniform ? "ld.param.u32 %m, [mlow]; ld.param.u32 %n, [mhigh];\n" : "") + shapes.at(row.shape) +
         "\nselp.u32 %s, 1, 0, %p; st.global.u32 [%o], %r; st.global.u32 [%o+4], %s; st.global.u32 [%o+8], "
         "1; ret; }\n";
}

std::string hash_of(const Words& words) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint32_t word : words)
    for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (word >> 8 * byte & 0xff)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

// "illegal", or what it leaves.
std::string answer(const Row& row) {
  device::Device device({.threads = 1});
  device::Module* module = device.load_module({{"k.ptx", kernel_text(row)}}, {});
  Words words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    words[4 * lane] = lane < 16 ? row.low : row.high;
    words[4 * lane + 1] = lane * 0x07070707 ^ lane << 8 ^ 0x80000003;
    words[4 * lane + 2] = (lane * 5 + 1) & 31;
    words[4 * lane + 3] = lane / 3;
  }
  device.allocate_at(in, sizeof words, "in");
  device.allocate_at(out, sizeof words, "out");
  device.write(in, std::as_bytes(std::span(words)));
  words.fill(0xcccccccc);
  device.write(out, std::as_bytes(std::span(words)));
  std::vector<std::byte> parameters(24);
  std::memcpy(parameters.data(), &out, 8);
  std::memcpy(parameters.data() + 8, &in, 8);
  std::memcpy(parameters.data() + 16, &row.low, 4);
  std::memcpy(parameters.data() + 20, &row.high, 4);
  try {
    device.launch(device.function(module, "k"), {.grid = {1, 1, 1}, .block = {32, 1, 1}}, parameters);
  } catch (const device::Failed& failed) {
    CHECK(std::string(failed.what()).find("an illegal instruction") != std::string::npos);
    return "illegal";
  }
  device.read(out, std::as_writable_bytes(std::span(words)));
  return hash_of(words);
}

}  // namespace

TEST_CASE("what ran to its end on an H200 does so here, with its values") {
  int ran = 0;
  for (const Row& row : rows()) {
    if (row.answer == "illegal") continue;
    // Of lanes that its membermask does not name, a shuffle may give anything.
    if (row.shape == "conv2" && row.instruction.starts_with("shfl")) continue;
    INFO(row.name(), "\n", kernel_text(row));
    CHECK(answer(row) == row.answer);
    ++ran;
  }
  CHECK(ran > 150);
}

// Here such launches go on where all lanes that are named are present, as machine code without the test does:
// sync_check tells of them.
TEST_CASE("an illegal instruction is one here too, but where nothing named is elsewhere") {
  int here = 0, on = 0;
  for (const Row& row : rows()) {
    if (row.answer != "illegal") continue;
    INFO(row.name());
    ++(answer(row) == "illegal" ? here : on);
  }
  MESSAGE(here, " illegal here too, ", on, " go on");
  CHECK(here > 50);
}
