// A bundle on a device: everything at its address, the launch, the comparison.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "emulator/device/error.h"
#include "traces/bundle/bundle.h"
#include "traces/bundle/places.h"

namespace wedjat::traces {
namespace {

class Placement {
 public:
  Placement(device::Device& device, const Bundle& bundle, const Places& places)
      : device_(device), bundle_(bundle), places_(places) {
    std::map<std::string, std::uint64_t> placements;
    for (const auto& variable : bundle.variables)
      if (!variable.chosen || now(variable.address) != variable.address)
        placements[variable.label] = now(variable.address);
    for (const auto& region : bundle.memory)
      device.allocate_at(now(region.address), region.bytes, region.label);
    module_ = device.load_module(bundle.sources, placements);
    for (MovablePart& place : places_.all()) {
      if (place.variable.empty()) continue;
      const auto placed = device.variable(module_, place.variable);
      if (!placed || std::max<std::uint64_t>(placed->size, 1) < place.bytes)
        throw device::Refused(
            fmt::format("the bundle's PTX declares no variable {} of {} bytes", place.variable, place.bytes));
      place.at = placed->address;
    }
    for (const Run& run : bundle.input) device.write(now(run.address), run.contents());
    if (bundle.pointers) relocate(bundle.pointers->input, &Places::now);
    make_textures();
  }

  std::vector<std::byte> parameters() const {
    std::vector<std::byte> all = bundle_.parameters;
    if (!bundle_.pointers) return all;
    for (const std::uint64_t offset : bundle_.pointers->parameters) {
      std::uint64_t value = 0;
      std::memcpy(&value, all.data() + offset, sizeof value);
      value = now(value);
      std::memcpy(all.data() + offset, &value, sizeof value);
    }
    return all;
  }

  device::Function entry() const { return device_.function(module_, bundle_.kernel); }

  // Addresses that it wrote are made those of the recording.
  BundleRun compare(const device::LaunchStatistics& statistics) const {
    if (bundle_.pointers) relocate(bundle_.pointers->expected, &Places::recorded);
    BundleRun run{statistics, {}, {}};
    for (const Run& expected : bundle_.expected) {
      std::vector<std::byte> bytes(expected.bytes);
      device_.read(now(expected.address), bytes);
      run.left.push_back({expected.address, expected.bytes, std::move(bytes)});
    }
    run.compared.push_back(compare_runs("expected", bundle_.expected, run.left));
    if (bundle_.hardware) run.compared.push_back(compare_runs("hardware", *bundle_.hardware, run.left));
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      const auto& expected = bundle_.arrays[i].expected;
      if (expected.empty()) continue;
      const std::vector<std::byte> bytes(arrays_[i]->data(), arrays_[i]->data() + expected.size());
      run.compared.push_back(compare_runs(fmt::format("array {}", i), {{0, expected.size(), expected}},
                                          {{0, bytes.size(), bytes}}));
    }
    return run;
  }

 private:
  std::uint64_t now(std::uint64_t address) const { return places_.now(address); }

  void relocate(const std::vector<std::uint64_t>& words,
                std::uint64_t (Places::*to)(std::uint64_t) const) const {
    for (const std::uint64_t address : words) {
      std::uint64_t value = 0;
      device_.read(now(address), std::as_writable_bytes(std::span(&value, 1)));
      const std::uint64_t moved = (places_.*to)(value);
      if (moved != value) device_.write(now(address), std::as_bytes(std::span(&moved, 1)));
    }
  }

  void make_textures() {
    for (const Bundle::Array& array : bundle_.arrays) {
      auto made = device_.make_array(array.shape);
      if (array.input.size() != array.shape.bytes())
        throw device::Refused("the bundle holds an array that is not as long as its shape says");
      std::memcpy(made->data(), array.input.data(), array.input.size());
      arrays_.push_back(std::move(made));
    }
    memory::TextureTable& table = device_.textures();
    for (const Bundle::Texture& texture : bundle_.textures) {
      memory::Texture object = texture.object;
      if (texture.levels.empty()) object.texels.address = now(object.texels.address);
      for (const std::size_t level : texture.levels) object.texels.levels.push_back(arrays_.at(level));
      table.textures[now(texture.handle)] = std::move(object);
    }
    for (const Bundle::Surface& surface : bundle_.surfaces)
      table.surfaces[now(surface.handle)] = {arrays_.at(surface.array)};
  }

  device::Device& device_;
  const Bundle& bundle_;
  device::Module* module_ = nullptr;
  Places places_;
  std::vector<std::shared_ptr<memory::Array>> arrays_;
};

}  // namespace

BundleDifference compare_runs(const std::string& what, const Runs& expected, const Runs& got) {
  BundleDifference found{.what = what, .bytes = 0, .differing = 0, .first = 0};
  std::map<std::uint64_t, const Run*> by_address;
  for (const Run& run : got) by_address[run.address] = &run;
  for (const Run& run : expected) {
    for (std::uint64_t done = 0; done < run.bytes;) {
      const std::uint64_t address = run.address + done;
      const auto above = by_address.upper_bound(address);
      const Run* const there = above == by_address.begin() ? nullptr : std::prev(above)->second;
      if (there == nullptr || address - there->address >= there->bytes) {
        const std::uint64_t next = above == by_address.end() ? run.bytes : above->first - run.address;
        done = std::min(run.bytes, next);
        continue;
      }
      const std::uint64_t offset = address - there->address;
      const std::uint64_t count = std::min(run.bytes - done, there->bytes - offset);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::byte wanted = run.pattern[(done + i) % run.pattern.size()];
        const std::byte is = there->pattern[(offset + i) % there->pattern.size()];
        if (wanted != is && found.differing++ == 0) {
          found.first = address + i;
          found.expected = wanted;
          found.got = is;
        }
      }
      found.bytes += count;
      done += count;
    }
  }
  return found;
}

bool BundleRun::same() const {
  return std::ranges::all_of(compared, [](const BundleDifference& d) { return d.differing == 0; });
}

BundleRun run_bundle(device::Device& device, const Bundle& bundle) {
  return run_bundle(device, bundle, Places(bundle));
}

BundleRun run_bundle(device::Device& device, const Bundle& bundle, const Places& places) {
  const Placement placement(device, bundle, places);
  const auto statistics = device.launch(placement.entry(), bundle.config, placement.parameters());
  return placement.compare(statistics);
}

BundleRun run_elsewhere(device::Device& device, const Bundle& bundle) {
  if (!bundle.pointers)
    throw device::Refused(
        "the bundle runs at the addresses of the recording only: it does not say which of its words are "
        "addresses");
  return run_bundle(device, bundle, Places::elsewhere(bundle, 0));
}

}  // namespace wedjat::traces
