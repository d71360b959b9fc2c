#include "tests/emulator/hardware/devices/emulated_scenes.h"

#include <algorithm>
#include <cstring>

#include "emulator/device/error.h"

namespace wedjat::hardware_truth {
namespace {

constexpr std::uint64_t kFirstAddress = 0x7f2000000000, kApart = 1 << 20, kFirstHandle = 0x1000;

}  // namespace

EmulatedScenes::EmulatedScenes(device::Device& device, const SceneSet& set)
    : device_(device), set_(set), table_(kFirstAddress) {
  std::vector<std::uint64_t> handles;
  for (const Scene& scene : set.scenes) {
    make_texels(scene, places_.emplace_back());
    handles.push_back(kFirstHandle + handles.size());
    place(handles.back(), handles.size() - 1, scene.sampler);
  }
  const auto bytes = std::as_bytes(std::span(handles));
  device.allocate_at(table_, bytes.size(), "handles");
  allocations_.push_back(table_);
  device.write(table_, bytes);
}

EmulatedScenes::~EmulatedScenes() {
  device_.textures().textures.clear();
  device_.textures().surfaces.clear();
  try {
    for (const std::uint64_t address : allocations_) device_.free(address);
  } catch (const device::Failed&) {
    // The kernel failed: nothing can be done with this device any more.
  }
}

void EmulatedScenes::make_texels(const Scene& scene, memory::Texels& texels) {
  texels.shape = scene.shape;
  for (unsigned level = 0; level < scene.levels; ++level) {
    const std::vector<std::byte> packed = scene.texels(level);
    if (scene.place == Scene::Place::array) {
      texels.levels.push_back(device_.make_array(scene.shape.at_level(level)));
      std::copy(packed.begin(), packed.end(), texels.levels.back()->data());
      continue;
    }
    texels.address = kFirstAddress + kApart * places_.size();
    texels.pitch = scene.place == Scene::Place::pitch ? kPitch : 0;
    const std::uint64_t row = scene.shape.row_bytes();
    device_.allocate_at(texels.address, texels.pitch != 0 ? kPitch * scene.shape.rows() : row, "texels");
    allocations_.push_back(texels.address);
    for (std::uint64_t y = 0; y < scene.shape.rows(); ++y)
      device_.write(texels.address + y * texels.pitch, std::span(packed).subspan(y * row, row));
  }
}

std::vector<std::byte> EmulatedScenes::contents() const {
  std::vector<std::byte> all;
  for (const memory::Texels& place : places_) {
    const memory::Array& array = *place.levels.front();
    all.insert(all.end(), array.data(), array.data() + array.shape().bytes());
  }
  return all;
}

void EmulatedScenes::place(std::uint64_t key, std::size_t scene, const memory::Sampler& sampler) {
  if (set_.surfaces)
    device_.textures().surfaces[key] = {places_[scene].levels.front()};
  else
    device_.textures().textures[key] = {places_[scene], sampler};
}

void EmulatedScenes::bind(std::uint64_t address, std::size_t scene) {
  memory::Sampler sampler = set_.scenes[scene].sampler;
  sampler.seamless_cubemap = false;
  place(address, scene, sampler);
}

}  // namespace wedjat::hardware_truth
