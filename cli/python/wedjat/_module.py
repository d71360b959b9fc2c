"""Modules, kernels, launches."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Union

from . import _structs as s
from ._arguments import Arguments
from ._device import Device
from ._errors import Interrupted
from ._interruption import interruptible
from ._library import call, call_for_handle, library, text

Extent = Union[int, "tuple[int, ...]"]
"""``x``, ``(x, y)`` or ``(x, y, z)``."""


@dataclass(frozen=True)
class Variable:
    """A ``.global`` or ``.const`` variable of a module."""

    name: str
    type: str
    """Of an element, as PTX calls it: ``u32``, ``b8``, ``texref``."""
    address: int
    nbytes: int


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel."""

    kernel: str
    index: int
    """From 0."""
    name: str
    type: str
    """Of an element, as PTX calls it: ``u64``, ``f32``, ``b8``."""
    nbytes: int
    """Bytes that an argument has."""
    offset: int
    """Bytes before it in the kernel's parameters."""
    alignment: int
    """Bytes."""
    elements: int
    """1, or of an array: ``.param .b8 s[24]``, as a struct by value is."""
    is_array: bool
    is_pointer: bool
    """``.ptr`` says so; without it a pointer is a plain ``u64`` or ``b64``."""


@dataclass(frozen=True)
class Needs:
    """What a kernel needs whatever it is launched with."""

    static_shared_bytes: int
    constant_bytes: int
    local_bytes: int | None
    """Of a thread; None: known only when it runs."""
    most_threads: int
    """Of a CTA."""
    ptx_version: tuple[int, int]
    required_cluster: tuple[int, int, int] | None


@dataclass(frozen=True)
class Statistics:
    """Of a launch."""

    seconds: float
    """In the kernel."""
    thread_instructions: int
    warp_instructions: int
    steps: int
    """Of warps, ends of blocks too."""
    native_steps: int
    """The part of them that native code ran."""


@dataclass(frozen=True)
class _Known:
    """What a module knows of a kernel."""

    handle: int
    name: str
    file: str
    line: int
    required_block: tuple[int, ...] | None
    parameters: tuple[Parameter, ...]


def _known(handle: int) -> _Known:
    info = s.WedjatKernelInfo()
    call("wedjat_kernel_info", handle, ctypes.byref(info))
    name = text(info.name)
    parameters = []
    for index in range(info.parameter_count):
        told = s.WedjatParameter()
        call("wedjat_kernel_parameter", handle, index, ctypes.byref(told))
        parameters.append(Parameter(name, index, text(told.name), text(told.type), told.bytes, told.offset,
                                    told.alignment, told.elements, bool(told.is_array), bool(told.is_pointer)))
    block = tuple(info.required_block) if any(info.required_block) else None
    return _Known(handle, name, text(info.file), info.line, block, tuple(parameters))


