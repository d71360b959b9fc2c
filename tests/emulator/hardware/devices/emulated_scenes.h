// Textures and surfaces on the emulator: what cuda_scenes.h makes on a GPU.
#pragma once

#include <string>

#include "emulator/device/device.h"
#include "tests/emulator/hardware/cases/texel_scene.h"

namespace wedjat::hardware_truth {

class EmulatedScenes {
 public:
  // Makes them on the device, which must outlive this.
  EmulatedScenes(device::Device& device, const SceneSet& set);
  ~EmulatedScenes();
  EmulatedScenes(const EmulatedScenes&) = delete;

  std::uint64_t handles() const { return table_; }  // of an array of 64-bit handles, one a scene
  std::vector<std::byte> contents() const;          // of all surfaces, one after the other
  // Makes the .texref or .surfref at `address` name the scene. Cube maps of variables are never seamless.
  void bind(std::uint64_t address, std::size_t scene);

 private:
  void place(std::uint64_t key, std::size_t scene, const memory::Sampler& sampler);
  void make_texels(const Scene& scene, memory::Texels& texels);

  device::Device& device_;
  const SceneSet& set_;
  std::uint64_t table_;
  std::vector<memory::Texels> places_;
  std::vector<std::uint64_t> allocations_;
};

}  // namespace wedjat::hardware_truth
