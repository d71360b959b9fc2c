#include "traces/extract/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "emulator/device/error.h"
#include "utilities/include/wedjat/tool.hpp"

namespace wedjat::traces {

Snapshot::Snapshot(const Launching& launching, const wedjat_launch& launch,
                   const std::map<std::uint64_t, TouchLog::Allocation>& allocations, std::uint64_t limit)
    : limit_(limit) {
  device::Device& device = launching.device;
  if (!device.multicast().empty())
    throw device::Refused(
        "the program uses multicast memory, which lies on several devices: no launch of it is "
        "a bundle");
  launch_.kernel = launching.kernel;
  launch_.sources = launching.sources;
  launch_.config = launching.config;
  std::copy_n(launch.cluster, 3, launch_.config.cluster);
  launch_.parameters.assign(launching.parameters.begin(), launching.parameters.end());
  launch_.origin.sequence = launching.sequence;
  std::set<std::uint64_t> constant;
  for (const wedjat_variable& variable : variables(*launch.kernel))
    if (variable.space == WEDJAT_CONST) constant.insert(variable.address);
  for (const auto& variable : device.variables(launching.module)) {
    add(device,
        {variable.place.address, std::max<std::uint64_t>(variable.place.size, 1), variable.name,
         device.chosen(variable.place.address) != device::Chosen::nothing},
        true, constant.contains(variable.place.address));
  }
  // Tools are told of the allocations of all processes.
  for (const auto& [address, allocation] : allocations)
    if (device.holds(address, allocation.bytes))
      add(device, {address, allocation.bytes, allocation.label}, false, false);
  const auto add_array = [&](const std::shared_ptr<memory::Array>& array) {
    if (arrays_.contains(array)) return;
    bytes_ += array->shape().bytes();
    arrays_[array].assign(array->data(), array->data() + array->shape().bytes());
  };
  for (const auto& [handle, texture] : device.textures().textures)
    for (const auto& level : texture.texels.levels) add_array(level);
  for (const auto& [handle, surface] : device.textures().surfaces)
    if (surface.array) add_array(surface.array);
}

void Snapshot::add(device::Device& device, Bundle::Region region, bool is_variable, bool whole) {
  if (parts_.contains(region.address)) return;
  bytes_ += region.bytes;
  if (bytes_ > limit_)
    throw device::Refused(fmt::format(
        "the program has more than {} bytes of memory when this kernel is launched (--memory-limit)",
        limit_));
  Part part{std::vector<std::byte>(region.bytes), region, is_variable, whole};
  device.read(region.address, part.contents);
  parts_.emplace(region.address, std::move(part));
}

const Snapshot::Part* Snapshot::part_of(std::uint64_t address) const {
  const auto above = parts_.upper_bound(address);
  if (above == parts_.begin()) return nullptr;
  const Part& part = std::prev(above)->second;
  return address - part.region.address < part.region.bytes ? &part : nullptr;
}

void Snapshot::keep_memory(Bundle& bundle, device::Device& device, const Touched& touched) const {
  std::set<const Part*> used;
  // Runs may pass from one allocation to the next.
  const auto each_part = [&](const ByteSet& bytes, const auto& visit) {
    bytes.each_run([&](std::uint64_t address, std::uint64_t count) {
      while (count != 0) {
        const Part* const part = part_of(address);
        const std::uint64_t here =
            part == nullptr ? 1 : std::min(count, part->region.address + part->region.bytes - address);
        if (part != nullptr) {
          used.insert(part);
          visit(*part, address, here);
        }
        address += here;
        count -= here;
      }
    });
  };
  for (const auto& [address, part] : parts_) {
    if (!part.whole) continue;
    used.insert(&part);
    add_contents(bundle.input, address, part.contents);
  }
  each_part(touched.read, [&](const Part& part, std::uint64_t address, std::uint64_t bytes) {
    if (!part.whole)
      add_contents(bundle.input, address,
                   std::span(part.contents).subspan(address - part.region.address, bytes));
  });
  each_part(touched.written, [&](const Part&, std::uint64_t address, std::uint64_t bytes) {
    std::vector<std::byte> now(bytes);
    device.read(address, now);
    add_contents(bundle.expected, address, now);
  });
  // A reference is found by where its variable lies.
  const auto use_reference = [&](std::uint64_t handle) {
    const auto variable = parts_.find(handle);
    if (variable != parts_.end() && variable->second.is_variable) used.insert(&variable->second);
  };
  for (const auto& texture : bundle.textures) use_reference(texture.handle);
  for (const auto& surface : bundle.surfaces) use_reference(surface.handle);
  for (const auto& texture : bundle.textures)
    if (const Part* const part = part_of(texture.object.texels.address);
        texture.levels.empty() && part != nullptr)
      used.insert(part);
  for (const auto& [address, part] : parts_)
    if (used.contains(&part)) (part.is_variable ? bundle.variables : bundle.memory).push_back(part.region);
}

std::size_t Snapshot::keep_array(Bundle& bundle, const std::shared_ptr<memory::Array>& array) const {
  const auto found = std::ranges::find(kept_, array);
  if (found != kept_.end()) return static_cast<std::size_t>(found - kept_.begin());
  kept_.push_back(array);
  bundle.arrays.push_back({array->shape(), arrays_.at(array), {}});
  return kept_.size() - 1;
}

void Snapshot::keep_texels(Bundle& bundle, device::Device& device, const Touched& touched) const {
  const memory::TextureTable& table = device.textures();
  std::set<std::uint64_t> handles = touched.texels_of;
  // .texref and .surfref variables: the object's handle is their address.
  for (const auto& [address, part] : parts_)
    if (part.is_variable) handles.insert(address);
  kept_.clear();
  for (const std::uint64_t handle : handles) {
    if (const memory::Texture* const texture = table.texture(handle)) {
      Bundle::Texture kept{handle, {}, *texture};
      for (const auto& level : texture->texels.levels) kept.levels.push_back(keep_array(bundle, level));
      kept.object.texels.levels.clear();
      bundle.textures.push_back(std::move(kept));
    } else if (const memory::Surface* const surface = table.surface(handle);
               surface != nullptr && surface->array) {
      bundle.surfaces.push_back({handle, keep_array(bundle, surface->array)});
    } else {
      continue;
    }
    unsigned in_parameters = 0;
    for (std::size_t at = 0; at + 8 <= bundle.parameters.size(); at += 8) {
      std::uint64_t value = 0;
      std::memcpy(&value, bundle.parameters.data() + at, sizeof value);
      if (value != handle) continue;
      bundle.handles.push_back({at, handle});
      ++in_parameters;
    }
    if (in_parameters > 1)
      bundle.notes.push_back(fmt::format(
          "{} words of the parameters hold {:#x}, the handle of a texture or surface: all get the new one",
          in_parameters, handle));
    if (in_parameters != 0) continue;
    const Part* const variable = part_of(handle);
    if (variable == nullptr || variable->region.address != handle)
      bundle.notes.push_back(fmt::format(
          "the handle {:#x} of a texture or surface comes from memory: a driver gives out another", handle));
  }
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    bool written = false;
    const std::uint64_t begin = kept_[i]->address(), bytes = kept_[i]->shape().bytes();
    touched.written.each_run([&](std::uint64_t address, std::uint64_t count) {
      written |= address < begin + bytes && begin < address + count;
    });
    if (written) bundle.arrays[i].expected.assign(kept_[i]->data(), kept_[i]->data() + bytes);
  }
}

Bundle Snapshot::bundle(device::Device& device, const Touched& touched) const {
  Bundle bundle = launch_;
  keep_texels(bundle, device, touched);
  keep_memory(bundle, device, touched);
  return bundle;
}

}  // namespace wedjat::traces
