#include "tests/emulator/hardware/devices/gpu_child.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>

#include "tests/emulator/hardware/cases/texel_case.h"
#include "tests/emulator/hardware/devices/assembler.h"
#include "tests/emulator/hardware/devices/cuda_driver.h"
#include "tests/emulator/hardware/devices/cuda_scenes.h"

namespace wedjat::hardware_truth {
namespace {

void write_all(int pipe, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(pipe, at, bytes);
    if (written <= 0) _exit(1);  // the parent is gone
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void send(int pipe, MessageHead::Kind kind, const void* data, std::size_t bytes) {
  const MessageHead head{kind, static_cast<std::uint32_t>(bytes)};
  write_all(pipe, &head, sizeof(head));
  write_all(pipe, data, bytes);
}

void send(int pipe, MessageHead::Kind kind, const std::string& text) {
  send(pipe, kind, text.data(), text.size());
}

// "580.159.03" where the kernel module tells it, else the API version.
std::string driver_version(const CudaDriver& cuda) {
  std::ifstream file("/sys/module/nvidia/version");
  std::string version;
  if (std::getline(file, version)) return version;
  return fmt::format("CUDA {}.{}", cuda.api_version() / 1000, cuda.api_version() % 1000 / 10);
}

class Executor {
 public:
  Executor(std::span<const Case> cases, CudaDriver& cuda, const RunOptions& options, int pipe)
      : cuda_(cuda), options_(options), pipe_(pipe) {
    std::size_t in = 0, out = 0;
    for (const Case& one : cases) {
      in = std::max(in, one.input.size());
      out = std::max(out, one.output_bytes);
    }
    in_ = cuda.allocate(std::max<std::size_t>(in, 1));
    out_ = cuda.allocate(std::max<std::size_t>(out, 1));
  }

  // Compiles the cases as one module; where that fails, halves it until the culprit is alone. False: the
  // context is lost.
  bool run(std::span<const Case> cases) {
    CudaDriver::Module module = nullptr;
    try {
      const std::string text = module_text(cases);
      module = cuda_.load(
          options_.ptxas.empty() ? text : assembled(options_.ptxas, options_.level, text, options_.kept));
    } catch (const CudaError& error) {
      if (cases.size() > 1) {
        const std::size_t half = cases.size() / 2;
        return run(cases.first(half)) && run(cases.subspan(half));
      }
      send(pipe_, MessageHead::failed, error.what());
      return true;
    }
    for (const Case& one : cases) {
      if (!run(module, one)) return false;
    }
    cuda_.unload(module);
    return true;
  }

 private:
  bool run(CudaDriver::Module module, const Case& one) {
    try {
      const CudaDriver::Function function = cuda_.function(module, one.entry);
      if (!one.input.empty()) cuda_.copy_in(in_, one.input.data(), one.input.size());
      const auto output = [&](unsigned char old) {
        return one.scenes == nullptr ? launch(function, one, old)
                                     : launch_with_scenes(module, function, one, old);
      };
      const std::vector<std::byte> first = output(0x00), second = output(0xff);
      if (first == second) {
        send(pipe_, MessageHead::ran, first.data(), first.size());
      } else {
        send(pipe_, MessageHead::failed, "two runs differ: " + describe_difference(one, first, second));
      }
      return true;
    } catch (const CudaError& error) {
      send(pipe_, MessageHead::failed, error.what());
      return context_lives();
    }
  }

  // A kernel that fails takes the context with it; one that the driver does not take does not.
  bool context_lives() const {
    try {
      cuda_.synchronize();
      return true;
    } catch (const CudaError&) {
      return false;
    }
  }

  std::vector<std::byte> launch(CudaDriver::Function function, const Case& one, unsigned char old) {
    cuda_.fill(out_, old, one.output_bytes);
    void* parameters[] = {&in_, &out_, const_cast<std::byte*>(one.parameters.data())};
    cuda_.launch(function, kBlocks, kThreads, parameters);
    cuda_.synchronize();
    std::vector<std::byte> output(one.output_bytes);
    cuda_.copy_out(output.data(), out_, output.size());
    return output;
  }

  // All warps at once; where a variable names the scene, warp after warp.
  std::vector<std::byte> launch_with_scenes(CudaDriver::Module module, CudaDriver::Function function,
                                            const Case& one, unsigned char old) {
    std::unique_ptr<CudaScenes>& scenes = scenes_[one.scenes];
    if (!scenes) scenes = std::make_unique<CudaScenes>(cuda_, *one.scenes);
    cuda_.fill(out_, old, one.output_bytes);
    if (one.scenes->stored) scenes->reset();
    CudaDriver::Address handles = scenes->handles();
    const auto launch_one = [&](std::uint32_t only) {
      void* parameters[] = {&in_, &out_, &handles, &only};
      cuda_.launch(function, kBlocks, kThreads, parameters);
      cuda_.synchronize();
    };
    if (one.variable.empty()) launch_one(~0u);
    for (std::uint32_t i = 0; !one.variable.empty() && i < one.scenes->scenes.size(); ++i) {
      scenes->bind(module, one.variable, i);
      launch_one(i);
    }
    std::vector<std::byte> output(std::size_t{kTexelOutput} * kLanes);
    cuda_.copy_out(output.data(), out_, output.size());
    if (one.scenes->stored) {
      const std::vector<std::byte> stored = scenes->contents();
      output.insert(output.end(), stored.begin(), stored.end());
    }
    return output;
  }

  CudaDriver& cuda_;
  const RunOptions& options_;
  int pipe_;
  CudaDriver::Address in_ = 0, out_ = 0;
  std::map<const SceneSet*, std::unique_ptr<CudaScenes>> scenes_;
};

}  // namespace

void run_in_child(std::span<const Case> cases, const RunOptions& options, std::size_t module_size, int pipe) {
  try {
    CudaDriver cuda(options.library);
    Executor executor(cases, cuda, options, pipe);
    send(pipe, MessageHead::machine, cuda.device_name() + "\n" + driver_version(cuda));
    while (!cases.empty()) {
      const std::size_t count = one_module(cases, module_size);
      if (!executor.run(cases.first(count))) return;
      cases = cases.subspan(count);
    }
  } catch (const CudaError& error) {
    send(pipe, MessageHead::unusable, error.what());
  }
}

}  // namespace wedjat::hardware_truth
