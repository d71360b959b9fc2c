// wedjat info TRACE|PTX
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/ptx_info.h"
#include "cli/options/reading_options.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/terminal.h"
#include "traces/format/names.h"
#include "traces/read/archive.h"
#include "traces/read/image.h"
#include "traces/read/trace.h"

namespace wedjat::cli {
namespace {

nlohmann::json entries_of(const std::string& name, const traces::Trace& trace, const traces::Event& image) {
  nlohmann::json entries = nlohmann::json::array();
  if (image.number("kind") == static_cast<std::uint64_t>(traces::ImageKind::archive)) return entries;
  for (const auto& entry : traces::read_image(name, trace.contents(image))) {
    const bool ptx = entry.kind == traces::ImageEntry::Kind::ptx;
    entries.push_back({{"kind", ptx                                           ? "ptx"
                                : entry.kind == traces::ImageEntry::Kind::elf ? "elf"
                                                                              : "other"},
                       {"architecture", entry.architecture},
                       {"bytes", ptx ? entry.text.size() : entry.payload_size}});
  }
  return entries;
}

// Parts that are kept of what was made in the program, by the hash of what was made.
using Kept = std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;

Kept kept_parts(const traces::Trace& trace) {
  Kept kept;
  for (const traces::Event& event : trace.events) {
    if (event.name != "made_of") continue;
    std::uint64_t& parts = kept[{event.number("made_high"), event.number("made_low")}];
    parts = std::max(parts, event.number("index") + 1);
  }
  return kept;
}

nlohmann::json describe_trace(const traces::Trace& trace) {
  const Kept kept = kept_parts(trace);
  const traces::Calls calls = traces::group_calls(trace);
  std::map<std::string, std::uint64_t> count;
  nlohmann::json images = nlohmann::json::array(), kernels = nlohmann::json::array();
  std::uint64_t failed = 0;
  for (const auto& call : calls.calls) {
    ++count[std::string(call.symbol)];
    failed += !call.succeeded();
    for (const auto* event : call.attached) {
      if (event->name != "image") continue;
      const std::string name = fmt::format("{} (seq {})", call.symbol, call.sequence());
      const auto parts = kept.find({event->number("hash_high"), event->number("hash_low")});
      images.push_back({{"call", name},
                        {"entries", entries_of(name, trace, *event)},
                        {"kept_parts", parts == kept.end() ? 0 : parts->second}});
    }
  }
  for (const auto* event : calls.loose)
    if (event->name == "kernel_info") kernels.push_back(event->text("name"));
  nlohmann::json called;
  for (const auto& [name, times] : count) called[name] = times;
  const auto& manifest = trace.manifest;
  return {{"kind", "trace"},
          {"format", manifest.format},
          {"program", manifest.argv},
          {"date", manifest.date},
          {"device", manifest.device ? manifest.device->name : ""},
          {"emulated", manifest.device && manifest.device->emulated},
          {"devices", manifest.device ? manifest.device->count : 0},
          {"driver", manifest.device ? manifest.device->driver_version : 0},
          {"compute_capability", manifest.device ? manifest.device->compute_capability : ""},
          {"exit_code", manifest.exit_code},
          {"exit_signal", manifest.exit_signal},
          {"events", trace.events.size()},
          {"blobs", trace.blobs.list().size()},
          {"flaws", trace.flaws},
          {"failed_calls", failed},
          {"calls", std::move(called)},
          {"images", std::move(images)},
          {"kernels", std::move(kernels)}};
}

void print_trace(const nlohmann::json& info) {
  std::string program;
  for (const auto& argument : info["program"]) program += argument.get<std::string>() + " ";
  const int devices = info["devices"].get<int>();
  fmt::print(
      "trace of {}\n  recorded {} on {}{}{} (compute capability {}, driver {})\n", program,
      info["date"].get<std::string>(), devices > 1 ? fmt::format("{} devices, the first ", devices) : "",
      info["device"].get<std::string>(), info["emulated"].get<bool>() ? ", emulated by wedjat live" : "",
      info["compute_capability"].get<std::string>(), info["driver"].get<int>());
  fmt::print("  exit code {}, {} events, {} blobs, {} failed calls\n", info["exit_code"].get<int>(),
             grouped(info["events"]), grouped(info["blobs"]), grouped(info["failed_calls"]));
  for (const auto& flaw : info["flaws"]) fmt::print("  {} {}\n", bad("flaw:"), flaw.get<std::string>());
  fmt::print("images\n");
  for (const auto& image : info["images"]) {
    for (const auto& entry : image["entries"])
      fmt::print("  {:<40} {} for sm_{}, {} bytes\n", image["call"].get<std::string>(),
                 entry["kind"].get<std::string>(), entry["architecture"].get<unsigned>(),
                 grouped(entry["bytes"]));
    if (const auto parts = image["kept_parts"].get<std::uint64_t>(); parts != 0)
      fmt::print("  {:<40} made in the program; kept, what of: {}\n", "", parts);
  }
  fmt::print("kernels\n");
  for (const auto& kernel : info["kernels"]) fmt::print("  {}\n", kernel.get<std::string>());
  fmt::print("calls\n");
  for (const auto& [name, times] : info["calls"].items()) fmt::print("  {:>10}  {}\n", grouped(times), name);
}

struct InfoOptions {
  std::string path;
  bool json = false, check = false;
  traces::ReadLimits limits;
};

int run(const InfoOptions& options) {
  const auto& [path, json, check, limits] = options;
  std::error_code unknown;  // who reads it says what is wrong with it
  const bool trace = std::filesystem::is_directory(path, unknown) || path.ends_with(".tar.zst") ||
                     traces::is_packed_trace(path);
  if (trace && check) throw std::invalid_argument("--check is for PTX: of a trace, a replay tells");
  const nlohmann::json info =
      trace ? describe_trace(traces::open_trace(path, limits)) : describe_ptx(path, check);
  if (json)
    print_json(info);
  else if (trace)
    print_trace(info);
  else
    print_ptx(info);
  return check && has_refusals(info) ? refused : all_well;
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Say what is in a trace or in a PTX file");
  command->add_option("path", options->path, "a trace (folder or packed file), or a file of PTX text")
      ->required();
  command->add_flag("--json", options->json, "print as JSON");
  command->add_flag("--check", options->check, "of PTX: also say which functions cannot be run, and why");
  add_limit_options(*command, options->limits);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wedjat::cli
