"""Arrays of texels, textures and surfaces."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from . import _structs as s
from ._device import Device
from ._library import call, call_for_handle, call_for_number, library

if TYPE_CHECKING:
    import numpy

_FORMATS = {"uint8": 0, "uint16": 1, "uint32": 2, "int8": 3, "int16": 4, "int32": 5, "float16": 6, "float32": 7}
_BEYOND = {"clamp": 0, "wrap": 1, "mirror": 2, "border": 3}


class Array:
    """Texels for textures and surfaces (cuArrayCreate).

    Args:
        device: where.
        texels: a NumPy array of shape (width,), (height, width) or (depth, height, width), with the channels of a texel (1, 2
            or 4) as one axis more, the last, if ``channels`` is not 1. Its dtype is a channel's: ``uint8``, ``uint16``,
            ``uint32``, ``int8``, ``int16``, ``int32``, ``float16`` or ``float32``.
        channels: channels of a texel.
        layered: the first axis counts layers.
        cube: the first axis counts faces.
        levels: of a mipmapped array; ``texels`` are level 0, :meth:`write` sets the others.
    """

    def __init__(self, device: Device, texels: Any, *, channels: int = 1, layered: bool = False, cube: bool = False,
                 levels: int = 1) -> None:
        import numpy

        host = numpy.ascontiguousarray(texels)
        if host.dtype.name not in _FORMATS:
            raise TypeError(f"texels of {host.dtype}: a channel is one of {', '.join(_FORMATS)}")
        extents = host.shape if channels == 1 else host.shape[:-1]
        if channels != 1 and (host.ndim < 2 or host.shape[-1] != channels):
            raise ValueError(f"texels of {channels} channels: the last axis of shape {host.shape} has to count them")
        if not 1 <= len(extents) <= 3:
            raise ValueError(f"texels with shape {host.shape}: they lie along 1 to 3 axes")
        width, height, depth = (*reversed(extents), 0, 0)[:3]
        if layered and not cube and len(extents) == 2:  # layers of lines
            height, depth = 0, height
        self.device = device
        self.dtype: numpy.dtype[Any] = host.dtype
        self._handle = call_for_handle(
            "wedjat_array_create", device._handle,
            s.WedjatShape(format=_FORMATS[host.dtype.name], channels=channels, width=width, height=height, depth=depth,
                          layered=layered, cube=cube, levels=levels))
        self._end = weakref.finalize(self, library.wedjat_array_free, self._handle)
        self.shape: tuple[int, ...] = host.shape
        self.write(host)

    def write(self, texels: Any, level: int = 0) -> None:
        """Sets all texels of a level."""
        import numpy

        host = numpy.ascontiguousarray(texels)
        if host.dtype != self.dtype:
            raise TypeError(f"texels of {host.dtype}, the array has {self.dtype}")
        call("wedjat_array_write", self._handle, level, host.ctypes.data, host.nbytes)

    def numpy(self, level: int = 0) -> numpy.ndarray[Any, Any]:
        """A copy of a level: level 0 in the shape it was made of, others flat."""
        import numpy

        nbytes = call_for_number("wedjat_array_bytes", self._handle, level)
        host = numpy.empty(nbytes // self.dtype.itemsize, self.dtype)
        call("wedjat_array_read", self._handle, level, host.ctypes.data, nbytes)
        return host.reshape(self.shape) if level == 0 else host


class _Object:
    """What a kernel takes as a handle of 64 bits."""

    def __init__(self, array: Array, handle: int) -> None:
        self.array = array
        self.handle = handle
        self._end = weakref.finalize(self, library.wedjat_object_free, array.device._handle, handle)

    def _wedjat_object(self) -> tuple[Device, int]:
        return self.array.device, self.handle


class Texture(_Object):
    """A texture object: kernels take it as their .u64 argument.

    Args:
        array: its texels.
        beyond: what lies beyond the edge: ``"clamp"``, ``"wrap"``, ``"mirror"`` or ``"border"``.
        linear, mip_linear: between texels, between levels, instead of the nearest.
        normalized: coordinates from 0 to 1 instead of texels.
        integers: integers stay integers; else those of 8 and 16 bits become 0..1 or -1..1.
        srgb, seamless: as in CUDA_TEXTURE_DESC.
        border: four channels of ``"border"``.
    """

    def __init__(self, array: Array, *, beyond: str = "clamp", linear: bool = False, mip_linear: bool = False,
                 normalized: bool = False, integers: bool = False, srgb: bool = False, seamless: bool = False,
                 border: tuple[float, float, float, float] = (0, 0, 0, 0)) -> None:
        if beyond not in _BEYOND:
            raise ValueError(f"beyond is {beyond!r}: it has to be one of {', '.join(map(repr, _BEYOND))}")
        sampler = s.WedjatSampler(linear=linear, mip_linear=mip_linear, normalized=normalized, integers=integers,
                                  srgb=srgb, seamless=seamless)
        sampler.beyond[:] = [_BEYOND[beyond]] * 3
        sampler.border[:] = border
        super().__init__(array, call_for_number("wedjat_texture_create", array._handle, sampler))


class Surface(_Object):
    """A surface object of the first level of an array: kernels take it as their .u64 argument, and write its texels."""

    def __init__(self, array: Array) -> None:
        super().__init__(array, call_for_number("wedjat_surface_create", array._handle))
