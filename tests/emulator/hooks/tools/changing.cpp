// Changes a kernel as the option `do` says.
#include <cstring>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct Changing : Tool {
  const std::string what = option("do");
  std::uint64_t refused = 0;
  std::uint32_t index = WEDJAT_NO_REGISTER;

  Changing() {
    if (what == "define") define<&Changing::sum>("wsum.u32", "d:u32:out a:u32");
    if (what == "define_add") define<&Changing::sum>("add.mine", "d:u32:out");
  }
  void kernel(const wedjat_kernel& k) override {
    index = find_register(k, option("register"));
    for (const auto& i : instructions(k)) {
      if (option("opcode") != i.opcode) continue;
      bool done = true;
      if (what == "skip") done = skip(i);
      if (what == "replace") done = replace<&Changing::hundred>(i);
      if (what == "original") done = replace<&Changing::twice>(i);
      if (what == "memory") done = before<&Changing::memory_of_lane>(i, WEDJAT_ADDRESSES);
      if (what == "register") done = before<&Changing::write_seven>(i, WEDJAT_REGISTERS);
      if (what == "rows") done = after<&Changing::rows>(i, WEDJAT_ROWS);
      if (!done) ++refused;
    }
  }
  void hundred(const Event& event) {
    each_lane(event.executed, [&](unsigned lane) { row<std::uint32_t>(event, 0)[lane] = 100 + lane; });
  }
  void twice(const Event& event) {
    original(event);
    each_lane(event.executed, [&](unsigned lane) { row<std::uint32_t>(event, 0)[lane] *= 2; });
  }
  void rows(const Event& event) {
    each_lane(event.executed, [&](unsigned lane) { row<std::uint32_t>(event, 0)[lane] += 1; });
  }
  // What the word holds, one more, where the store will not reach: 4096 bytes on.
  void memory_of_lane(const Event& event) {
    each_lane(event.executed, [&](unsigned lane) {
      std::uint32_t word = 0;
      const std::uint64_t address = event.addresses[0][lane];
      if (!read(event, lane, WEDJAT_GLOBAL, address, &word, 4)) ++refused;
      word += 1 + lane;
      if (!write(event, lane, WEDJAT_GLOBAL, address + 4096, &word, 4)) ++refused;
    });
  }
  void write_seven(const Event& event) {
    each_lane(event.executed, [&](unsigned lane) {
      const bool predicate = option("as") == "predicate";
      const bool written = predicate ? write_register<std::uint8_t>(event, index, lane, lane % 4 == 0)
                                     : write_register<std::uint32_t>(event, index, lane, 7 + lane);
      if (!written) ++refused;
    });
  }
  void sum(const Event& event) {
    std::uint32_t all = 0;
    each_lane(event.executed, [&](unsigned lane) { all += row<std::uint32_t>(event, 1)[lane]; });
    each_lane(event.executed, [&](unsigned lane) { row<std::uint32_t>(event, 0)[lane] = all; });
  }
  void finish() override { table("changes", "refused").row(refused); }
};
WEDJAT_TOOL(Changing, "changing", "changes a kernel",
            "do=what; opcode=of which instructions; register=its name; as=", WEDJAT_MUTATES)
