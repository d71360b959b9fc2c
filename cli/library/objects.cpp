#include "cli/library/objects.h"

#include "cli/library/inside.h"

namespace wedjat::library {
namespace {

thread_local const Device* calling_back = nullptr;

}  // namespace

Handles<WedjatDevice, Device>& devices() {
  static auto& all = *new Handles<WedjatDevice, Device>("device");
  return all;
}

Handles<WedjatModule, Module>& modules() {
  static auto& all = *new Handles<WedjatModule, Module>("module");
  return all;
}

Handles<WedjatKernel, Kernel>& kernels() {
  static auto& all = *new Handles<WedjatKernel, Kernel>("kernel");
  return all;
}

Handles<WedjatArray, Array>& arrays() {
  static auto& all = *new Handles<WedjatArray, Array>("array");
  return all;
}

hooks::Hooks* tools_of(const WedjatDevice* device) { return devices().at(device)->parts.hooks.get(); }

Turn::Turn(std::shared_ptr<Device> device) : device_(std::move(device)) {
  if (calling_back == device_.get())
    throw WrongArgument(
        "a callback of this device calls for the device: it has to wait until the launch is over");
  lock_ = std::unique_lock(device_->turn);
  if (device_->device == nullptr) throw WrongArgument("the device is gone");
}

CallingBack::CallingBack(const Device* device) : before_(calling_back) { calling_back = device; }

CallingBack::~CallingBack() { calling_back = before_; }

OnDevice<Module> on(const WedjatModule* module) {
  OnDevice<Module> found(modules().at(module));
  if (found->module == nullptr) throw WrongArgument("the module is gone");
  return found;
}

OnDevice<Array> on(const WedjatArray* array) {
  OnDevice<Array> found(arrays().at(array));
  if (found->levels.empty()) throw WrongArgument("the array is gone");
  return found;
}

OnKernel on(const WedjatKernel* kernel) {
  std::shared_ptr<Kernel> found = kernels().at(kernel);
  OnDevice<Module> module(found->module);
  if (module->module == nullptr) throw WrongArgument("the kernel's module is gone");
  return {std::move(found), std::move(module)};
}

}  // namespace wedjat::library
