// A bundle on a device: everything at its address, the launch, the comparison.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "emulator/device/error.h"
#include "traces/bundle/bundle.h"

namespace wedjat::traces {
namespace {

class Placement {
 public:
  Placement(device::Device& device, const Bundle& bundle) : device_(device), bundle_(bundle) {
    std::map<std::string, std::uint64_t> placements;
    for (const auto& variable : bundle.variables)
      if (!variable.chosen) placements[variable.label] = variable.address;
    for (const auto& region : bundle.memory) device.allocate_at(region.address, region.bytes, region.label);
    module_ = device.load_module(bundle.sources, placements);
    for (const auto& variable : bundle.variables) {
      const auto placed = device.variable(module_, variable.label);
      if (!placed || std::max<std::uint64_t>(placed->size, 1) < variable.bytes)
        throw device::Refused(fmt::format("the bundle's PTX declares no variable {} of {} bytes",
                                          variable.label, variable.bytes));
      moved_.emplace_back(variable, placed->address);
    }
    for (const Run& run : bundle.input) device.write(now(run.address), run.contents());
    make_textures();
  }

  device::Function entry() const { return device_.function(module_, bundle_.kernel); }

  // Variables may lie elsewhere than where they lay.
  std::uint64_t now(std::uint64_t address) const {
    for (const auto& [variable, at] : moved_)
      if (address - variable.address < variable.bytes) return at + (address - variable.address);
    return address;
  }

  BundleRun compare(const device::LaunchStatistics& statistics) const {
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
      for (const std::size_t level : texture.levels) object.texels.levels.push_back(arrays_.at(level));
      table.textures[now(texture.handle)] = std::move(object);
    }
    for (const Bundle::Surface& surface : bundle_.surfaces)
      table.surfaces[now(surface.handle)] = {arrays_.at(surface.array)};
  }

  device::Device& device_;
  const Bundle& bundle_;
  device::Module* module_ = nullptr;
  std::vector<std::pair<Bundle::Region, std::uint64_t>> moved_;
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
  const Placement placement(device, bundle);
  const auto statistics = device.launch(placement.entry(), bundle.config, bundle.parameters);
  return placement.compare(statistics);
}

}  // namespace wedjat::traces
