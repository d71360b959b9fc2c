"""CuPy compiling CUB: blocks sort keys with their values by radix and by merging."""
import cupy
import numpy

code = r"""
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
extern "C" __global__ void radix(const unsigned* keys, const int* values, unsigned* keys_out, int* values_out) {
  using Sort = cub::BlockRadixSort<unsigned, 128, 4, int>;
  __shared__ typename Sort::TempStorage storage;
  unsigned key[4];
  int value[4];
  for (int i = 0; i < 4; ++i) {
    key[i] = keys[blockIdx.x * 512 + threadIdx.x * 4 + i];
    value[i] = values[blockIdx.x * 512 + threadIdx.x * 4 + i];
  }
  Sort(storage).Sort(key, value);
  for (int i = 0; i < 4; ++i) {
    keys_out[blockIdx.x * 512 + threadIdx.x * 4 + i] = key[i];
    values_out[blockIdx.x * 512 + threadIdx.x * 4 + i] = value[i];
  }
}
extern "C" __global__ void merge(const int* in, int* out) {
  using Sort = cub::BlockMergeSort<int, 128, 4>;
  __shared__ typename Sort::TempStorage storage;
  int key[4];
  for (int i = 0; i < 4; ++i) key[i] = in[blockIdx.x * 512 + threadIdx.x * 4 + i];
  Sort(storage).Sort(key, Less());
  for (int i = 0; i < 4; ++i) out[blockIdx.x * 512 + threadIdx.x * 4 + i] = key[i];
}
"""
module = cupy.RawModule(code=code, options=("-std=c++17",))
keys = (numpy.arange(2048, dtype=numpy.uint32) * numpy.uint32(2654435761)).astype(numpy.uint32)
on_device = cupy.asarray(keys)
values = cupy.arange(2048, dtype=cupy.int32)
keys_out, values_out, merged = cupy.empty_like(on_device), cupy.empty_like(values), cupy.empty_like(values)
module.get_function("radix")((4,), (128,), (on_device, values, keys_out, values_out))
module.get_function("merge")((4,), (128,), (on_device, merged))
wanted = numpy.sort(keys.reshape(4, 512), axis=1).ravel()
print((cupy.asnumpy(keys_out) == wanted).all(), (keys[cupy.asnumpy(values_out)] == wanted).all())
print((cupy.asnumpy(merged).reshape(4, 512) == numpy.sort(keys.view(numpy.int32).reshape(4, 512), axis=1)).all())
