// manifest.json of a bundle, and the files beside it. FORMAT.md describes them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "traces/bundle/bundle.h"
#include "traces/bundle/hex_text.h"
#include "traces/bundle/pointers_file.h"
#include "traces/bundle/program.h"
#include "traces/bundle/texel_names.h"
#include "traces/format/error.h"
#include "traces/format/file.h"

namespace wedjat::traces {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format_name = "wedjat-bundle";
constexpr unsigned version = 1;

std::vector<std::byte> read_bytes(const fs::path& file) {
  const std::string text = read_regular_file(file);
  const auto* const from = reinterpret_cast<const std::byte*>(text.data());
  return {from, from + text.size()};
}

json regions(const std::vector<Bundle::Region>& from, const char* label) {
  json all = json::array();
  for (const auto& region : from)
    all.push_back({{label, region.label}, {"address", hex(region.address)}, {"bytes", region.bytes}});
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i].chosen) all[i]["chosen"] = true;
  return all;
}

std::vector<Bundle::Region> regions(const json& from, const char* label) {
  std::vector<Bundle::Region> all;
  for (const json& region : from)
    all.push_back({number(region.at("address")), region.at("bytes").get<std::uint64_t>(),
                   region.at(label).get<std::string>(), region.value("chosen", false)});
  return all;
}

std::string source_file(std::size_t i) { return i == 0 ? "module.ptx" : fmt::format("module{}.ptx", i); }

std::string array_file(std::size_t i, bool expected) {
  return fmt::format("array{}{}.bin", i, expected ? ".expected" : "");
}

json manifest_of(const Bundle& bundle) {
  json sources = json::array(), handles = json::array();
  for (std::size_t i = 0; i < bundle.sources.size(); ++i)
    sources.push_back(
        {{"file", source_file(i)},
         {"name", bundle.sources[i].name},
         {"contract", bundle.sources[i].contract == kernel::Contract::none ? "none" : "ptxas"}});
  for (const auto& handle : bundle.handles)
    handles.push_back({{"offset", handle.offset}, {"handle", hex(handle.handle)}});
  json manifest = {{"format", format_name},
                   {"version", version},
                   {"kernel", bundle.kernel},
                   {"ptx", std::move(sources)},
                   {"grid", bundle.config.grid},
                   {"block", bundle.config.block},
                   {"cluster", bundle.config.cluster},
                   {"shared_bytes", bundle.config.shared_bytes},
                   {"cooperative", bundle.config.cooperative},
                   {"limits", bundle.limits},
                   {"surroundings", bundle.surroundings},
                   {"parameters", "parameters.bin"},
                   {"handles", std::move(handles)},
                   {"pointers", bundle.pointers ? json("pointers.bin") : json()},
                   {"memory", regions(bundle.memory, "label")},
                   {"variables", regions(bundle.variables, "name")},
                   {"input", "input.runs"},
                   {"expected", "expected.runs"},
                   {"hardware", bundle.hardware ? json("hardware.runs") : json()},
                   {"notes", bundle.notes}};
  if (!bundle.arrays.empty() || !bundle.textures.empty()) manifest["texels"] = texels_to_json(bundle);
  if (!bundle.origin.trace.empty())
    manifest["origin"] = {{"trace", bundle.origin.trace},
                          {"device", bundle.origin.device},
                          {"launch", bundle.origin.launch},
                          {"seq", bundle.origin.sequence}};
  return manifest;
}

void fill(Bundle& bundle, const json& manifest, const fs::path& folder) {
  bundle.kernel = manifest.at("kernel").get<std::string>();
  const auto file = [&](const json& name) {
    const fs::path path = name.get<std::string>();
    if (path.has_parent_path() || path.empty())
      throw FormatError((folder / "manifest.json").string(),
                        fmt::format("'{}' is no file of this folder", path.string()));
    return folder / path;
  };
  for (const json& source : manifest.at("ptx"))
    bundle.sources.push_back(
        {(folder / source.at("file").get<std::string>()).string(), read_regular_file(file(source.at("file"))),
         source.value("contract", "ptxas") == "none" ? kernel::Contract::none : kernel::Contract::ptxas});
  manifest.at("grid").get_to(bundle.config.grid);
  manifest.at("block").get_to(bundle.config.block);
  manifest.at("cluster").get_to(bundle.config.cluster);
  bundle.config.shared_bytes = manifest.at("shared_bytes").get<std::uint32_t>();
  bundle.config.cooperative = manifest.at("cooperative").get<bool>();
  if (const auto limits = manifest.find("limits"); limits != manifest.end()) limits->get_to(bundle.limits);
  for (const auto& [name, value] : bundle.limits)
    if (std::ranges::find(limit_names, name) == limit_names.end())
      throw FormatError((folder / "manifest.json").string(), fmt::format("there is no limit '{}'", name));
  bundle.surroundings = manifest.value("surroundings", false);
  bundle.parameters = read_bytes(file(manifest.at("parameters")));
  for (const json& handle : manifest.at("handles"))
    bundle.handles.push_back({handle.at("offset").get<std::uint64_t>(), number(handle.at("handle"))});
  if (const auto pointers = manifest.find("pointers"); pointers != manifest.end() && !pointers->is_null())
    bundle.pointers = read_pointers(file(*pointers));
  for (const std::uint64_t offset : bundle.pointers.value_or(Bundle::Pointers{}).parameters)
    if (offset + 8 < 8 || offset + 8 > bundle.parameters.size())
      throw FormatError((folder / "pointers.bin").string(), "has a pointer behind the end of the parameters");
  bundle.memory = regions(manifest.at("memory"), "label");
  bundle.variables = regions(manifest.at("variables"), "name");
  bundle.input = read_runs(file(manifest.at("input")));
  bundle.expected = read_runs(file(manifest.at("expected")));
  if (!manifest.at("hardware").is_null()) bundle.hardware = read_runs(file(manifest.at("hardware")));
  manifest.at("notes").get_to(bundle.notes);
  if (manifest.contains("texels")) texels_from_json(bundle, manifest.at("texels"));
  for (std::size_t i = 0; i < bundle.arrays.size(); ++i) {
    bundle.arrays[i].input = read_bytes(folder / array_file(i, false));
    if (fs::exists(folder / array_file(i, true)))
      bundle.arrays[i].expected = read_bytes(folder / array_file(i, true));
  }
  if (const auto origin = manifest.find("origin"); origin != manifest.end())
    bundle.origin = {origin->at("trace").get<std::string>(), origin->at("device").get<std::string>(),
                     origin->at("launch").get<std::uint64_t>(), origin->at("seq").get<std::uint64_t>()};
}

