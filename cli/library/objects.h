// What the library's handles stand for.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/library/addresses.h"
#include "cli/library/handles.h"
#include "cli/library/running.h"

namespace wedjat::library {

struct Device {
  std::mutex turn;  // of who calls
  RunParts parts;
  std::unique_ptr<device::Device> device;  // null: it was freed
  bool reported = false;                   // its tools have ended
  Addresses addresses;
  std::map<std::uint64_t, std::uint64_t> allocations;  // bytes by address
  std::uint64_t next_object = 0x00000d0000000010u;     // handles of textures and surfaces
  std::vector<WedjatModule*> modules;
  std::vector<WedjatArray*> arrays;
};

struct Kernel {
  std::shared_ptr<struct Module> module;
  device::Function function;
  device::Signature signature;
};

struct Module {
  std::shared_ptr<Device> device;
  device::Module* module = nullptr;  // null: it was freed
  std::vector<std::string> names;    // of kernels
  std::map<std::string, WedjatKernel*> kernels;
  std::vector<device::DeclaredVariable> variables;
};

struct Array {
  std::shared_ptr<Device> device;
  std::vector<std::shared_ptr<memory::Array>> levels;  // none: it was freed
};

// None is ever destroyed: a thread may still call when the process ends.
Handles<WedjatDevice, Device>& devices();
Handles<WedjatModule, Module>& modules();
Handles<WedjatKernel, Kernel>& kernels();
Handles<WedjatArray, Array>& arrays();

// A call for a device: no other one happens while it lives.
class Turn {
 public:
  // Throws WrongArgument if the device was freed, or if a callback of its own calls.
  explicit Turn(std::shared_ptr<Device> device);

  Device& state() const { return *device_; }
  device::Device& device() const { return *device_->device; }

 private:
  std::shared_ptr<Device> device_;
  std::unique_lock<std::mutex> lock_;
};

// A callback of this device runs in this thread while it lives.
class CallingBack {
 public:
  explicit CallingBack(const Device* device);
  ~CallingBack();
  CallingBack(const CallingBack&) = delete;

 private:
  const Device* before_;
};

// A call for something of a device.
template <class Object>
struct OnDevice {
  std::shared_ptr<Object> object;
  Turn turn;
  explicit OnDevice(std::shared_ptr<Object> of) : object(std::move(of)), turn(object->device) {}
  Object* operator->() const { return object.get(); }
};

// All throw WrongArgument.
OnDevice<Module> on(const WedjatModule* module);
OnDevice<Array> on(const WedjatArray* array);
struct OnKernel {
  std::shared_ptr<Kernel> kernel;
  OnDevice<Module> module;
};
OnKernel on(const WedjatKernel* kernel);

}  // namespace wedjat::library
