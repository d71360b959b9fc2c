/* Texture and surface references, and launches as they were before cuLaunchKernel. */
#include <string.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 4.3\n.target sm_52\n.address_size 64\n"
    ".visible .global .texref picture;\n.visible .global .texref line;\n.visible .global .surfref drawing;\n"
    "/* to[x + 8 y] = texel (x + shift, y) */\n"
    ".visible .entry look(.param .u64 to, .param .f32 shift) {\n"
    "  .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .f32 %f<8>;\n"
    "  ld.param.u64 %d0, [to]; ld.param.f32 %f0, [shift]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n"
    "  cvt.rn.f32.u32 %f1, %r0; cvt.rn.f32.u32 %f2, %r1; add.f32 %f1, %f1, %f0; add.f32 %f2, %f2, "
    "0f3f000000;\n"
    "  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [picture, {%f1, %f2}];\n"
    "  mad.lo.u32 %r2, %r1, 8, %r0; mul.wide.u32 %d1, %r2, 4; add.u64 %d2, %d0, %d1;\n"
    "  st.global.f32 [%d2], %f3;\n  ret;\n}\n"
    "/* to[x] = texel x of the line; drawing (x, 0) = x + 100 */\n"
    ".visible .entry draw(.param .u64 to) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<8>;\n"
    "  ld.param.u64 %d0, [to]; mov.u32 %r0, %tid.x;\n"
    "  tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [line, {%r0}];\n"
    "  mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d0, %d1; st.global.u32 [%d2], %r1;\n"
    "  add.u32 %r5, %r0, 100; shl.b32 %r6, %r0, 2;\n"
    "  sust.b.2d.b32.trap [drawing, {%r6, 0}], %r5;\n  ret;\n}\n";

enum { width = 8, height = 4, texels = width * height };

static CUdeviceptr result;

static void old_launch(CUfunction look, float shift) {
  CHECK(cuParamSetSize(look, 12));
  CHECK(cuParamSetv(look, 0, &result, 8));
  CHECK(cuParamSetf(look, 8, shift));
  CHECK(cuFuncSetSharedSize(look, 0));
  CHECK(cuFuncSetBlockShape(look, width, 1, 1));
  CHECK(cuLaunchGrid(look, height, 1));
}

static void of_arrays(CUmodule module, CUfunction look) {
  CUDA_ARRAY_DESCRIPTOR shape = {width, height, CU_AD_FORMAT_FLOAT, 1};
  CUtexref picture, again;
  CUarray array, told = NULL;
  CUfilter_mode filter;
  CUDA_MEMCPY2D box;
  float host[texels], got[texels];
  int i, off = 0;
  for (i = 0; i < texels; ++i) host[i] = (float)(i * i);
  CHECK(cuModuleGetTexRef(&picture, module, "picture"));
  CHECK(cuModuleGetTexRef(&again, module, "picture"));
  EXPECT(again == picture);
  CHECK(cuArrayCreate_v2(&array, &shape));
  memset(&box, 0, sizeof box);
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = host;
  box.srcPitch = 4 * width;
  box.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  box.dstArray = array;
  box.WidthInBytes = 4 * width;
  box.Height = height;
  CHECK(cuMemcpy2D_v2(&box));
  CHECK(cuTexRefSetArray(picture, array, 1));
  CHECK(cuTexRefGetArray(&told, picture));
  EXPECT(told == array);
  CHECK(cuTexRefSetFilterMode(picture, CU_TR_FILTER_MODE_LINEAR));
  CHECK(cuTexRefGetFilterMode(&filter, picture));
  EXPECT(filter == CU_TR_FILTER_MODE_LINEAR);
  CHECK(cuTexRefSetAddressMode(picture, 0, CU_TR_ADDRESS_MODE_CLAMP));
  CHECK(cuTexRefSetAddressMode(picture, 1, CU_TR_ADDRESS_MODE_CLAMP));
  old_launch(look, 1.0f); /* halfway between two texels */
  CHECK(cuMemcpyDtoH_v2(got, result, sizeof got));
  for (i = 0; i < texels; ++i) {
    const int next = i % width == width - 1 ? i : i + 1;
    off += got[i] != (host[i] + host[next]) / 2;
  }
  EXPECT(off == 0);
  CHECK(cuTexRefSetFilterMode(picture, CU_TR_FILTER_MODE_POINT));
  old_launch(look, 0.5f);
  CHECK(cuMemcpyDtoH_v2(got, result, sizeof got));
  EXPECT(memcmp(got, host, sizeof got) == 0);
}

static void of_memory(CUmodule module, CUfunction draw) {
  CUDA_ARRAY3D_DESCRIPTOR shape;
  CUtexref line;
  CUsurfref drawing;
  CUarray array;
  CUdeviceptr memory, told = 0;
  size_t offset = 99;
  unsigned host[texels], got[texels], i;
  for (i = 0; i < texels; ++i) host[i] = 5 * i;
  CHECK(cuModuleGetTexRef(&line, module, "line"));
  CHECK(cuModuleGetSurfRef(&drawing, module, "drawing"));
  EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&line, module, "nothing"));
  CHECK(cuMemAlloc_v2(&memory, 4096));
  CHECK(cuMemcpyHtoD_v2(memory + 64, host, sizeof host));
  CHECK(cuTexRefSetFormat(line, CU_AD_FORMAT_UNSIGNED_INT32, 1));
  CHECK(cuTexRefSetFlags(line, 1)); /* texels stay integers */
  CHECK(cuTexRefSetAddress_v2(&offset, line, memory, 512));
  EXPECT(offset == 0);
  CHECK(cuTexRefGetAddress_v2(&told, line));
  EXPECT(told == memory);
  memset(&shape, 0, sizeof shape);
  shape.Width = texels;
  shape.Height = 1;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT32;
  shape.NumChannels = 1;
  shape.Flags = 2; /* CUDA_ARRAY3D_SURFACE_LDST */
  CHECK(cuArray3DCreate_v2(&array, &shape));
  CHECK(cuSurfRefSetArray(drawing, array, 0));
  CHECK(cuParamSetSize(draw, 8));
  CHECK(cuParamSetv(draw, 0, &result, 8));
  CHECK(cuFuncSetBlockShape(draw, texels, 1, 1));
  CHECK(cuLaunch(draw));
  CHECK(cuMemcpyDtoH_v2(got, result, sizeof got));
  EXPECT(got[16] == host[0] && got[31] == host[15]);
  CHECK(cuMemcpyAtoH_v2(got, array, 0, sizeof got));
  EXPECT(got[0] == 100 && got[31] == 131);
}

int main(void) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction look, draw;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate_v4(&context, NULL, 0, device));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&look, module, "look"));
  CHECK(cuModuleGetFunction(&draw, module, "draw"));
  CHECK(cuMemAlloc_v2(&result, 4 * texels));
  of_arrays(module, look);
  of_memory(module, draw);
  CHECK(cuCtxDestroy_v2(context));
  return wrong != 0;
}
