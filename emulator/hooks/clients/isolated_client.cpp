// A tool in a process of its own: it cannot crash, stop or change the run. Nothing it says is believed
// unchecked.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "emulator/hooks/clients/child_process.h"
#include "emulator/hooks/clients/client.h"
#include "emulator/hooks/clients/messages.h"
#include "emulator/hooks/session/library.h"
#include "emulator/installation/installation.h"

namespace wedjat::hooks {
namespace {

using nlohmann::json;

std::string taken(Session& session, const char* key, const char* otherwise) {
  const auto node = session.options.extract(key);
  return node.empty() ? otherwise : node.mapped();
}

double seconds(const std::string& tool, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  constexpr double most = 1e6;
  if (text.empty() || *end != 0 || !(value > 0 && value <= most))
    throw refusal(tool, fmt::format("timeout: '{}' is no number of seconds above 0", text));
  return value;
}

std::vector<std::string> command_for(const std::string& library) {
  namespace fs = std::filesystem;
  const fs::path folder = installation() / "lib" / "wedjat";
  if (is_python(library))
    return {"/usr/bin/python3", "-u", folder / "tool_host.py", folder / "confine.so", library};
  return {folder / "wedjat-tool-host", library};
}

std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t end = text.rfind('\n');
  return std::string(end == text.npos ? text : text.substr(end + 1));
}

// A subscription of the other process runs there: here is only its number.
void never(void*, const wedjat_event*) {}

class IsolatedClient final : public Client {
 public:
  IsolatedClient(const std::string& library, Session session, Print print)
      : session_(std::move(session)),
        name_(std::filesystem::path(library).stem()),
        pressure_(taken(session_, "pressure", "block")),
        child_(command_for(library), seconds(name_, taken(session_, "timeout", "10")), std::move(print)) {
    session_.report.tool = name_;
    if (pressure_ != "block" && pressure_ != "drop") throw refusal(name_, "pressure is block or drop");
    guarded([&] {
      const auto answer = child_.ask({{"do", "create"}, {"options", session_.options}});
      if (!answer) return;
      if (const std::string refused = answer->value("refused", ""); !refused.empty())
        session_.refused = refused;
      if (!answer->value("name", "").empty()) session_.report.tool = answer->at("name");
      session_.report.checks = checks_ = answer->value("checks", false);
      grow(answer->value("counters", 0u));
      wants_ctas_ = answer->value("ctas", false);
      wants_warps_ = answer->value("warps", false);
    });
    session_.check();
  }

