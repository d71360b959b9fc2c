"""CuPy: kernels from source, with a constant, a variable, shared memory, templates and options of their own."""
import cupy
import numpy

code = r"""
extern "C" {
__constant__ float table[8];
__device__ unsigned calls = 5;
__global__ void blend(const float* a, const float* b, float* out, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? a[i] : 0.f;
  __syncthreads();
  if (i < n) out[i] = tile[blockDim.x - 1 - threadIdx.x] * table[i & 7] + b[i];
  if (i == 0) atomicAdd(&calls, 1u);
}
}
template <typename T> __global__ void third_more(T* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += p[i] / T(3);
}
"""
names = {name: cupy.dtype(kind) for name, kind in (("float", "f4"), ("double", "f8"), ("int", "i4"))}
module = cupy.RawModule(code=code, options=("-std=c++17",), name_expressions=["third_more<%s>" % name for name in names])
n = 1000
a = cupy.asarray(numpy.sin(numpy.arange(n)).astype(numpy.float32))
b = cupy.asarray(numpy.cos(numpy.arange(n)).astype(numpy.float32))
out = cupy.empty_like(a)
table = cupy.ndarray(8, cupy.float32, module.get_global("table"))
table[...] = cupy.asarray(numpy.linspace(-1, 1, 8, dtype=numpy.float32))
module.get_function("blend")((8,), (128,), (a, b, out, n), shared_mem=512)
print(cupy.asnumpy(out)[[3, 500]], cupy.asnumpy(cupy.ndarray(1, cupy.uint32, module.get_global("calls"))))
for name, kind in names.items():
    values = cupy.asarray((numpy.arange(n) * 37 % 101).astype(kind))
    module.get_function("third_more<%s>" % name)((8,), (128,), (values, n))
    print(cupy.asnumpy(values)[55])

source = r"""
extern "C" __global__ void update(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) c[i] = a[i] * b[i] + c[i];
}
"""
for options in ((), ("--fmad=false",), ("-G",)):
    cupy.RawKernel(source, "update", options=options)((8,), (128,), (a, b, out, n))
    print(options, cupy.asnumpy(out)[9])
