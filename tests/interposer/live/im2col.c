/* Sixteen pixels of eight channels come into shared memory, from one before the row to the last but one. */
#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry load(.param .align 64 .b8 map[128], .param .u64 to) {\n"
    "  .reg .b64 %d<5>; .reg .b32 %r<9>; .reg .b16 %h; .reg .pred %p;\n"
    "  .shared .align 128 .b8 box[512]; .shared .align 8 .b64 bar;\n"
    "  mov.b64 %d0, map; cvta.param.u64 %d0, %d0; ld.param.u64 %d1, [to];\n"
    "  mov.u32 %r0, 0; mov.u32 %r1, -1; mov.u16 %h, 0;\n"
    "  mov.u32 %r2, box; mov.u32 %r3, bar; mov.u32 %r4, %tid.x;\n"
    "  setp.ne.u32 %p, %r4, 0;\n  @%p bra wait;\n"
    "  mbarrier.init.shared.b64 [%r3], 1;\n  fence.mbarrier_init.release.cluster;\n"
    "  cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r2], "
    "[%d0, {%r0, %r1, %r0}], [%r3], {%h};\n"
    "  mbarrier.arrive.expect_tx.shared.b64 %d2, [%r3], 512;\n"
    "wait:\n  bar.sync 0;\n"
    "again:\n  mbarrier.try_wait.parity.shared.b64 %p, [%r3], 0;\n  @!%p bra again;\n"
    "  shl.b32 %r5, %r4, 2; add.u32 %r6, %r2, %r5; ld.shared.u32 %r7, [%r6];\n"
    "  mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d1, %d3; st.global.u32 [%d4], %r7;\n  ret;\n}\n";

enum { channels = 8, pixels = 16, images = 2 };

static CUresult encode(CUtensorMap* map, CUdeviceptr from, cuuint32_t rank, int lower, cuuint32_t column) {
  const cuuint64_t sizes[] = {channels, pixels, images}, strides[] = {4 * channels, 4 * channels * pixels};
  const cuuint32_t steps[] = {1, 1, 1};
  const int lowers[] = {lower}, uppers[] = {-1};
  return cuTensorMapEncodeIm2col(map, CU_TENSOR_MAP_DATA_TYPE_UINT32, rank, (void*)from, sizes, strides,
                                 lowers, uppers, channels, column, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

int main(void) {
  static unsigned tensor[images * pixels * channels], got[pixels * channels];
  CUtensorMap map;
  CUcontext context;
  CUmodule module;
  CUfunction load;
  CUdeviceptr from, to;
  void* parameters[] = {&map, &to};
  unsigned i, off = 0;
  for (i = 0; i < images * pixels * channels; ++i) tensor[i] = i + 1;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&load, module, "load"));
  CHECK(cuMemAlloc(&from, sizeof tensor));
  CHECK(cuMemAlloc(&to, sizeof got));
  CHECK(cuMemcpyHtoD(from, tensor, sizeof tensor));
  CHECK(encode(&map, from, 3, -1, pixels));
  CHECK(cuLaunchKernel(load, 1, 1, 1, pixels * channels, 1, 1, 0, NULL, parameters, NULL));
  CHECK(cuMemcpyDtoH(got, to, sizeof got));
  for (i = 0; i < pixels * channels; ++i) off += got[i] != (i < channels ? 0 : tensor[i - channels]);
  EXPECT(off == 0);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, encode(&map, from, 2, -1, pixels));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, encode(&map, from, 3, -40000, pixels));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, encode(&map, from, 3, -1, 1025));
  return wrong;
}