  Plan subscribe(const wedjat_kernel& kernel) override {
    Plan plan;
    guarded([&] {
      tell_lists(kernel);
      const auto answer = child_.ask({{"do", "kernel"}, {"kernel", describe(kernel)}});
      if (!answer) return;
      grow(answer->at("counters"));
      for (const json& p : answer->at("probes")) {
        const auto at = p.get<std::vector<std::uint64_t>>();
        if (at.size() != 9) throw json::out_of_range::create(401, "a probe has nine numbers", &p);
        const auto small = [&](std::size_t i) { return static_cast<std::uint32_t>(at[i]); };
        const wedjat_probe probe{sizeof probe,
                                 small(0),
                                 small(1),
                                 small(2),
                                 never,
                                 watch_number(at[3]),
                                 {small(4), small(5), at[6], at[7]},
                                 small(8)};
        subscribe_one(kernel, [&] { return host_functions().probe(&session_, &probe); });
      }
      for (const json& e : answer->value("edges", json::array())) {
        const wedjat_edge edge{sizeof edge, e.at(0), e.at(1), never, watch_number(e.at(2))};
        subscribe_one(kernel, [&] { return host_functions().edge(&session_, &edge); });
      }
      for (const json& c : answer->at("counts")) {
        const wedjat_count count{sizeof count, c.at(0), c.at(1), c.at(2), c.at(3), c.at(4)};
        subscribe_one(kernel, [&] { return host_functions().count(&session_, &count); });
      }
      plan = std::exchange(session_.plan, {});
    });
    return plan;
  }
  bool launch_begin(const wedjat_launch& launch) override {
    bool watch = false;
    guarded([&] {
      watch = asked_to_watch(
          {{"do", "launch_begin"}, {"launch", describe(launch)}, {"values", session_.counters}});
    });
    return watch;
  }
  void launch_end(const wedjat_launch& launch) override {
    guarded([&] {
      asked_to_watch({{"do", "launch_end"}, {"launch", describe(launch)}, {"values", session_.counters}});
    });
  }
  bool wants_again(std::uint32_t kernel) override { return session_.resets.erase(kernel) != 0; }
  void call(const wedjat_call& call) override {
    guarded([&] { child_.tell({{"do", "call"}, {"call", describe(call)}}); });
  }
  void module(const wedjat_module& module) override {
    const std::vector<std::string> kernels(module.kernels, module.kernels + module.kernel_count);
    guarded([&] { child_.tell({{"do", "module"}, {"name", module.name}, {"kernels", kernels}}); });
  }
  void graph_node(const wedjat_graph_node& node) override {
    guarded([&] {
      child_.tell(
          {{"do", "graph_node"}, {"sequence", node.sequence}, {"index", node.index}, {"call", node.call}});
    });
  }
  void memory(const wedjat_memory& m) override {
    guarded([&] {
      child_.tell({{"do", "memory"},
                   {"what", m.what},
                   {"address", m.address},
                   {"bytes", m.bytes},
                   {"label", m.label ? m.label : ""}});
    });
  }
  bool wants_ctas() const override { return wants_ctas_; }
  bool wants_warps() const override { return wants_warps_; }
  bool cta_begin(const wedjat_launch&, std::uint64_t cta) override {
    bool watch = false;
    guarded([&] { watch = asked_to_watch({{"do", "cta_begin"}, {"cta", cta}}); });
    return watch;
  }
  void cta_end(const wedjat_launch&, std::uint64_t cta) override {
    guarded([&] { child_.tell({{"do", "cta_end"}, {"cta", cta}}); });
  }
  bool warp_begin(const wedjat_launch&, std::uint64_t cta, std::uint32_t warp, std::uint32_t lanes) override {
    bool watch = false;
    guarded([&] {
      watch = asked_to_watch({{"do", "warp_begin"}, {"cta", cta}, {"warp", warp}, {"lanes", lanes}});
    });
    return watch;
  }
  void warp_end(const wedjat_launch&, std::uint64_t cta, std::uint32_t warp) override {
    guarded([&] { child_.tell({{"do", "warp_end"}, {"cta", cta}, {"warp", warp}}); });
  }

  void deliver(const Watch& watch, const wedjat_event& event) override {
    if (!child_.alive()) return;
    std::size_t bytes = sizeof(Record);
    const bool rows = event.rows != nullptr;
    if (rows)
      each_carried_row(*event.instruction, watch.needs,
                       [&](const wedjat_operand& operand, std::size_t) { bytes += row_bytes(operand); });
    const std::size_t old =
        event.old != nullptr && (watch.needs & WEDJAT_OLD) ? 32u * event.instruction->accesses[0].bytes : 0;
    const std::size_t pieces = watch.needs & WEDJAT_PIECES ? event.piece_count : 0;
    bytes += pieces * sizeof(wedjat_piece) + (old + 7) / 8 * 8;
    std::byte* const at = child_.reserve(bytes, pressure_ == "block");
    if (at == nullptr) {
      ++session_.report.dropped;
      return;
    }
    Record record{};
    record.bytes = static_cast<std::uint32_t>(bytes);
    record.watch = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(watch.user));
    record.instruction = event.instruction ? event.instruction->id : Record::no_instruction;
    record.warp = event.warp;
    record.cta = event.cta;
    std::memcpy(record.cta_xyz, event.cta_xyz, sizeof record.cta_xyz);
    record.active = event.active;
    record.executed = event.executed;
    record.paths = event.paths;
    record.pieces = static_cast<std::uint32_t>(pieces);
    std::memcpy(at, &record, sizeof record);
    std::byte* to = at + sizeof record;
    if (rows)
      each_carried_row(*event.instruction, watch.needs, [&](const wedjat_operand& operand, std::size_t row) {
        const std::size_t size = row_bytes(operand);
        std::memcpy(to, event.rows[row], operand.value == WEDJAT_PRED ? 4 : size);
        to += size;
      });
    if (pieces != 0) std::memcpy(to, event.pieces, pieces * sizeof(wedjat_piece));
    if (old != 0) std::memcpy(to + pieces * sizeof(wedjat_piece), event.old, old);
    child_.publish(bytes);
  }