// A few bytes of a file may promise as many as an address can count.
void check_runs(const Bundle& bundle, const fs::path& folder, std::uint64_t most) {
  const auto lies_in = [](const Run& run, const std::vector<Bundle::Region>& all) {
    return std::ranges::any_of(all, [&](const Bundle::Region& region) {
      const std::uint64_t offset = run.address - region.address;
      return offset < region.bytes && run.bytes <= region.bytes - offset;
    });
  };
  std::uint64_t bytes = 0;
  for (const Runs* const runs :
       {&bundle.input, &bundle.expected, bundle.hardware ? &*bundle.hardware : nullptr}) {
    if (runs == nullptr) continue;
    for (const Run& run : *runs)
      if (!lies_in(run, bundle.memory) && !lies_in(run, bundle.variables))
        throw FormatError(folder.string(), fmt::format("has contents of {} bytes at {:#x}, and no memory or "
                                                       "variable that holds them",
                                                       run.bytes, run.address));
    bytes += bytes_of(*runs);
  }
  if (bytes > most)
    throw FormatError(
        folder.string(),
        fmt::format("has contents of {} bytes, and {} are allowed (--memory-limit)", bytes, most));
}

}  // namespace

void write_bundle(const fs::path& folder, const Bundle& bundle) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FormatError(folder.string(), "cannot be made: " + error.message());
  if (!fs::is_empty(folder, error) || error)
    throw FormatError(folder.string(), "is not empty; a bundle is written to a folder of its own");
  for (std::size_t i = 0; i < bundle.sources.size(); ++i)
    write_file(folder / source_file(i), bundle.sources[i].text);
  write_file(folder / "parameters.bin", bundle.parameters);
  write_runs(folder / "input.runs", bundle.input);
  write_runs(folder / "expected.runs", bundle.expected);
  if (bundle.pointers) write_pointers(folder / "pointers.bin", *bundle.pointers);
  if (bundle.hardware) write_runs(folder / "hardware.runs", *bundle.hardware);
  for (std::size_t i = 0; i < bundle.arrays.size(); ++i) {
    write_file(folder / array_file(i, false), bundle.arrays[i].input);
    if (!bundle.arrays[i].expected.empty())
      write_file(folder / array_file(i, true), bundle.arrays[i].expected);
  }
  write_file(folder / "main.c", program_of(bundle));
  write_file(folder / "Makefile", makefile_of(bundle));
  // Last: a folder without it is no bundle.
  write_file(folder / "manifest.json",
             manifest_of(bundle).dump(2, ' ', true, json::error_handler_t::replace) + "\n");
}

Bundle read_bundle(const fs::path& folder, std::uint64_t most) {
  const fs::path file = folder / "manifest.json";
  Bundle bundle;
  try {
    const json manifest = json::parse(read_regular_file(file));
    if (!manifest.is_object() || manifest.value("format", "") != format_name)
      throw FormatError(file.string(), "does not describe a bundle");
    if (const auto is = manifest.at("version").get<unsigned>(); is != version)
      throw FormatError(file.string(), fmt::format("is of version {}; this wedjat reads {}", is, version));
    fill(bundle, manifest, folder);
    check_runs(bundle, folder, most);
  } catch (const json::exception& error) {
    throw FormatError(file.string(), error.what());
  } catch (const std::logic_error& error) {  // a number that is none
    throw FormatError(file.string(), fmt::format("an address or a handle is no number: {}", error.what()));
  }
  return bundle;
}

bool is_bundle(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && fs::is_regular_file(folder / "manifest.json", error) &&
         !fs::exists(folder / "metadata", error) &&
         read_regular_file(folder / "manifest.json").find(format_name) != std::string::npos;
}

}  // namespace wedjat::traces