class Module(Mapping[str, "Kernel"]):
    """PTX on a device: a mapping of its kernels by name.

    Args:
        ptx: the text; more texts are linked with it.
        name: what errors call the text (``ptx``); of several, the first.
        device: where it is loaded; None: a device of its own.
    """

    def __init__(self, ptx: str | bytes, *more: str | bytes, name: str | None = None,
                 device: Device | None = None) -> None:
        texts = [each.encode() if isinstance(each, str) else bytes(each) for each in (ptx, *more)]
        sources = (s.WedjatSource * len(texts))()
        for index, each in enumerate(texts):
            title = name if index == 0 else None
            sources[index] = s.WedjatSource(title.encode() if title else None, each, len(each))
        self.device: Device = Device() if device is None else device
        self._handle = call_for_handle("wedjat_module_load", self.device._handle, sources, len(texts))
        self._end = weakref.finalize(self, library.wedjat_module_free, self._handle)
        # Kernels hold their module, so it does not hold them.
        self._known = {kernel.name: kernel for kernel in self._all_kernels()}
        self._dtypes: dict[str, tuple[Any, ...]] = {}
        self.variables: dict[str, Variable] = {variable.name: variable for variable in self._all_variables()}
        """``.global`` and ``.const`` variables by name."""

    def _all_kernels(self) -> Iterator[_Known]:
        count = ctypes.c_size_t()
        call("wedjat_module_kernel_count", self._handle, ctypes.byref(count))
        for index in range(count.value):
            yield _known(call_for_handle("wedjat_module_kernel_at", self._handle, index))

    def _all_variables(self) -> Iterator[Variable]:
        count = ctypes.c_size_t()
        call("wedjat_module_variable_count", self._handle, ctypes.byref(count))
        for index in range(count.value):
            told = s.WedjatVariable()
            call("wedjat_module_variable_at", self._handle, index, ctypes.byref(told))
            yield Variable(text(told.name), text(told.type), told.address, told.bytes)

    def __getitem__(self, name: str) -> Kernel:
        try:
            return Kernel(self, self._known[name])
        except KeyError:
            raise KeyError(f"no kernel {name} in the module; it has {', '.join(self._known) or 'none'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def bind(self, variable: str, thing: Any) -> None:
        """Makes a ``.texref`` or ``.surfref`` variable mean this :class:`Texture` or :class:`Surface`."""
        device, handle = thing._wedjat_object()
        call("wedjat_module_bind", self._handle, variable.encode(), handle)

    def unload(self) -> None:
        """Frees the module, its variables and its kernels."""
        if self._end.detach():
            call("wedjat_module_free", self._handle)

    def __repr__(self) -> str:
        return f"<wedjat.Module: {', '.join(self._known) or 'no kernels'}>"


def _extents(what: str, extent: Extent) -> tuple[int, int, int]:
    extents = (extent,) if isinstance(extent, int) or not isinstance(extent, tuple) else extent
    if not 1 <= len(extents) <= 3:
        raise ValueError(f"{what} {extents} has {len(extents)} extents, from 1 to 3 are possible")
    numbers = []
    for each in extents:
        if isinstance(each, bool) or not hasattr(each, "__index__"):
            raise TypeError(f"{what} {extents}: extents are whole numbers")
        if not 0 < each.__index__() < 1 << 32:
            raise ValueError(f"{what} {extents}: an extent is at least 1 and at most 2**32-1")
        numbers.append(each.__index__())
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


class Kernel:
    """A kernel of a module: ``kernel[grid, block](arguments…)`` launches it.

    Attributes:
        name: as the PTX has it.
        file, line: where it is defined; lines count from 1.
        parameters: what it takes, in order.
        required_block: threads of a CTA, x y z, if ``.reqntid`` says so.
        module: where it belongs.
    """

    def __init__(self, module: Module, known: _Known) -> None:
        self.module = module
        self._handle = known.handle
        self.name: str = known.name
        self.file: str = known.file
        self.line: int = known.line
        self.required_block: tuple[int, ...] | None = known.required_block
        self.parameters: tuple[Parameter, ...] = known.parameters

    @property
    def dtypes(self) -> tuple[Any, ...]:
        """What :meth:`declare` said of each parameter; None: nothing."""
        return self.module._dtypes.get(self.name, (None,) * len(self.parameters))

    @property
    def needs(self) -> Needs:
        """Shared, constant and local memory, threads. Looks into the body: raises :class:`Refused` if it cannot be run."""
        told = s.WedjatKernelNeeds()
        call("wedjat_kernel_needs", self._handle, ctypes.byref(told))
        cluster = tuple(told.required_cluster)
        return Needs(told.static_shared_bytes, told.constant_bytes,
                     None if told.local_bytes == (1 << 64) - 1 else told.local_bytes, told.most_threads,
                     divmod(told.ptx_version, 10), cluster if any(cluster) else None)

    def declare(self, *dtypes: Any) -> Kernel:
        """Says what each parameter takes: for an array the dtype of its elements, for a number its own, None for any.
        From then on every launch checks it: PTX does not say what a pointer points to. Returns the kernel."""
        import numpy

        if len(dtypes) != len(self.parameters):
            raise TypeError(f"kernel {self.name} takes {len(self.parameters)} arguments, {len(dtypes)} dtypes are given")
        self.module._dtypes[self.name] = tuple(None if each is None else numpy.dtype(each) for each in dtypes)
        return self

    def __getitem__(self, shape: tuple[Any, ...]) -> Configured:
        """``kernel[grid, block]`` or ``kernel[grid, block, shared]``; each of grid (CTAs) and block (threads of a CTA) is x,
        (x, y) or (x, y, z), shared the bytes of dynamic shared memory."""
        if not isinstance(shape, tuple) or len(shape) not in (2, 3):
            raise TypeError(f"kernel {self.name} is launched as kernel[grid, block](…) or kernel[grid, block, shared](…)")
        return Configured(self, *shape)

    def launch(self, grid: Extent, block: Extent, *arguments: Any, shared: int = 0, cluster: Extent | None = None,
               cooperative: bool = False) -> Statistics:
        """Runs the kernel; it is over when this returns.

        Args:
            grid: CTAs.
            block: threads of a CTA.
            arguments: one for each parameter. Arrays of NumPy (and what shares memory as they do) are copied to the device
                and, if they can be written, back afterwards; a :class:`DeviceArray` stays where it is. Numbers have to fit.
            shared: bytes of dynamic shared memory.
            cluster: CTAs of a cluster.
            cooperative: the grid can synchronise.

        Raises:
            TypeError, OverflowError: an argument does not fit its parameter; nothing ran.
            Refused: the launch is beyond what the device can; nothing ran.
            KernelFailed: the kernel did wrong. Arrays of the host are as they were.
        """
        launch = s.WedjatLaunch(shared_bytes=_shared(shared), cooperative=bool(cooperative))
        launch.grid[:] = _extents("grid", grid)
        launch.block[:] = _extents("block", block)
        if cluster is not None:
            launch.cluster[:] = _extents("cluster", cluster)
        given = Arguments(self, arguments)
        try:
            given.place()
            return self._run(launch, given)
        finally:
            given.free()

    def _run(self, launch: s.WedjatLaunch, given: Arguments) -> Statistics:
        count = len(given.raw)
        buffers = [ctypes.create_string_buffer(raw, len(raw)) for raw in given.raw]
        packed = (s.WedjatArgument * max(count, 1))(
            *(s.WedjatArgument(ctypes.cast(buffer, ctypes.c_void_p), len(buffer)) for buffer in buffers))
        told = s.WedjatStatistics()
        options = self.module.device._options
        try:
            with interruptible():
                call("wedjat_kernel_launch", self._handle, ctypes.byref(launch), packed, count, ctypes.byref(told))
        except Interrupted:
            options.raise_error()
            raise
        given.bring_back()
        options.raise_error()
        return Statistics(told.seconds, told.thread_instructions, told.warp_instructions, told.steps, told.native_steps)

    def __repr__(self) -> str:
        takes = ", ".join(f".{each.type} {each.name}" for each in self.parameters)
        return f"<wedjat.Kernel {self.name}({takes})>"


def _shared(shared: int) -> int:
    if isinstance(shared, bool) or not hasattr(shared, "__index__") or not 0 <= shared.__index__() < 1 << 32:
        raise ValueError(f"shared is {shared!r}: bytes of shared memory are a whole number from 0 to 2**32-1")
    return shared.__index__()


class Configured:
    """A kernel with the shape of its launches: ``kernel[grid, block]``."""

    def __init__(self, kernel: Kernel, grid: Extent, block: Extent, shared: int = 0) -> None:
        self.kernel = kernel
        self.grid: tuple[int, int, int] = _extents("grid", grid)
        self.block: tuple[int, int, int] = _extents("block", block)
        self.shared: int = _shared(shared)

    def __call__(self, *arguments: Any) -> Statistics:
        """Launches it: :meth:`Kernel.launch`."""
        return self.kernel.launch(self.grid, self.block, *arguments, shared=self.shared)

    def __repr__(self) -> str:
        return f"<{self.kernel!r} with grid {self.grid} and block {self.block}>"