  Report finish() override {
    Report report = session_.report;
    guarded([&] {
      const auto answer = child_.ask({{"do", "finish"}, {"values", session_.counters}});
      if (!answer) return;
      if (const std::string refused = answer->value("refused", ""); !refused.empty())
        session_.refused = refused;
      Report told = report_of(answer->at("report"));
      told.tool = report.tool;
      told.checks = report.checks;
      told.dropped = report.dropped;
      report = std::move(told);
    });
    child_.end();
    session_.check();
    suppress(report);
    if (child_.detached().empty()) return report;
    report.detached = child_.detached();
    report.printed = child_.errors();
    if (const std::string last = last_line(report.printed); !last.empty())
      report.detached += "; the last line it wrote: " + last;
    return report;
  }
  std::vector<std::uint64_t>& counters() override { return session_.counters; }
  const std::deque<Definition>& definitions() const override { return session_.definitions; }

 private:
  static void* watch_number(std::uint64_t number) { return reinterpret_cast<void*>(number); }

  // Once: subscribed to anew it is the same kernel.
  void tell_lists(const wedjat_kernel& kernel) {
    if (!told_.insert(kernel.id).second) return;
    for (std::uint32_t first = 0; child_.alive(); first += part_elements) {
      json part = describe_part(kernel, first);
      if (part.is_null()) return;
      child_.tell({{"do", "part"}, {"kernel", kernel.id}, {"part", std::move(part)}});
    }
  }
  // What it answers to a begin or an end: whether it watches, what it set and wants anew.
  bool asked_to_watch(json message) {
    const auto answer = child_.ask(std::move(message));
    if (!answer) return false;
    for (const json& set : answer->value("sets", json::array()))
      host_functions().set(&session_, set.at(0), set.at(1));
    session_.sets.clear();
    for (const json& kernel : answer->value("resets", json::array()))
      session_.resets.insert(kernel.get<std::uint32_t>());
    return answer->value("watch", false);
  }
  // A message of the wrong shape ends the tool, not the run.
  template <class Work>
  void guarded(Work work) {
    if (!child_.alive()) return;
    try {
      work();
    } catch (const json::exception& error) {
      child_.give_up(fmt::format("its answer makes no sense: {}", error.what()));
    }
  }
  template <class Subscribe>
  void subscribe_one(const wedjat_kernel& kernel, Subscribe subscribe) {
    session_.subscribing = &kernel;
    if (subscribe() != 0) child_.give_up("it subscribes to what is not there");
    session_.subscribing = nullptr;
  }
  void grow(std::size_t counters) {
    constexpr std::size_t most = 1 << 22;
    if (counters > most)
      child_.give_up(fmt::format("it wants {} counters", counters));
    else if (counters > session_.counters.size())
      session_.counters.resize(counters);
  }
  void suppress(Report& report) const {
    std::erase_if(report.findings, [&](const Finding& finding) {
      if (session_.suppressions == nullptr || !session_.suppressions->cover(finding)) return false;
      ++report.suppressed;
      std::uint64_t& count = finding.severity == "error" ? report.errors : report.warnings;
      if (finding.severity != "info" && count != 0) --count;
      return true;
    });
  }

  Session session_;
  std::string name_, pressure_;
  bool wants_ctas_ = false, wants_warps_ = false;
  std::set<std::uint32_t> told_;  ///< kernels whose lists it knows
  ChildProcess child_;
};

}  // namespace

std::unique_ptr<Client> load_isolated(const std::string& library, Session session, Print print) {
  return std::make_unique<IsolatedClient>(library, std::move(session), std::move(print));
}

}  // namespace wedjat::hooks
