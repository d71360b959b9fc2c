"""CuPy: sort, argsort, lexsort and unique. Their kernels are Thrust's, compiled with CuPy."""
import cupy
import numpy

x = cupy.asarray(((numpy.arange(2000) * 2654435761) % 100003).astype(numpy.int32))
for result in (cupy.sort(x), cupy.argsort(x), cupy.lexsort(cupy.stack([x, x % 5])), cupy.unique(x % 50)):
    print(cupy.asnumpy(result)[[0, 17, -1]])
