"""Triton kernels on tensors of the host, where a program runs under ``wedjat live``.

PyTorch's own kernels are machine code, so tensors cannot be made or computed with on the emulated device. With
``use_host_tensors()`` a program keeps its tensors on the CPU: what a launch is given is copied to the device
before the kernel runs, and back afterwards::

    import wedjat.triton
    wedjat.triton.use_host_tensors()
    add[(8,)](x, y, out, n, BLOCK=128)   # x, y, out: torch tensors on the CPU
"""

import dataclasses
import functools


def use_host_tensors():
    """Let every Triton launch of this process take tensors that lie on the CPU. Needs torch and triton."""
    import torch
    from triton.backends.nvidia.driver import CudaLauncher
    from triton.runtime import _allocation
    from triton.runtime.jit import TensorWrapper

    if getattr(CudaLauncher.__call__, "takes_host_tensors", False):
        return
    launch = CudaLauncher.__call__

    @functools.wraps(launch)
    def launch_with_host_tensors(self, grid_x, grid_y, grid_z, stream, function, *arguments):
        moved = {}  # by address of the host's storage: it and its copy

        def on_device(value):
            if isinstance(value, torch.Tensor) and value.device.type == "cpu":
                storage = value.untyped_storage()
                address = storage.data_ptr()
                if address not in moved:
                    moved[address] = (storage, storage.cuda())
                there = torch.empty(0, dtype=value.dtype, device="cuda")
                return there.set_(moved[address][1], value.storage_offset(), value.size(), value.stride())
            if isinstance(value, TensorWrapper):  # triton.reinterpret
                return TensorWrapper(on_device(value.base), value.dtype)
            if isinstance(value, tuple):
                moved_values = [on_device(one) for one in value]
                return type(value)(*moved_values) if hasattr(value, "_fields") else tuple(moved_values)
            if dataclasses.is_dataclass(value) and isinstance(
                getattr(value, "base", None), (torch.Tensor, TensorWrapper)
            ):
                return dataclasses.replace(value, base=on_device(value.base))  # a tensor descriptor
            return value

        allocate = _allocation._allocator.get()  # of what kernels need beside their arguments
        before = _allocation._allocator.set(lambda *wanted: on_device(allocate(*wanted)))
        try:
            result = launch(self, grid_x, grid_y, grid_z, stream, function, *map(on_device, arguments))
        finally:
            _allocation._allocator.reset(before)
        torch.cuda.synchronize()  # so that also what a kernel prints is there when a launch is over
        for storage, copy in moved.values():
            storage.copy_(copy)
        return result

    launch_with_host_tensors.takes_host_tensors = True
    CudaLauncher.__call__ = launch_with_host_tensors
