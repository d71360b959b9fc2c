// Kernels of one instruction each, run by the driver API over chosen inputs; the copies back to the host are
// the truth of a recording.
#pragma once
#include <cuda.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr unsigned threads = 256;

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what, name);
  std::exit(1);
}
#define CHECK(call) check(call, #call)

std::mt19937_64 engine(20261121);
std::uint64_t below(std::uint64_t n) { return engine() % n; }

const std::string head = ".version 8.7\n.target sm_90\n.address_size 64\n";

// A kernel of parameters h (handle), in, out; %rd0 to %rd2; lane data at %rd3 (16 bytes each in `in`), %rd4
// (16 in `out`).
std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 h, .param .u64 in, .param .u64 out) {\n"
         "  .reg .b64 %rd<16>; .reg .b32 %r<24>; .reg .b16 %s<8>; .reg .pred %p<4>; .reg .f32 %f<16>; .reg "
         ".b64 %d<4>;\n"
         "  ld.param.u64 %rd0, [h]; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
         "  mov.u32 %r0, %tid.x; mad.wide.u32 %rd3, %r0, 32, %rd1; mad.wide.u32 %rd4, %r0, 16, %rd2;\n"
         "  ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd3]; ld.global.v4.b32 {%r5, %r6, %r7, %r8}, "
         "[%rd3+16];\n" +
         body + "  ret;\n}\n";
}

class Bench {
 public:
  Bench() {
    if (const char* path = std::getenv("SUPPORTED"))
      if (std::FILE* f = std::fopen(path, "r")) {
        char state[16], key[200];
        int code;
        while (std::fscanf(f, "%15s %199s %d\n", state, key, &code) == 3)
          if (state[0] == 's') supported_.insert(key);
        std::fclose(f);
      }
    CHECK(cuMemAlloc(&in_, threads * 32));
    CHECK(cuMemAlloc(&out_, threads * 16));
  }
  // The driver translates not all that ptxas does: with PROBE set, prints which kernels load alone; with
  // SUPPORTED, takes only those.
  void load(std::string text) {
    const unsigned number = modules_++;
    std::string kept = head;
    loaded_.clear();
    for (std::size_t at = text.find(".visible"); at != std::string::npos;) {
      const std::size_t next = text.find(".visible", at + 1);
      const std::string one = text.substr(at, next == std::string::npos ? next : next - at);
      const std::string name = one.substr(16, one.find('(') - 16), key = std::to_string(number) + ":" + name;
      at = next;
      if (std::getenv("PROBE")) {
        CUmodule module;
        const CUresult result = cuModuleLoadData(&module, (head + one).c_str());
        CUfunction f;
        const bool found =
            result == CUDA_SUCCESS && cuModuleGetFunction(&f, module, name.c_str()) == CUDA_SUCCESS;
        std::printf("%s %s %d\n", found ? "supported" : "missing", key.c_str(), result);
      } else if (supported_.empty() || supported_.count(key)) {
        kept += one;
        loaded_.insert(name);
      }
    }
    if (!std::getenv("PROBE")) CHECK(cuModuleLoadData(&module_, kept.c_str()));
  }
  void unload() {
    if (!std::getenv("PROBE")) CHECK(cuModuleUnload(module_));
  }
  // Runs `name`; the results come back to the host.
  void run(const std::string& name, std::uint64_t handle, const std::vector<std::uint32_t>& input,
           unsigned block = threads, bool back = true) {
    if (!loaded_.count(name)) return;
    CUfunction f;
    CHECK(cuModuleGetFunction(&f, module_, name.c_str()));
    CHECK(cuMemcpyHtoD(in_, input.data(), threads * 32));
    CHECK(cuMemsetD8(out_, 0xee, threads * 16));
    void* parameters[] = {&handle, &in_, &out_};
    CHECK(cuLaunchKernel(f, 1, 1, 1, block, 1, 1, 0, nullptr, parameters, nullptr));
    CHECK(cuCtxSynchronize());
    if (back) CHECK(cuMemcpyDtoH(result_.data(), out_, threads * 16));
  }
  CUdeviceptr out() const { return out_; }

 private:
  unsigned modules_ = 0;
  std::set<std::string> loaded_, supported_;
  CUmodule module_ = nullptr;
  CUdeviceptr in_ = 0, out_ = 0;
  std::array<std::byte, threads * 16> result_{};
};

std::vector<std::uint32_t> random_input() {
  std::vector<std::uint32_t> input(threads * 8);
  for (auto& i : input) i = static_cast<std::uint32_t>(engine());
  return input;
}

int run(void (*part)(Bench&)) {
  CHECK(cuInit(0));
  CUdevice device;
  CHECK(cuDeviceGet(&device, 0));
  CUcontext context;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  Bench bench;
  part(bench);
  std::puts("done");
  return 0;
}

}  // namespace
