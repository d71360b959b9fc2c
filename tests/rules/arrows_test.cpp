// The dependency arrows of README.md: who may include whom.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/rules/sources.h"

namespace {

// A room, and the rooms whose headers it may include besides its own.
const std::map<std::string, std::set<std::string>> allowed = {
    {"semcc", {}},
    {"emulator/text", {}},
    {"emulator/ptx", {}},
    {"emulator/kernel", {"emulator/ptx"}},
    {"emulator/memory", {}},
    {"emulator/exec", {"emulator/kernel", "emulator/memory"}},
    {"emulator/sched", {"emulator/exec", "emulator/kernel", "emulator/memory"}},
    {"utilities", {}},
    {"emulator/hooks", {"emulator/text", "emulator/exec", "emulator/kernel", "emulator/memory", "utilities"}},
    {"emulator/device",
     {"emulator/hooks", "utilities", "emulator/sched", "emulator/exec", "emulator/kernel", "emulator/ptx",
      "emulator/memory"}},
    {"emulator/fidelity", {"emulator/kernel", "emulator/ptx"}},
    {"emulator/cli",
     {"emulator/text", "emulator/fidelity", "utilities", "emulator/device", "emulator/hooks", "emulator/ptx",
      "emulator/kernel", "traces/replay", "traces/order", "traces/explain", "traces/regress", "traces/diff",
      "traces/read", "traces/format", "interposer/record"}},
    {"traces/format", {}},
    {"traces/read", {"traces/format"}},
    {"traces/diff", {"traces/format", "traces/read"}},
    {"traces/replay",
     {"traces/format", "traces/read", "traces/diff", "emulator/device", "emulator/hooks", "emulator/kernel",
      "utilities"}},
    {"traces/order",
     {"traces/format", "traces/read", "traces/replay", "emulator/device", "emulator/hooks", "utilities"}},
    {"traces/explain",
     {"traces/read", "traces/replay", "traces/order", "emulator/hooks", "emulator/kernel", "utilities"}},
    {"traces/regress",
     {"traces/format", "traces/order", "traces/read", "traces/diff", "traces/replay", "emulator/device",
      "emulator/hooks", "emulator/kernel", "emulator/text"}},
    {"interposer", {"traces/format"}},
    {"interposer/record", {"traces/format", "interposer"}},
};

std::string room_of(const std::string& path) {
  std::string best;
  for (const auto& [room, unused] : allowed)
    if (path.rfind(room + "/", 0) == 0 && room.size() > best.size()) best = room;
  return best;
}

}  // namespace

TEST_CASE("every include follows an arrow") {
  static const std::regex include(R"(#include \"([^\"]+)\")");
  int seen = 0;
  for (const auto& source : project_sources({".h", ".cpp", ".c"})) {
    const std::string room = room_of(source.path);
    if (room.empty()) continue;
    // Only the head of the file: an emitter may hold the includes of what it writes further down.
    const std::string head = source.text.substr(0, source.text.find("\nnamespace "));
    for (std::sregex_iterator it(head.begin(), head.end(), include), end; it != end; ++it) {
      const std::string target = room_of((*it)[1]);
      if (target.empty() || target == room) continue;
      ++seen;
      INFO(source.path, " includes ", (*it)[1].str());
      CHECK(allowed.at(room).count(target) == 1);
    }
  }
  CHECK(seen > 0);
}

TEST_CASE("nothing depends on tests or benchmarks") {
  for (const auto& source : project_sources({".h", ".cpp", ".c"})) {
    if (source.path.rfind("tests/", 0) == 0 || source.path.rfind("benchmarks/", 0) == 0) continue;
    INFO(source.path);
    CHECK(source.text.find("#include \"tests/") == std::string::npos);
    CHECK(source.text.find("#include \"benchmarks/") == std::string::npos);
  }
}
