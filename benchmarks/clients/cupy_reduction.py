"""CuPy: sums, extremes and their places along axes, means, a ReductionKernel, a scan, a histogram. CUB is left out: its kernels
are compiled with CuPy, for other devices' PTX."""
import os

os.environ["CUPY_ACCELERATORS"] = ""
import cupy
import numpy

x = cupy.asarray(((numpy.arange(6000) * 2654435761) % 1000).astype(numpy.float32).reshape(60, 100))
i = x.astype(cupy.int64)
length_of = cupy.ReductionKernel("float32 a", "float32 r", "a * a", "a + b", "r = sqrt(a)", "0", "length_of")
for result in (
    i.sum(),
    i.max(),
    i.argmin(),
    i.sum(axis=0),
    x.max(axis=1),
    x.sum(),
    x.mean(axis=1),
    x.std(),
    length_of(x),
    length_of(x, axis=0),
    cupy.cumsum(i[0]),
    (x >= 0).all(),
    cupy.count_nonzero(x),
    cupy.bincount((i.ravel() % 16).astype(cupy.int32)),
):
    print(cupy.asnumpy(result).ravel()[-1])
