"""CuPy: ufuncs, an ElementwiseKernel, fused operations."""
import cupy
import numpy

x = cupy.asarray(numpy.arange(3000, dtype=numpy.float32) / 7 - 200)
y = cupy.asarray(numpy.arange(3000, dtype=numpy.float32)[::-1].copy())
squared = cupy.ElementwiseKernel("float32 a, float32 b", "float32 c", "c = (a - b) * (a - b) + 1.0f", "squared_difference")


@cupy.fuse()
def blend(a, b):
    return (a + b) * b - a


for result in (
    x * y + 2.5,
    cupy.sqrt(cupy.abs(x)),
    cupy.floor_divide(y, 3),
    cupy.where(x > 0, x, y),
    squared(x, y),
    blend(x, y),
    cupy.exp(x / 300) + cupy.sin(y / 100),
    (x.astype(cupy.int32) % 7).astype(cupy.float64) / 3,
):
    print(cupy.asnumpy(result)[[0, 77, 2999]])
