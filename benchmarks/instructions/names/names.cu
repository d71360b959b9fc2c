// Textures and a surface that variables of a module name: arrays, memory, rows of memory; sampling changed
// between launches.
#include <vector>

#include "benchmarks/instructions/bench.h"

namespace {

const char* const text = R"(.version 8.7
.target sm_90
.address_size 64
.global .texref plane;
.global .texref row;
.global .texref pitched;
.global .surfref out;
.visible .entry k(.param .u64 result) {
  .reg .b32 %r<12>; .reg .f32 %f<24>; .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [result];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mad.lo.u32 %r2, %r1, 16, %r0; mul.wide.u32 %rd1, %r2, 16; add.u64 %rd2, %rd0, %rd1;
  cvt.rn.f32.u32 %f0, %r0; cvt.rn.f32.u32 %f1, %r1; fma.rn.f32 %f0, %f0, 0f3E000000, 0fBE800000; fma.rn.f32 %f1, %f1, 0f3E4CCCCD, 0fBE000000;
  tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [plane, {%f0, %f1}];
  tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [row, {%r2}];
  cvt.rn.f32.u32 %f2, %r0; cvt.rn.f32.u32 %f3, %r1; add.f32 %f2, %f2, 0f3E800000; sub.f32 %f3, %f3, 0f3F000000;
  tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [pitched, {%f2, %f3}];
  add.f32 %f4, %f4, %f8; cvt.rn.f32.u32 %f12, %r4; add.f32 %f5, %f5, %f12;
  st.global.v4.f32 [%rd2], {%f4, %f5, %f6, %f7};
  shl.b32 %r8, %r0, 2;
  sust.b.2d.b32.clamp [out, {%r8, %r1}], %r2;
  ret; })";

CUDA_MEMCPY2D rows_of(CUarray array, void* host, std::size_t bytes, std::size_t rows, bool up) {
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = up ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = up ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  (up ? copy.dstArray : copy.srcArray) = array;
  if (up)
    copy.srcHost = host;
  else
    copy.dstHost = host;
  (up ? copy.srcPitch : copy.dstPitch) = bytes;
  copy.WidthInBytes = bytes;
  copy.Height = rows;
  return copy;
}

CUtexref texture(CUmodule module, const char* name) {
  CUtexref reference;
  CHECK(cuModuleGetTexRef(&reference, module, name));
  return reference;
}

CUtexref bind_plane(CUmodule module) {
  const CUDA_ARRAY_DESCRIPTOR shape{8, 5, CU_AD_FORMAT_FLOAT, 4};
  CUarray array;
  CHECK(cuArrayCreate(&array, &shape));
  std::vector<float> texels(8 * 5 * 4);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = 0.25f * static_cast<float>(i) - 3;
  const CUDA_MEMCPY2D copy = rows_of(array, texels.data(), 128, 5, true);
  CHECK(cuMemcpy2D(&copy));
  const CUtexref plane = texture(module, "plane");
  CHECK(cuTexRefSetArray(plane, array, CU_TRSA_OVERRIDE_FORMAT));
  CHECK(cuTexRefSetAddressMode(plane, 0, CU_TR_ADDRESS_MODE_MIRROR));
  CHECK(cuTexRefSetAddressMode(plane, 1, CU_TR_ADDRESS_MODE_WRAP));
  CHECK(cuTexRefSetFlags(plane, CU_TRSF_NORMALIZED_COORDINATES));
  return plane;
}

// How far before the address the texture begins.
std::size_t bind_memory(CUmodule module) {
  CUdeviceptr memory;
  CHECK(cuMemAlloc(&memory, 4096));
  std::vector<unsigned> words(1024);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<unsigned>(i) * 2654435761u;
  CHECK(cuMemcpyHtoD(memory, words.data(), 4096));
  std::size_t offset = 99;
  const CUtexref row = texture(module, "row");
  CHECK(cuTexRefSetFormat(row, CU_AD_FORMAT_UNSIGNED_INT8, 4));
  CHECK(cuTexRefSetFlags(row, CU_TRSF_READ_AS_INTEGER));
  CHECK(cuTexRefSetAddress(&offset, row, memory, 400));
  const CUtexref pitched = texture(module, "pitched");
  const CUDA_ARRAY_DESCRIPTOR shape{13, 4, CU_AD_FORMAT_UNSIGNED_INT16, 1};
  CHECK(cuTexRefSetAddress2D(pitched, &shape, memory, 64));
  CHECK(cuTexRefSetFormat(pitched, CU_AD_FORMAT_UNSIGNED_INT16, 1));
  CHECK(cuTexRefSetFlags(pitched, 0));
  return offset;
}

}  // namespace

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, text));
  CHECK(cuModuleGetFunction(&function, module, "k"));
  const CUtexref plane = bind_plane(module);
  const std::size_t offset = bind_memory(module);

  CUDA_ARRAY3D_DESCRIPTOR shape{12, 7, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray array;
  CHECK(cuArray3DCreate(&array, &shape));
  std::vector<unsigned> stored(12 * 7, 0xabcdu);
  const CUDA_MEMCPY2D up = rows_of(array, stored.data(), 48, 7, true),
                      down = rows_of(array, stored.data(), 48, 7, false);
  CHECK(cuMemcpy2D(&up));
  CUsurfref out;
  CHECK(cuModuleGetSurfRef(&out, module, "out"));
  CHECK(cuSurfRefSetArray(out, array, 0));

  CUdeviceptr result;
  std::vector<float> back(16 * 5 * 4);
  CHECK(cuMemAlloc(&result, back.size() * 4));
  void* parameters[] = {&result};
  for (const unsigned threads_x : {16u, 12u}) {
    CHECK(cuLaunchKernel(function, 1, 1, 1, threads_x, 5, 1, 0, nullptr, parameters, nullptr));
    CHECK(cuMemcpyDtoH(back.data(), result, back.size() * 4));
    std::printf("%zu %g %g\n", offset, back[5], back[40]);
    CHECK(cuMemcpy2D(&down));
    CHECK(cuTexRefSetAddressMode(plane, 0, CU_TR_ADDRESS_MODE_BORDER));
    float border[4] = {7, 8, 9, 10};
    CHECK(cuTexRefSetBorderColor(plane, border));
  }
}
