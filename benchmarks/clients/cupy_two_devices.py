"""CuPy on two devices: one kernel compiled once and loaded into both."""
import cupy
import numpy

kernel = cupy.RawKernel(
    'extern "C" __global__ void k(const int* a, int* b, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) b[i] = a[i] * 3 + 1; }',
    "k",
)
results = []
for number in range(min(2, cupy.cuda.runtime.getDeviceCount())):
    with cupy.cuda.Device(number):
        numbers = cupy.asarray(numpy.arange(700, dtype=numpy.int32) + number)
        result = cupy.empty_like(numbers)
        kernel((6,), (128,), (numbers, result, 700))
        results.append(result)
with cupy.cuda.Device(0):
    print(cupy.asnumpy(cupy.asarray(results[-1]) + results[0])[[0, 699]])
