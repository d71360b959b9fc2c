// What was written is read back, and is what the instructions computed.
#include <cstdio>
#include <cstring>
#include <map>

#include "tests/utilities/kernels.h"
#include "tests/utilities/watched.h"
#include "utilities/register_trace/format.hpp"

using namespace wedjat::test;

TEST_CASE("the values of a kernel") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  const Watched w = watch(strided(8), {"register_trace,file=" + file}, {.ctas = 2, .threads = 48});
  register_trace::Reader in(file);
  register_trace::Step step;
  std::map<std::string, int> seen;  // by opcode
  while (in.next(step)) {
    const register_trace::Site& site = in.site(step);
    std::string opcode;
    for (const char* known : {"and.b32", "setp.eq.u32", "mul.wide.u32", "add.s32"})
      if (site.text.find(known) != std::string::npos) opcode = known;
    ++seen[opcode];
    const std::uint32_t lanes = step.warp == 0 ? 0xffffffffu : 0xffffu;
    const auto value = [&](unsigned lane) {
      std::uint64_t number = 0;
      std::memcpy(&number, step.values[0].data() + site.rows[0].bytes() * lane, site.rows[0].bytes());
      return number;
    };
    if (opcode == "setp.eq.u32") {
      std::uint32_t predicate;
      std::memcpy(&predicate, step.values[0].data(), sizeof predicate);
      CHECK(predicate == (0x55555555u & lanes));
    } else if (opcode == "mul.wide.u32") {
      CHECK(step.mask == lanes);
      for (unsigned l = 0; l < 16; ++l) CHECK(value(l) == 8 * (32 * step.warp + l));
    } else if (opcode == "add.s32") {
      CHECK(step.mask == (0x55555555u & lanes));
      for (unsigned l = 0; l < 16; l += 2) CHECK(value(l) == 100 + 32 * step.warp + l);
      CHECK(value(1) == 0);
    } else if (opcode == "and.b32") {
      for (unsigned l = 0; l < 16; ++l) CHECK(value(l) == l % 2);
    }
  }
  for (const char* opcode : {"and.b32", "setp.eq.u32", "mul.wide.u32", "add.s32"})
    CHECK_MESSAGE(seen[opcode] == 4, std::string(opcode));
  CHECK(w.cell("register trace", "steps") == 4 * 6);  // these, tid and the address
  std::remove(file.c_str());
}

TEST_CASE("a register trace that is damaged, cut short or none at all is refused") {
  CHECK_THROWS_WITH_AS(register_trace::Reader("/dev/null"), "/dev/null: is no register trace",
                       std::runtime_error);
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  watch(strided(8), {"register_trace,file=" + file});
  std::string whole(1 << 16, ' ');
  std::FILE* const in = std::fopen(file.c_str(), "rb");
  whole.resize(std::fread(whole.data(), 1, whole.size(), in));
  std::fclose(in);
  const auto read = [&](const std::string& bytes) {
    std::FILE* const out = std::fopen(file.c_str(), "wb");
    std::fwrite(bytes.data(), 1, bytes.size(), out);
    std::fclose(out);
    register_trace::Reader reader(file);
    for (register_trace::Step step; reader.next(step);) {
    }
  };
  CHECK_NOTHROW(read(whole));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    INFO("byte ", i);
    if (i + 1 < whole.size() - 4) CHECK_THROWS_AS(read(whole.substr(0, i)), std::runtime_error);
    if (i > 12) CHECK_THROWS_AS(read(damaged), std::runtime_error);  // frame header: some bits mean nothing
  }
  std::remove(file.c_str());
}
