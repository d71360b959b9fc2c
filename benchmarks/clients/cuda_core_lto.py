"""cuda.core: two sources linked by nvJitLink while they are compiled (-lto), and PTX that it assembles."""
import cupy
import numpy

try:
    from cuda.core import Device, LaunchConfig, Linker, LinkerOptions, Program, ProgramOptions, launch
except ImportError:
    from cuda.core.experimental import Device, LaunchConfig, Linker, LinkerOptions, Program, ProgramOptions, launch

device = Device()
device.set_current()
stream = device.create_stream()
late = ProgramOptions(arch="sm_90", relocatable_device_code=True, link_time_optimization=True)
caller = r"""
extern __device__ int helper(int);
extern "C" __global__ void first(int* p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] = helper(p[i]);
}
"""
parts = [Program(text, "c++", late).compile("ltoir") for text in (caller, "__device__ int helper(int x) { return x * x + 3; }")]
linked = Linker(*parts, options=LinkerOptions(arch="sm_90", link_time_optimization=True)).link("cubin")
second = 'extern "C" __global__ void second(int* p, int n) { int i = threadIdx.x; if (i < n) p[i] += 5 * i; }'
ptx = Program(second, "c++", ProgramOptions(arch="sm_90")).compile("ptx")
assembled = Linker(ptx, options=LinkerOptions(arch="sm_90")).link("cubin")

data = cupy.arange(64, dtype=cupy.int32)
device.sync()
one_block = LaunchConfig(grid=1, block=64)
launch(stream, one_block, linked.get_kernel("first"), data.data.ptr, numpy.int32(64))
launch(stream, one_block, assembled.get_kernel("second"), data.data.ptr, numpy.int32(64))
stream.sync()
print(cupy.asnumpy(data)[[2, 63]])
