// Runs an example of the manual (semantics/*/examples/*.ptx) on a GPU, compares what it leaves with what its
// header expects, and writes into the header that it did so: `// hardware: DEVICE, driver VERSION: DIGEST`.
// Needs libcuda.so.1.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <fstream>

#include "cuda_abi.h"
#include "tests/emulator/device/case_file.h"
#include "tests/emulator/hardware/devices/cuda_driver.h"

namespace {

using wedjat::hardware_truth::CudaDriver;
using wedjat::hardware_truth::CudaError;
using wedjat::test::CaseArgument;
using wedjat::test::CaseFile;
using Kind = CaseArgument::Kind;

class OnDevice {
 public:
  OnDevice(CudaDriver& cuda, const CaseArgument& argument) : cuda_(cuda), argument_(argument) {
    switch (argument.kind) {
      case Kind::value:
        std::memcpy(&given_, argument.bytes.data(), argument.bytes.size());
        return;
      case Kind::buffer:
        given_ = cuda.allocate(argument.bytes.size());
        cuda.copy_in(given_, argument.bytes.data(), argument.bytes.size());
        return;
      case Kind::surface:
      case Kind::texture:
        make_array();
        return;
      case Kind::multicast:
        throw CudaError("several devices are needed");
    }
  }

  void* parameter() { return &given_; }

  std::vector<std::byte> contents() {
    std::vector<std::byte> bytes = argument_.bytes;
    if (array_ != nullptr)
      copy(bytes.data(), false);
    else if (argument_.kind == Kind::buffer)
      cuda_.copy_out(bytes.data(), given_, bytes.size());
    return bytes;
  }

 private:
  template <class... Parameters>
  void call(const char* function, Parameters... parameters) {
    cuda_.check(reinterpret_cast<int (*)(Parameters...)>(cuda_.symbol(function))(parameters...), function);
  }

  void make_array() {
    constexpr unsigned surface = 2;  // CUDA_ARRAY3D_SURFACE_LDST
    CUDA_ARRAY3D_DESCRIPTOR shape{};
    shape.Width = argument_.width;
    shape.Height = argument_.height;
    shape.Format = argument_.type == "f32" ? CU_AD_FORMAT_FLOAT : CU_AD_FORMAT_UNSIGNED_INT32;
    shape.NumChannels = 1;
    shape.Flags = surface;
    call("cuArray3DCreate_v2", &array_, &shape);
    std::vector<std::byte> bytes = argument_.bytes;
    copy(bytes.data(), true);
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array_;
    if (argument_.kind == Kind::surface) return call("cuSurfObjectCreate", &given_, &resource);
    CUDA_TEXTURE_DESC texture{};
    for (CUaddress_mode& mode : texture.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
    texture.filterMode = CU_TR_FILTER_MODE_LINEAR;
    call("cuTexObjectCreate", &given_, &resource, &texture, static_cast<const void*>(nullptr));
  }

  void copy(std::byte* host, bool up) {
    CUDA_MEMCPY2D copy{};
    copy.WidthInBytes = argument_.bytes.size() / argument_.height;
    copy.Height = argument_.height;
    copy.srcMemoryType = up ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    copy.dstMemoryType = up ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    (up ? copy.srcPitch : copy.dstPitch) = copy.WidthInBytes;
    (up ? copy.dstArray : copy.srcArray) = array_;
    if (up)
      copy.srcHost = host;
    else
      copy.dstHost = host;
    call("cuMemcpy2D_v2", &copy);
  }

  CudaDriver& cuda_;
  const CaseArgument& argument_;
  std::uint64_t given_ = 0;
  CUarray array_ = nullptr;
};

void launch(CudaDriver& cuda, CudaDriver::Function function, const wedjat::device::LaunchConfig& config,
            std::vector<void*>& parameters) {
  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {config.cluster[0], config.cluster[1], config.cluster[2]};
  CUlaunchConfig with{};
  with.gridDimX = config.grid[0], with.gridDimY = config.grid[1], with.gridDimZ = config.grid[2];
  with.blockDimX = config.block[0], with.blockDimY = config.block[1], with.blockDimZ = config.block[2];
  with.sharedMemBytes = config.shared_bytes;
  with.attrs = &cluster;
  with.numAttrs = config.cluster[0] > 1 ? 1 : 0;
  const auto call = reinterpret_cast<int (*)(const CUlaunchConfig*, void*, void**, void**)>(
      cuda.symbol("cuLaunchKernelEx"));
  cuda.check(call(&with, function, parameters.data(), nullptr), "cuLaunchKernelEx");
}

// Empty, or what differs.
std::string run(CudaDriver& cuda, const CaseFile& file) {
  std::vector<OnDevice> arguments;
  arguments.reserve(file.arguments.size());
  for (const CaseArgument& argument : file.arguments) arguments.emplace_back(cuda, argument);
  std::vector<void*> parameters;
  for (OnDevice& argument : arguments) parameters.push_back(argument.parameter());
  const CudaDriver::Module module = cuda.load(file.text);
  for (const wedjat::test::CaseLaunch& one : file.launches)
    launch(cuda,
           cuda.function(module, one.kernel.empty() ? wedjat::test::first_kernel(file.text) : one.kernel),
           one.config, parameters);
  cuda.synchronize();
  for (const auto& [which, expected] : file.expected)
    if (arguments[which].contents() != expected) return fmt::format("argument {} differs", which);
  return {};
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    fmt::print(stderr, "usage: {} EXAMPLE.ptx CHECKED.ptx\n", words[0]);
    return 2;
  }
  const CaseFile file = wedjat::test::read_case(words[1]);
  std::string driver, failure;
  try {
    CudaDriver cuda("libcuda.so.1");
    driver = fmt::format("{}, CUDA {}.{}", cuda.device_name(), cuda.api_version() / 1000,
                         cuda.api_version() % 1000 / 10);
    failure = run(cuda, file);
    if (failure.empty() && !file.errors.empty()) failure = "no error";
  } catch (const CudaError& error) {
    if (driver.empty() || file.errors.empty()) failure = error.what();
    fmt::print("{}: {}\n", words[1], error.what());
  }
  if (!failure.empty()) {
    fmt::print("{}: {}\n", words[1], failure);
    return 1;
  }
  std::ofstream(words[2]) << wedjat::test::with_hardware(file, driver);
  return 0;
}
