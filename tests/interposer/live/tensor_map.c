/* A box of a matrix comes into shared memory by a tensor map. */
#include <string.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    "/* to[i] = word i of the box of 8 x 4 that begins at (x, y) */\n"
    ".visible .entry load(.param .align 64 .b8 map[128], .param .u64 to, .param .u32 x, .param .u32 y) {\n"
    "  .reg .b64 %d<6>; .reg .b32 %r<8>; .reg .pred %p;\n"
    "  .shared .align 128 .b8 box[128]; .shared .align 8 .b64 bar;\n"
    "  mov.b64 %d0, map; cvta.param.u64 %d0, %d0; ld.param.u64 %d1, [to]; ld.param.u32 %r0, [x]; "
    "ld.param.u32 %r1, [y];\n"
    "  mov.u32 %r2, box; mov.u32 %r3, bar; mov.u32 %r4, %tid.x;\n"
    "  setp.ne.u32 %p, %r4, 0;\n  @%p bra wait;\n"
    "  mbarrier.init.shared.b64 [%r3], 1;\n  fence.mbarrier_init.release.cluster;\n"
    "  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%d0, {%r0, "
    "%r1}], [%r3];\n"
    "  mbarrier.arrive.expect_tx.shared.b64 %d2, [%r3], 128;\n"
    "wait:\n  bar.sync 0;\n"
    "again:\n  mbarrier.try_wait.parity.shared.b64 %p, [%r3], 0;\n  @!%p bra again;\n"
    "  shl.b32 %r5, %r4, 2; add.u32 %r6, %r2, %r5; ld.shared.u32 %r7, [%r6];\n"
    "  mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d1, %d3; st.global.u32 [%d4], %r7;\n  ret;\n}\n";

enum { columns = 64, rows = 32 };

int main(void) {
  static unsigned matrix[columns * rows], got[32];
  static _Alignas(64) char room[16 + sizeof(CUtensorMap)];
  CUtensorMap map, *const odd = (CUtensorMap*)(void*)(room + 16);
  CUcontext context;
  CUmodule module;
  CUfunction load;
  CUdeviceptr from, to;
  cuuint64_t sizes[] = {columns, rows}, strides[] = {4 * columns};
  cuuint32_t box[] = {8, 4}, steps[] = {1, 1};
  unsigned x = 60, y = 7, i, off = 0;
  void* parameters[] = {&map, &to, &x, &y};
  for (i = 0; i < columns * rows; ++i) matrix[i] = i + 1;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&load, module, "load"));
  CHECK(cuMemAlloc(&from, sizeof matrix));
  CHECK(cuMemAlloc(&to, sizeof got));
  CHECK(cuMemcpyHtoD(from, matrix, sizeof matrix));
  CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void*)from, sizes, strides, box,
                               steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  /* A map may lie anywhere. */
  CHECK(cuTensorMapEncodeTiled(odd, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void*)from, sizes, strides, box,
                               steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  EXPECT(memcmp(odd, &map, sizeof map) == 0);
  CHECK(cuLaunchKernel(load, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
  CHECK(cuMemcpyDtoH(got, to, sizeof got));
  for (i = 0; i < 32; ++i) { /* what lies beyond the matrix is 0 */
    const unsigned column = x + i % 8, row = y + i / 8;
    off += got[i] != (column < columns ? matrix[row * columns + column] : 0);
  }
  EXPECT(off == 0);
  strides[0] = 4 * columns + 4;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE,
              cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void*)from, sizes, strides,
                                     box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                     CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  x = 61; /* a box begins at a multiple of 16 bytes: an H100 ends the launch, and its context is broken */
  cuLaunchKernel(load, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL);
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_INSTRUCTION, cuCtxSynchronize());
  cuCtxDestroy(context);
  return wrong;
}
