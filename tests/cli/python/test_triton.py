"""wedjat.triton with a torch and a triton that do just what it asks of them."""

import contextvars
import dataclasses
import sys
import types

import pytest


class Storage:
    def __init__(self, numbers, device):
        self.numbers, self.device = list(numbers), device

    def data_ptr(self):
        return id(self.numbers)

    def cuda(self):
        return Storage(self.numbers, "cuda")

    def copy_(self, other):
        self.numbers[:] = other.numbers


class Tensor:
    def __init__(self, storage, offset=0, size=None):
        self.storage, self.offset, self.dtype = storage, offset, "f32"
        self.count = len(storage.numbers) - offset if size is None else size

    device = property(lambda self: types.SimpleNamespace(type=self.storage.device))
    untyped_storage = lambda self: self.storage
    storage_offset = lambda self: self.offset
    size = lambda self: self.count
    stride = lambda self: 1

    def set_(self, storage, offset, size, stride):
        return Tensor(storage, offset, size)


class TensorWrapper:
    """What triton.reinterpret gives."""

    def __init__(self, base, dtype):
        self.base, self.dtype = base, dtype


@pytest.fixture
def launcher(monkeypatch):
    """A launcher whose kernel adds 1 to all numbers of each tensor, which must lie on the device."""

    class CudaLauncher:
        def __call__(self, grid_x, grid_y, grid_z, stream, function, *arguments):
            if function == "needs scratch":
                arguments += (runtime._allocation._allocator.get()(2, 128, stream),)
            for argument in arguments:
                if dataclasses.is_dataclass(argument):
                    function(argument)
                for tensor in argument if isinstance(argument, tuple) else (argument,):
                    tensor = tensor.base if isinstance(tensor, TensorWrapper) else tensor
                    if isinstance(tensor, Tensor):
                        assert tensor.device.type == "cuda"
                        for i in range(tensor.offset, tensor.offset + tensor.count):
                            tensor.storage.numbers[i] += 1
            return "launched"

    torch = types.ModuleType("torch")
    torch.Tensor = Tensor
    torch.empty = lambda count, dtype, device: Tensor(Storage([], device))
    torch.cuda = types.SimpleNamespace(synchronize=lambda: None)
    driver = types.ModuleType("triton.backends.nvidia.driver")
    driver.CudaLauncher = CudaLauncher
    runtime = types.ModuleType("triton.runtime")
    runtime._allocation = types.SimpleNamespace(_allocator=contextvars.ContextVar("allocator"))
    runtime._allocation._allocator.set(lambda size, alignment, stream: Tensor(Storage([0] * size, "cpu")))
    jit = types.ModuleType("triton.runtime.jit")
    jit.TensorWrapper = TensorWrapper
    monkeypatch.setitem(sys.modules, "triton.runtime", runtime)
    monkeypatch.setitem(sys.modules, "triton.runtime.jit", jit)
    for name in ("triton", "triton.backends", "triton.backends.nvidia"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "triton.backends.nvidia.driver", driver)
    import wedjat.triton

    wedjat.triton.use_host_tensors()
    wedjat.triton.use_host_tensors()  # twice is once
    return CudaLauncher()


def test_what_kernels_change_comes_back(launcher):
    tensor = Tensor(Storage([1, 2, 3], "cpu"))
    assert launcher(1, 1, 1, 0, None, tensor, 7) == "launched"
    assert tensor.storage.numbers == [2, 3, 4]


def test_two_views_of_one_storage_stay_so(launcher):
    storage = Storage([0, 0, 0, 0], "cpu")
    launcher(1, 1, 1, 0, None, Tensor(storage, 0, 3), (Tensor(storage, 2, 2),))
    assert storage.numbers == [1, 1, 2, 1]


def test_tensors_of_the_device_are_left_alone(launcher):
    tensor = Tensor(Storage([5], "cuda"))
    launcher(1, 1, 1, 0, None, tensor)
    assert tensor.storage.numbers == [6]


def test_a_tensor_that_is_taken_for_another_type_goes_too(launcher):
    tensor = Tensor(Storage([1, 2], "cpu"))
    launcher(1, 1, 1, 0, None, TensorWrapper(tensor, "u32"))
    assert tensor.storage.numbers == [2, 3]


def test_a_descriptor_of_such_a_tensor_goes_too(launcher):
    @dataclasses.dataclass
    class TensorDescriptor:
        base: object

    tensor = Tensor(Storage([1, 2], "cpu"))
    seen = []
    monitored = TensorDescriptor(TensorWrapper(tensor, "u32"))
    launcher(1, 1, 1, 0, seen.append, monitored)
    assert [one.base.base.device.type for one in seen] == ["cuda"]


def test_memory_that_a_kernel_needs_beside_its_arguments_lies_on_the_device(launcher):
    assert launcher(1, 1, 1, 0, "needs scratch") == "launched"


def test_a_launch_without_tensors_is_waited_for_too(launcher):
    waits = []
    sys.modules["torch"].cuda.synchronize = lambda: waits.append(True)
    assert launcher(1, 1, 1, 0, None, 7) == "launched"
    assert waits == [True]
