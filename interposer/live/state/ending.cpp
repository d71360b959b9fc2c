#include "interposer/live/state/ending.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "emulator/compile/tier/journal_json.h"
#include "emulator/fidelity/fidelity_tool.h"
#include "emulator/hooks/hooks.h"
#include "emulator/hooks/report/names.h"
#include "emulator/hooks/wanted.h"
#include "interposer/live/state/driver.h"
#include "interposer/live/state/perform.h"
#include "interposer/shim/driver/entry_table.h"

namespace wedjat::live {
namespace {

std::array<std::atomic<std::uint64_t>, interposer::kEntries> unsupported_calls{};
std::atomic<bool> over{false};
hooks::Hooks* running = nullptr;  // never destroyed
pid_t process = 0;                // a child of fork() has nothing to tell

std::string report_file() {
  const std::string& folder = driver().options.reports;
  return folder.empty() ? "" : folder + "/" + std::to_string(process);
}

// Before the end: who finds it so knows that the end was not seen.
void write_report(const nlohmann::json& report) {
  const std::string path = report_file();
  if (path.empty()) return;
  std::ofstream file(path);
  file << report.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (!file.flush()) tell(path + ": cannot be written");
}

nlohmann::json report_of_tools() {
  nlohmann::json reports = nlohmann::json::array();
  std::vector<hooks::Report> found;
  if (running != nullptr) found = running->finish();
  for (hooks::Report& report : found) {
    nlohmann::json one = hooks::to_json(report);
    one["died"] = !report.detached.empty();
    one["chose_nothing"] = !report.chose_nothing.empty();
    reports.push_back(std::move(one));
    hooks::demangle(report);
    std::fputs(fmt::format("\n{}", hooks::to_text(report)).c_str(), stderr);
  }
  if (running != nullptr)
    for (const std::string& line : running->unused_suppressions())
      tell(fmt::format("--suppress: {} covered no finding", hooks::printable(line)));
  return reports;
}

nlohmann::json tell_unsupported() {
  nlohmann::json counts = nlohmann::json::object();
  std::uint64_t calls = 0;
  for (std::size_t i = 0; i < unsupported_calls.size(); ++i)
    if (const std::uint64_t count = unsupported_calls[i]; count != 0) {
      counts[interposer::kEntryTable[i].name] = count;
      calls += count;
    }
  if (calls != 0)
    tell(fmt::format("{} call{} of {} function{} {} not carried out: CUDA_ERROR_NOT_SUPPORTED", calls,
                     calls == 1 ? "" : "s", counts.size(), counts.size() == 1 ? "" : "s",
                     calls == 1 ? "was" : "were"));
  return counts;
}

nlohmann::json report_of_kernels() {
  nlohmann::json kernels = nlohmann::json::array();
  for (const auto& [name, ran] : driver().ran)
    kernels.push_back({{"kernel", name},
                       {"launches", ran.launches},
                       {"seconds", ran.seconds},
                       {"steps", ran.steps},
                       {"native_steps", ran.native_steps}});
  return kernels;
}

void end() {
  if (process != ::getpid() || over.exchange(true)) return;
  std::fflush(stdout);
  keep_native_code();
  const nlohmann::json counts = tell_unsupported();
  write_report({{"process", process},
                {"ended", true},
                {"launches", driver().launches},
                {"kernels", report_of_kernels()},
                {"native", compile::to_json(native_code())},
                {"not_carried_out", counts},
                {"tools", report_of_tools()}});
}

}  // namespace

void start_tools() {
  if (process != 0) return;
  process = ::getpid();
  const Options& options = driver().options;
  if (options.any_tool()) try {
      auto made = std::make_unique<hooks::Hooks>();
      made->print_to([](bool, std::string_view text) { hooks::print_here(true, text); });
      if (options.fidelity) made->add(fidelity::fidelity_tool());
      hooks::add_wanted(*made, {options.tools, options.check, options.suppressions});
      running = made.release();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "wedjat: error: %s\n", error.what());
      ::_exit(2);
    }
  write_report({{"process", process}, {"ended", false}});
  // Now: before what the tools' own libraries do at the end. Not std::atexit(): see no_destructors.cpp.
  ::on_exit([](int, void*) { end(); }, nullptr);
}

hooks::Hooks* tools() { return running; }

bool count_unsupported(interposer::Entry entry) {
  return unsupported_calls[static_cast<std::size_t>(entry)]++ == 0;
}

bool ended() { return over; }

}  // namespace wedjat::live
