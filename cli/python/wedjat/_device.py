"""Devices and their memory."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ._library import call, call_for_handle, call_for_json, call_for_number, library
from ._options import RunOptions, Tools
from ._tools import Report

if TYPE_CHECKING:
    import numpy

    from ._module import Module


def _close(handle: int) -> None:
    library.wedjat_device_free(handle)


class Device:
    """A device of compute capability 9.0 on the CPU, with memory, modules and tools of its own.

    Args:
        threads: threads of the host; 0: all cores. Results never depend on it.
        jit: native code: ``"auto"`` (of what runs often), ``"off"``, ``"all"`` (before it runs). Results never depend on it.
        contract: unmarked ``mul`` and ``add``: ``"ptxas"`` (fused where ptxas fuses them) or ``"none"``.
        step_limit: warp instructions of one CTA before a kernel fails; 0: any number.
        launch_step_limit: the same of all its CTAs.
        stack_limit: bytes of local memory of a thread that recurses; 0: as much as a device has.
        tools: tools that watch from the beginning to :meth:`report`.
        check: every checker watches too.
        fidelity: :meth:`report` says which executed instructions were not exact.
        suppressions: file of findings not to report.
        print: is given what kernels print, piece by piece; ``None``: it goes to ``sys.stdout``.

    A device is also a context manager. After :class:`KernelFailed` and :class:`Interrupted` it is broken, as a CUDA
    context is: it can only report and be closed.
    """

    def __init__(self, *, threads: int = 0, jit: str = "auto", contract: str = "ptxas", step_limit: int = 0,
                 launch_step_limit: int = 0, stack_limit: int = 0, tools: Tools = (), check: bool = False,
                 fidelity: bool = False, suppressions: str | os.PathLike[str] | None = None,
                 print: Callable[[str], object] | None = None) -> None:
        self._options = RunOptions(
            threads=threads, jit=jit, contract=contract, step_limit=step_limit, launch_step_limit=launch_step_limit,
            stack_limit=stack_limit, tools=tools, check=check, fidelity=fidelity, suppressions=suppressions,
            print=print)
        self._handle = call_for_handle("wedjat_device_create", self._options.struct)
        self._end = weakref.finalize(self, _close, self._handle)
        self._report: Report | None = None

    @property
    def memory(self) -> Memory:
        """Memory of the device."""
        return Memory(self)

    def module(self, ptx: str | bytes, *more: str | bytes, name: str | None = None) -> Module:
        """Loads PTX text; several texts are linked together. ``name`` is what errors call it."""
        from ._module import Module

        return Module(ptx, *more, name=name, device=self)

    def report(self) -> Report:
        """Ends the tools and gives what they report: nobody watches what comes after. Later calls give the same
        report."""
        if self._report is None:
            self._report = Report(call_for_json("wedjat_device_report", self._handle))
        return self._report

    def close(self) -> None:
        """Frees the device with everything on it. What belonged to it cannot be used any more."""
        self._end()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return not self._end.alive

    def __enter__(self) -> Device:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<wedjat.Device{' (closed)' if self.closed else ''}>"


class Memory:
    """Memory of a device: ``device.memory``. Every byte that a kernel accesses has to lie in one allocation."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._handle = device._handle

    def allocate(self, nbytes: int, *, label: str | None = None) -> DeviceArray:
        """``nbytes`` bytes as an array of ``uint8``: zeros, though checkers know that nobody wrote them. ``label`` names
        them in messages."""
        return self.empty(nbytes, "uint8", label=label)

    def empty(self, shape: int | tuple[int, ...], dtype: Any = "float64", *, label: str | None = None) -> DeviceArray:
        """An array of this shape (elements along each axis, the last runs fastest): zeros that nobody wrote."""
        return DeviceArray(self._device, shape, dtype, label)

    def zeros(self, shape: int | tuple[int, ...], dtype: Any = "float64", *, label: str | None = None) -> DeviceArray:
        """The same of zeros that count as written."""
        array = self.empty(shape, dtype, label=label)
        self.fill(array.address, b"\0", array.nbytes)
        return array

    def array(self, values: Any, dtype: Any = None, *, label: str | None = None) -> DeviceArray:
        """A copy of a NumPy array, or of what NumPy makes one of."""
        import numpy

        host = numpy.ascontiguousarray(values, dtype=dtype)
        array = self.empty(host.shape if numpy.ndim(values) else (), host.dtype, label=label)
        array.write(host)
        return array

    def read(self, address: int, nbytes: int) -> bytes:
        """``nbytes`` bytes from an address of the device."""
        buffer = ctypes.create_string_buffer(max(nbytes, 1))
        call("wedjat_memory_read", self._handle, address, buffer, nbytes)
        return buffer.raw[:nbytes]

    def write(self, address: int, data: bytes | bytearray | memoryview) -> None:
        """Writes bytes to an address of the device."""
        raw = bytes(data)
        call("wedjat_memory_write", self._handle, address, raw, len(raw))

    def fill(self, address: int, pattern: bytes, count: int) -> None:
        """Writes ``count`` times the 1 to 16 bytes of ``pattern``."""
        call("wedjat_memory_fill", self._handle, address, bytes(pattern), len(pattern), count)

    def copy(self, to: int, source: int, nbytes: int) -> None:
        """Copies bytes from one address of the device to another; the ranges may overlap."""
        call("wedjat_memory_copy", self._handle, to, source, nbytes)

    def __repr__(self) -> str:
        return f"<wedjat.Memory of {self._device!r}>"


