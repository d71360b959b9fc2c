"""Python values as arguments of kernels: what fits a parameter, and where arrays lie while the kernel runs."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._device import Device, DeviceArray
from ._errors import WrongArgument
from ._library import call, call_for_number, library

if TYPE_CHECKING:
    from ._module import Kernel, Parameter

_FLOATS = {"f16": "e", "f32": "f", "f64": "d"}


def _name(value: object) -> str:
    kind = type(value).__name__
    dtype = getattr(value, "dtype", None)
    return f"{kind} of {dtype}" if dtype is not None and hasattr(value, "shape") and value.shape else kind


def _wrong(parameter: Parameter, value: object, why: str) -> TypeError:
    return TypeError(f"parameter {parameter.index} ({parameter.name}, .{parameter.type}) of kernel "
                     f"{parameter.kernel}: {why}, {_name(value)} is given")


def _integer(parameter: Parameter, value: int) -> bytes:
    bits = 8 * parameter.nbytes
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise OverflowError(f"parameter {parameter.index} ({parameter.name}, .{parameter.type}) of kernel "
                            f"{parameter.kernel}: {value} does not fit into {bits} bits")
    return (value & ((1 << bits) - 1)).to_bytes(parameter.nbytes, "little")


def _scalar(parameter: Parameter, value: Any) -> bytes | None:
    """A number of Python; None: it is none."""
    if isinstance(value, (bool, int)) and type(value).__module__ == "builtins":
        if parameter.type in _FLOATS:
            return struct.pack("<" + _FLOATS[parameter.type], float(value))
        return _integer(parameter, int(value))
    if isinstance(value, float) and type(value).__module__ == "builtins":
        if parameter.type not in _FLOATS:
            raise _wrong(parameter, value, f"it takes a whole number of {parameter.nbytes} bytes")
        try:
            return struct.pack("<" + _FLOATS[parameter.type], value)
        except OverflowError:
            if parameter.type == "f32":  # as a conversion on the device: too large is infinite
                return struct.pack("<f", float("inf") if value > 0 else float("-inf"))
            raise OverflowError(f"parameter {parameter.index} ({parameter.name}): {value} is out of range") from None
    return None


def _typed_scalar(parameter: Parameter, value: Any) -> bytes | None:
    """A number that has a size: of NumPy, or of ctypes."""
    if isinstance(value, ctypes._SimpleCData):
        raw, is_float = bytes(value), isinstance(value, (ctypes.c_float, ctypes.c_double))
    elif hasattr(value, "dtype") and hasattr(value, "tobytes") and getattr(value, "shape", None) == ():
        if type(value).__name__ == "ndarray":
            raise _wrong(parameter, value, "an array without an axis may be meant as a number, array[()], or as memory, "
                                           "array.reshape(1)")
        if value.dtype.kind not in "biuf":
            return None
        raw, is_float = value.tobytes(), value.dtype.kind == "f"
        if not value.dtype.isnative:
            raise _wrong(parameter, value, "its bytes are in the other order")
    else:
        return None
    if len(raw) != parameter.nbytes:
        raise _wrong(parameter, value, f"it has {parameter.nbytes} bytes, the value {len(raw)}")
    if is_float != (parameter.type in _FLOATS) and not parameter.type.startswith("b"):
        kind = "a float" if parameter.type in _FLOATS else "a whole number"
        raise _wrong(parameter, value, f"it takes {kind} of {parameter.nbytes} bytes")
    return raw


def _raw(parameter: Parameter, value: Any) -> bytes | None:
    """A struct by value."""
    if isinstance(value, (bytes, bytearray)):
        raw = bytes(value)
    elif isinstance(value, (ctypes.Structure, ctypes.Union)):
        raw = bytes(value)
    elif hasattr(value, "dtype") and getattr(value, "shape", None) == () and value.dtype.kind == "V":
        raw = value.tobytes()
    else:
        return None
    if len(raw) != parameter.nbytes:
        raise _wrong(parameter, value, f"it has {parameter.nbytes} bytes, the value {len(raw)}")
    return raw


@dataclass
class _Host:
    """Memory of a NumPy array, [begin, end)."""

    array: Any
    begin: int
    end: int
    argument: int


class Arguments:
    """What one launch is given. Arrays of the host are copied to the device before it, and back after it; those that
    overlap stay one piece of memory."""

    def __init__(self, kernel: Kernel, values: tuple[Any, ...]) -> None:
        if len(values) != len(kernel.parameters):
            raise TypeError(f"kernel {kernel.name} takes {len(kernel.parameters)} arguments, {len(values)} are given")
        self._device: Device = kernel.module.device
        self._hosts: list[_Host] = []
        self._pieces: list[tuple[int, int, int]] = []  # begin, end, address
        self.raw = [self._bytes(parameter, value, kernel.dtypes[parameter.index])
                    for parameter, value in zip(kernel.parameters, values)]

    def _bytes(self, parameter: Parameter, value: Any, dtype: Any) -> bytes:
        if isinstance(value, DeviceArray):
            return self._device_array(parameter, value, dtype)
        if hasattr(value, "_wedjat_object"):
            return self._object(parameter, value)
        if parameter.is_array:
            raw = _raw(parameter, value)
            if raw is None:
                raise _wrong(parameter, value, f"it takes {parameter.nbytes} bytes by value: bytes, a ctypes.Structure or "
                                               "a structured NumPy scalar")
            return raw
        if dtype is not None and getattr(value, "shape", ()) == () and getattr(value, "dtype", dtype) != dtype:
            raise _wrong(parameter, value, f"it was declared to take {dtype}")
        for convert in (_scalar, _typed_scalar):
            raw = convert(parameter, value)
            if raw is not None:
                return raw
        return self._host_array(parameter, value, dtype)

    def _check_pointer(self, parameter: Parameter, value: Any) -> None:
        if parameter.nbytes != 8 or parameter.type == "f64":
            raise _wrong(parameter, value, "it takes a number, no address")

    def _check_dtype(self, parameter: Parameter, value: Any, dtype: Any) -> None:
        if dtype is not None and value.dtype != dtype:
            raise _wrong(parameter, value, f"it was declared to take an array of {dtype}")

    def _device_array(self, parameter: Parameter, value: DeviceArray, dtype: Any) -> bytes:
        self._check_pointer(parameter, value)
        self._check_dtype(parameter, value, dtype)
        if value.device is not self._device:
            raise WrongArgument(f"parameter {parameter.index} ({parameter.name}) of kernel {parameter.kernel}: the array "
                                "lies on another device")
        if value.freed:
            raise WrongArgument(f"parameter {parameter.index} ({parameter.name}) of kernel {parameter.kernel}: the array "
                                "was freed")
        return value.address.to_bytes(8, "little")

    def _object(self, parameter: Parameter, value: Any) -> bytes:
        self._check_pointer(parameter, value)
        device, handle = value._wedjat_object()
        if device is not self._device:
            raise WrongArgument(f"parameter {parameter.index} ({parameter.name}) of kernel {parameter.kernel}: the texture "
                                "or surface belongs to another device")
        return int(handle).to_bytes(8, "little")

    def _host_array(self, parameter: Parameter, value: Any, dtype: Any) -> bytes:
        array = _as_array(value)
        if array is None:
            raise _wrong(parameter, value, "it takes a NumPy array, an array of the device or a number")
        self._check_pointer(parameter, value)
        self._check_dtype(parameter, array, dtype)
        if array.dtype.hasobject:
            raise _wrong(parameter, value, "objects of Python cannot go to a device")
        if not array.dtype.isnative:
            raise _wrong(parameter, value, "bytes are in the other order: array.astype(array.dtype.newbyteorder('='))")
        if not (array.flags.c_contiguous or array.flags.f_contiguous):
            raise _wrong(parameter, value, "there are gaps between elements: numpy.ascontiguousarray(array)")
        begin = array.ctypes.data
        if array.nbytes != 0:
            self._hosts.append(_Host(array, begin, begin + array.nbytes, parameter.index))
        return bytes(8)  # until place() knows better

    def place(self) -> None:
        """Allocates memory for arrays of the host, and copies them there."""
        merged: list[list[int]] = []
        for host in sorted(self._hosts, key=lambda each: each.begin):
            if merged and host.begin < merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], host.end)
            else:
                merged.append([host.begin, host.end])
        handle = self._device._handle
        for begin, end in merged:
            address = call_for_number("wedjat_memory_allocate", handle, end - begin, b"an array of the host")
            self._pieces.append((begin, end, address))
            call("wedjat_memory_write", handle, address, begin, end - begin)
        for host in self._hosts:
            self.raw[host.argument] = self._address(host.begin).to_bytes(8, "little")

    def _address(self, begin: int) -> int:
        return next(address + begin - first for first, end, address in self._pieces if first <= begin < end)

    def bring_back(self) -> None:
        """What the kernel left in arrays that can be written."""
        for host in self._hosts:
            if host.array.flags.writeable:
                call("wedjat_memory_read", self._device._handle, self._address(host.begin), host.begin,
                     host.end - host.begin)

    def free(self) -> None:
        """Gives the memory back. Of a broken device it goes with the device."""
        for _, _, address in self._pieces:
            library.wedjat_memory_free(self._device._handle, address)
        self._pieces.clear()


def _as_array(value: Any) -> Any:
    """The NumPy array, or one that shares the memory of what has the buffer protocol or __array_interface__; None."""
    import numpy

    if isinstance(value, (numpy.ndarray, str, bytes, numpy.generic)):
        return value if isinstance(value, numpy.ndarray) else None
    if hasattr(value, "__array_interface__"):
        return numpy.asarray(value)
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        return None
