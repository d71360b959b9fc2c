// The dependency arrows of README.md: who may include whom.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <utility>
#include <vector>

#include "tests/rules/sources.h"

namespace {

const std::vector<std::string> code = {".h", ".hpp", ".cpp", ".c"};

// A room, and the rooms whose headers it may include besides its own.
const std::map<std::string, std::set<std::string>> allowed = {
    {"semcc", {}},
    {"emulator/text", {}},
    {"emulator/installation", {}},
    {"emulator/ptx", {}},
    {"emulator/kernel", {"emulator/ptx"}},
    {"emulator/programs", {"emulator/kernel"}},
    {"emulator/memory", {}},
    {"emulator/exec", {"emulator/kernel", "emulator/memory"}},
    {"emulator/compile",
     {"emulator/installation", "emulator/exec", "emulator/kernel", "emulator/memory", "utilities"}},
    {"emulator/sched", {"emulator/exec", "emulator/kernel", "emulator/memory"}},
    {"utilities", {}},
    {"emulator/hooks",
     {"emulator/text", "emulator/installation", "emulator/exec", "emulator/kernel", "emulator/memory",
      "utilities"}},
    {"emulator/device",
     {"emulator/hooks", "utilities", "emulator/sched", "emulator/compile", "emulator/exec", "emulator/kernel",
      "emulator/ptx", "emulator/memory"}},
    {"emulator/fidelity", {"emulator/kernel", "emulator/ptx", "utilities"}},
    {"cli/library",
     {"emulator/compile", "emulator/device", "emulator/fidelity", "emulator/hooks", "emulator/memory",
      "emulator/ptx", "traces/bundle", "traces/format", "traces/order", "traces/read", "traces/replay"}},
    {"cli",
     {"cli/library",     "emulator/text",  "emulator/fidelity", "utilities",         "emulator/compile",
      "emulator/device", "emulator/hooks", "emulator/ptx",      "emulator/kernel",   "traces/replay",
      "traces/order",    "traces/explain", "traces/regress",    "traces/bundle",     "traces/extract",
      "traces/compare",  "traces/export",  "traces/judge",      "emulator/programs", "traces/diff",
      "traces/read",     "traces/format",  "interposer/record", "interposer/live"}},
    {"traces/format", {}},
    {"traces/read", {"traces/format"}},
    {"traces/diff", {"traces/format", "traces/read"}},
    {"traces/replay",
     {"traces/format", "traces/read", "traces/diff", "emulator/device", "emulator/hooks", "emulator/kernel",
      "emulator/ptx", "utilities", "interposer/meaning"}},
    {"traces/order",
     {"traces/format", "traces/read", "traces/replay", "emulator/device", "emulator/hooks", "emulator/kernel",
      "utilities"}},
    {"traces/explain",
     {"traces/read", "traces/replay", "traces/order", "emulator/hooks", "emulator/kernel", "utilities"}},
    {"traces/regress",
     {"traces/format", "traces/order", "traces/read", "traces/diff", "traces/replay", "emulator/device",
      "emulator/hooks", "emulator/kernel", "emulator/text"}},
    {"traces/bundle", {"traces/format", "emulator/device", "emulator/memory"}},
    {"traces/extract",
     {"traces/read", "traces/replay", "traces/bundle", "traces/order", "emulator/device", "emulator/hooks",
      "emulator/ptx", "utilities"}},
    {"traces/export", {"traces/format", "traces/order", "traces/replay", "emulator/hooks", "utilities"}},
    {"traces/judge",
     {"traces/format", "traces/read", "traces/replay", "traces/order", "traces/explain", "traces/bundle",
      "traces/extract", "emulator/kernel", "emulator/device", "emulator/hooks", "emulator/fidelity",
      "utilities"}},
    {"traces/compare",
     {"traces/replay", "traces/order", "traces/bundle", "traces/extract", "emulator/device", "emulator/hooks",
      "utilities"}},
    {"interposer", {"traces/format", "interposer/images"}},
    {"interposer/images", {}},
    {"interposer/record", {"traces/format", "interposer"}},
    {"interposer/meaning",
     {"interposer/images", "traces/read", "emulator/device", "emulator/kernel", "emulator/memory"}},
    {"interposer/ptx_run", {"emulator/device"}},
    {"interposer/runtime", {}},
    {"interposer/live",
     {"interposer", "interposer/images", "interposer/meaning", "interposer/record", "traces/format",
      "traces/read", "emulator/compile", "emulator/device", "emulator/fidelity", "emulator/hooks",
      "emulator/kernel", "emulator/memory", "emulator/ptx"}},
};

// Subrooms of a room in the order data flows: a file may include what lies in its own or in an earlier one.
// Files of the room itself, its doors, come last.
const std::map<std::string, std::vector<std::string>> flow = {
    {"cli",
     {"library", "python", "processor", "launcher", "terminal", "options", "expect", "foreign", "gpu",
      "reduce", "fuzz", "commands"}},
    {"semcc/check", {"types", "machine", "expressions", "body", "calls", "family"}},
    {"semcc/emit", {"facts", "executors", "forms", "machine", "text", "manual", "smt"}},
    {"emulator/compile", {"analysis", "lanes", "image", "cache", "tier", "emit", "engine"}},
    {"emulator/ptx", {"text", "module", "declarations", "builder"}},
    {"emulator/kernel", {"forms", "lowered", "legality", "draft", "lower", "ptxas", "rows"}},
    {"emulator/hooks", {"report", "session", "inspection", "clients", "running", "isolated", "page"}},
    {"emulator/exec", {"numeric", "access", "matrix", "cta", "warp", "texture", "tensor"}},
    {"traces/replay", {"state", "calls"}},
    {"interposer/live", {"state", "work", "calls", "command"}},
    {"interposer/shim", {"events", "driver", "ranges", "memory", "calls"}},
};

// Where in the flow of its room a file lies: the room, and the place of the subroom. The room is empty if it
// has none.
std::pair<std::string, std::size_t> place_of(const std::string& path) {
  for (const auto& [room, subrooms] : flow) {
    if (path.rfind(room + "/", 0) != 0) continue;
    const std::string rest = path.substr(room.size() + 1);
    const auto slash = rest.find('/');
    if (slash == std::string::npos) return {room, subrooms.size()};
    const auto found = std::find(subrooms.begin(), subrooms.end(), rest.substr(0, slash));
    if (found != subrooms.end()) return {room, static_cast<std::size_t>(found - subrooms.begin())};
  }
  return {};
}

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
  for (const auto& source : project_sources(code)) {
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

TEST_CASE("in a room every include points back along the flow of its subrooms") {
  static const std::regex include(R"(#include \"([^\"]+)\")");
  int seen = 0;
  for (const auto& source : project_sources(code)) {
    const auto [room, place] = place_of(source.path);
    if (room.empty()) continue;
    const std::string head = source.text.substr(0, source.text.find("\nnamespace "));
    for (std::sregex_iterator it(head.begin(), head.end(), include), end; it != end; ++it) {
      const auto [other, target] = place_of((*it)[1]);
      if (other != room) continue;
      ++seen;
      INFO(source.path, " includes ", (*it)[1].str());
      CHECK(target <= place);
    }
  }
  CHECK(seen > 0);
}

TEST_CASE("every folder of a room that has a flow is in it") {
  namespace fs = std::filesystem;
  for (const auto& [room, subrooms] : flow)
    for (const auto& subroom : subrooms) {
      const fs::path folder = fs::path(WEDJAT_SOURCE_DIR) / room / subroom;
      INFO(folder.string());
      CHECK(fs::is_directory(folder));
    }
  for (const auto& source : project_sources(code))
    for (const auto& [room, subrooms] : flow)
      if (source.path.rfind(room + "/", 0) == 0) {
        INFO(source.path);
        CHECK(place_of(source.path).first == room);
      }
}

TEST_CASE("nothing depends on tests or benchmarks") {
  for (const auto& source : project_sources(code)) {
    if (source.path.rfind("tests/", 0) == 0 || source.path.rfind("benchmarks/", 0) == 0) continue;
    INFO(source.path);
    CHECK(source.text.find("#include \"tests/") == std::string::npos);
    CHECK(source.text.find("#include \"benchmarks/") == std::string::npos);
  }
}
