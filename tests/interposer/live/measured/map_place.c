/* Where the 128 bytes of a tensor map may lie: at every multiple of four in two lines of 64 bytes, and at an
 * odd address; whether what is written is the same everywhere. */
#include <string.h>

#include "tell.h"

static _Alignas(128) unsigned char room[512];
static unsigned char first[128];

static void tell_place(CUresult code, size_t place) {
  printf("%s\t%s at %zu\n", N(code), memcmp(room + place, first, sizeof first) == 0 ? "the same" : "another",
         place);
  fflush(stdout);
}

int main(void) {
  const cuuint64_t sizes[4] = {64, 8, 8, 2}, strides[3] = {256, 2048, 16384};
  const cuuint32_t box[4] = {16, 4, 4, 1}, steps[4] = {1, 1, 1, 1};
  const int lower[2] = {-1, -1}, upper[2] = {1, 1};
  CUcontext context;
  CUdeviceptr memory;
  size_t place;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) return 1;
  T(cuMemAlloc(&memory, 1 << 20));
  for (place = 0; place <= 129; place += place == 128 ? 1 : 4) {
    memset(room, 0xa5, sizeof room);
    const CUresult code = cuTensorMapEncodeTiled(
        (CUtensorMap*)(room + place), CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)16, sizes, strides, box,
        steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (place == 0) memcpy(first, room, sizeof first);
    tell_place(code, place);
  }
  puts("\tof columns");
  for (place = 0; place <= 129; place += place == 128 ? 1 : 4) {
    memset(room, 0xa5, sizeof room);
    const CUresult code = cuTensorMapEncodeIm2col(
        (CUtensorMap*)(room + place), CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, (void*)16, sizes, strides, lower,
        upper, 16, 16, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (place == 0) memcpy(first, room, sizeof first);
    tell_place(code, place);
  }
  puts("\tanother address");
  for (place = 0; place <= 129; place += place == 128 ? 1 : 4) {
    memset(room, 0xa5, sizeof room);
    const CUresult code = cuTensorMapReplaceAddress((CUtensorMap*)(room + place), (void*)4096);
    if (place == 0) memcpy(first, room, sizeof first);
    tell_place(code, place);
  }
  return 0;
}
