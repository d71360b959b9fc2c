#include "traces/format/manifest.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/format/hash.h"

namespace wedjat::traces {
using nlohmann::json;

std::vector<std::string> Manifest::why_not_whole() const {
  std::vector<std::string> reasons = trouble;
  if (event_files.empty())
    reasons.emplace_back("the recording was never closed: its events carry no checksums");
  if (!clean_end) reasons.emplace_back("the recorded program did not end cleanly");
  if (events_discarded < 0) reasons.emplace_back("it is not known whether events were lost");
  if (events_discarded > 0)
    reasons.push_back(std::to_string(events_discarded) + " events were lost while recording");
  return reasons;
}

std::map<std::string, std::string> hash_event_files(const std::filesystem::path& trace) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> hashes;
  const fs::path events = trace / kEventsFolder;
  if (!fs::is_directory(events)) return hashes;
  for (const fs::path& file : files_below(events)) {
    const std::string bytes = read_regular_file(file);
    hashes[fs::relative(file, events).generic_string()] = to_hex(hash_bytes(std::as_bytes(std::span(bytes))));
  }
  return hashes;
}

std::string Manifest::device_text() const {
  if (!device) return "an unknown device";
  return device->name + (device->emulated ? ", emulated by wedjat live" : "");
}

void write_manifest(const std::filesystem::path& trace, const Manifest& manifest) {
  json device = nullptr;
  if (manifest.device) {
    device = {{"name", manifest.device->name},
              {"driver_version", manifest.device->driver_version},
              {"compute_capability", manifest.device->compute_capability},
              {"count", manifest.device->count}};
    if (manifest.device->emulated) device["emulated"] = true;
  }
  const json object = {
      {"format", manifest.format},
      {"wedjat", manifest.wedjat},
      {"argv", manifest.argv},
      {"date", manifest.date},
      {"cuda_header", manifest.cuda_header},
      {"device", device},
      {"processes", manifest.processes},
      {"events", {{"numbered", manifest.events_numbered}, {"discarded", manifest.events_discarded}}},
      {"verify", manifest.verify},
      {"clean_end", manifest.clean_end},
      {"exit", {{"code", manifest.exit_code}, {"signal", manifest.exit_signal}}},
      {"event_files", manifest.event_files},
      {"open_calls", manifest.open_calls},
      {"untold", manifest.untold},
      {"trouble", manifest.trouble}};
  const std::filesystem::path path = trace / kManifestFile;
  const std::filesystem::path part = trace / "manifest.json.part";
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    // An argument need not be UTF-8: what is not is shown as U+FFFD.
    file << object.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
    if (!file.flush()) throw FormatError(part.string(), "cannot write the manifest");
  }
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (error) throw FormatError(path.string(), "cannot write the manifest: " + error.message());
}

Manifest read_manifest(const std::filesystem::path& trace) {
  const std::string path = (trace / kManifestFile).string();
  if (std::error_code unknown;
      std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found)
    throw FormatError(path, "is missing: this folder is no trace");
  const std::string text = read_regular_file(path);
  std::string asked;  // the key at hand
  const auto take = [&asked](const json& from, const char* key, auto& to) {
    asked = key;
    from.at(key).get_to(to);
  };
  const auto inside = [&asked](const json& from, const char* key) -> const json& {
    asked = key;
    return from.at(key);
  };
  try {
    const json object = json::parse(text);
    Manifest manifest;
    std::int64_t format = 0;
    take(object, "format", format);
    if (format <= 0 || format > kFormatVersion) {
      throw FormatError(path, "trace format " + std::to_string(format) + ", this reader knows up to " +
                                  std::to_string(kFormatVersion));
    }
    manifest.format = static_cast<std::uint32_t>(format);
    take(object, "wedjat", manifest.wedjat);
    take(object, "argv", manifest.argv);
    take(object, "date", manifest.date);
    take(object, "cuda_header", manifest.cuda_header);
    if (const json& device = inside(object, "device"); !device.is_null()) {
      manifest.device.emplace();
      take(device, "name", manifest.device->name);
      take(device, "driver_version", manifest.device->driver_version);
      take(device, "compute_capability", manifest.device->compute_capability);
      take(device, "count", manifest.device->count);
      if (device.contains("emulated")) take(device, "emulated", manifest.device->emulated);
    }
    take(object, "processes", manifest.processes);
    const json& events = inside(object, "events");
    take(events, "numbered", manifest.events_numbered);
    take(events, "discarded", manifest.events_discarded);
    if (object.contains("verify")) take(object, "verify", manifest.verify);  // since format 2
    take(object, "clean_end", manifest.clean_end);
    const json& exit = inside(object, "exit");
    take(exit, "code", manifest.exit_code);
    take(exit, "signal", manifest.exit_signal);
    take(object, "event_files", manifest.event_files);
    if (manifest.format >= kImpliedExits) {
      take(object, "open_calls", manifest.open_calls);
      take(object, "untold", manifest.untold);
    }
    take(object, "trouble", manifest.trouble);
    return manifest;
  } catch (const json::parse_error& error) {
    throw FormatError(path, error.byte, error.what());
  } catch (const json::exception& error) {
    const std::string cause = error.what();  // "[json.exception.type_error.302] type must be …"
    throw FormatError(path, "'" + asked + "': " + cause.substr(std::min(cause.find(']') + 2, cause.size())));
  }
}

}  // namespace wedjat::traces