class DeviceArray:
    """An array in memory of a device, freed with this object. Kernels take it where they take an address.

    Attributes:
        device: the device it lies on.
        address: of its first element, on the device.
        shape: elements along each axis; the last runs fastest (C order, no gaps).
        dtype: of an element, a ``numpy.dtype``.
        nbytes: its size in bytes.
    """

    def __init__(self, device: Device, shape: int | tuple[int, ...], dtype: Any, label: str | None = None) -> None:
        import numpy

        self.device = device
        self.dtype: numpy.dtype[Any] = numpy.dtype(dtype)
        if self.dtype.hasobject:
            raise TypeError(f"an array of {self.dtype} cannot lie on a device")
        self.shape: tuple[int, ...] = (int(shape),) if not isinstance(shape, tuple) else tuple(int(n) for n in shape)
        if any(extent < 0 for extent in self.shape):
            raise ValueError(f"shape {self.shape}: extents cannot be negative")
        self.nbytes: int = self.dtype.itemsize
        for extent in self.shape:
            self.nbytes *= extent
        # An array without elements has an address too, of its own.
        self.address: int = call_for_number("wedjat_memory_allocate", device._handle, max(self.nbytes, 1),
                                            None if label is None else label.encode())
        self._end = weakref.finalize(self, library.wedjat_memory_free, device._handle, self.address)

    def numpy(self) -> numpy.ndarray[Any, Any]:
        """A copy on the host."""
        import numpy

        host = numpy.empty(self.shape, self.dtype)
        call("wedjat_memory_read", self.device._handle, self.address, host.ctypes.data, self.nbytes)
        return host

    def write(self, values: Any) -> None:
        """Copies an array of the same shape and dtype here."""
        import numpy

        host = numpy.ascontiguousarray(values)
        if host.dtype != self.dtype or host.size * host.itemsize != self.nbytes or (
                host.shape != self.shape and self.shape != ()):
            raise TypeError(f"an array of {host.dtype} with shape {host.shape} does not fit into one of {self.dtype} "
                            f"with shape {self.shape}")
        call("wedjat_memory_write", self.device._handle, self.address, host.ctypes.data, self.nbytes)

    def free(self) -> None:
        """Gives the memory back; again is well."""
        if self._end.alive:
            self._end.detach()
            call("wedjat_memory_free", self.device._handle, self.address)

    @property
    def freed(self) -> bool:
        """Whether it was given back, or its device closed."""
        return not self._end.alive or self.device.closed

    def __array__(self, dtype: Any = None, copy: Any = None) -> numpy.ndarray[Any, Any]:
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of no axis has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        state = " (freed)" if self.freed else ""
        return f"<wedjat.DeviceArray {self.dtype} {self.shape} at {self.address:#x}{state}>"
