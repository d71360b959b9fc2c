// Textures and surfaces on the GPU.
#pragma once

#include <memory>

#include "tests/emulator/hardware/cases/texel_scene.h"
#include "tests/emulator/hardware/devices/cuda_driver.h"

namespace wedjat::hardware_truth {

class CudaScenes {
 public:
  // Makes arrays and objects; throws CudaError naming the scene that the driver refuses. Nothing is given
  // back: the process ends with its work.
  CudaScenes(CudaDriver& cuda, const SceneSet& set);
  ~CudaScenes();

  CudaDriver::Address handles() const;  // of an array of 64-bit handles, one a scene
  // The texels as they were at first.
  void reset();
  // What all surfaces hold now, one after the other.
  std::vector<std::byte> contents();
  // Makes `variable` of the module, a .texref or .surfref, name the scene. Cube maps of variables are never
  // seamless.
  void bind(CudaDriver::Module module, const std::string& variable, std::size_t scene);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wedjat::hardware_truth
