"""libwedjat through ctypes: finding it, its functions, its errors."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from . import _structs as s
from ._errors import BY_STATUS, Error

ABI = 1

# What /proc/cpuinfo calls otherwise.
_FLAGS = {"sse3": "pni", "lzcnt": "abm", "sha": "sha_ni", "avx512_ifma": "avx512ifma", "avx512_vbmi": "avx512vbmi"}


def _missing(variant: pathlib.Path) -> list[str]:
    """What this processor lacks of those features that the variant was compiled for."""
    features = variant / "features.txt"
    if not features.exists():
        return []
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
        flags = next((line.split(":")[1].split() for line in info if line.startswith("flags")), [])
    wanted = features.read_text(encoding="utf-8").lower().split()
    return [feature for feature in wanted if _FLAGS.get(feature, feature) not in flags]


def _find() -> str:
    """$WEDJAT_LIBRARY; else the best variant of the wheel that this processor can run; else the system's."""
    given = os.environ.get("WEDJAT_LIBRARY")
    if given:
        return given
    lacking: dict[str, list[str]] = {}
    for variant in sorted((pathlib.Path(__file__).parent / "native").glob("*"), reverse=True):
        lacking[variant.name] = _missing(variant)
        if not lacking[variant.name]:
            return str(variant / "lib" / "libwedjat.so.1")
    if lacking:
        told = "; ".join(f"{name} needs {', '.join(features)}" for name, features in lacking.items())
        raise ImportError(f"wedjat: this processor is a lesser one than this wheel was built for: {told}")
    return "libwedjat.so.1"


def _load() -> ctypes.CDLL:
    path = _find()
    try:
        library = ctypes.CDLL(path)
        abi = library.wedjat_library_abi()
    except (OSError, AttributeError) as error:
        raise ImportError(f"wedjat: the library cannot be loaded: {error}") from error
    if abi != ABI:
        raise ImportError(f"wedjat: {path} has ABI {abi}, this package was written for {ABI}")
    return library


library = _load()

_ADDRESS = POINTER(c_uint64)
_TEXT = POINTER(c_void_p)  # freed by address
_SIGNATURES: dict[str, list[Any]] = {
    "wedjat_device_create": [POINTER(s.WedjatRunOptions), POINTER(c_void_p)],
    "wedjat_device_free": [c_void_p],
    "wedjat_memory_allocate": [c_void_p, c_uint64, c_char_p, _ADDRESS],
    "wedjat_memory_free": [c_void_p, c_uint64],
    "wedjat_memory_write": [c_void_p, c_uint64, c_void_p, c_uint64],
    "wedjat_memory_read": [c_void_p, c_uint64, c_void_p, c_uint64],
    "wedjat_memory_copy": [c_void_p, c_uint64, c_uint64, c_uint64],
    "wedjat_memory_fill": [c_void_p, c_uint64, c_void_p, c_uint32, c_uint64],
    "wedjat_module_load": [c_void_p, POINTER(s.WedjatSource), c_size_t, POINTER(c_void_p)],
    "wedjat_module_free": [c_void_p],
    "wedjat_module_variable_count": [c_void_p, POINTER(c_size_t)],
    "wedjat_module_variable_at": [c_void_p, c_size_t, POINTER(s.WedjatVariable)],
    "wedjat_module_kernel_count": [c_void_p, POINTER(c_size_t)],
    "wedjat_module_kernel_at": [c_void_p, c_size_t, POINTER(c_void_p)],
    "wedjat_module_bind": [c_void_p, c_char_p, c_uint64],
    "wedjat_kernel_info": [c_void_p, POINTER(s.WedjatKernelInfo)],
    "wedjat_kernel_needs": [c_void_p, POINTER(s.WedjatKernelNeeds)],
    "wedjat_kernel_parameter": [c_void_p, c_size_t, POINTER(s.WedjatParameter)],
    "wedjat_kernel_launch": [c_void_p, POINTER(s.WedjatLaunch), POINTER(s.WedjatArgument), c_size_t,
                             POINTER(s.WedjatStatistics)],
    "wedjat_array_create": [c_void_p, POINTER(s.WedjatShape), POINTER(c_void_p)],
    "wedjat_array_free": [c_void_p],
    "wedjat_array_bytes": [c_void_p, c_uint32, _ADDRESS],
    "wedjat_array_write": [c_void_p, c_uint32, c_void_p, c_uint64],
    "wedjat_array_read": [c_void_p, c_uint32, c_void_p, c_uint64],
    "wedjat_texture_create": [c_void_p, POINTER(s.WedjatSampler), _ADDRESS],
    "wedjat_surface_create": [c_void_p, _ADDRESS],
    "wedjat_object_free": [c_void_p, c_uint64],
    "wedjat_tools": [_TEXT],
    "wedjat_device_report": [c_void_p, _TEXT],
    "wedjat_bundle_run": [c_char_p, POINTER(s.WedjatRunOptions), _TEXT],
    "wedjat_bundle_run_elsewhere": [c_char_p, POINTER(s.WedjatRunOptions), _TEXT],
    "wedjat_replay": [c_char_p, POINTER(s.WedjatReplayOptions), _TEXT],
}
for _name, _types in _SIGNATURES.items():
    getattr(library, _name).argtypes = _types
    getattr(library, _name).restype = c_int
library.wedjat_last_error.restype = POINTER(s.WedjatError)
library.wedjat_version.restype = c_char_p
library.wedjat_text_free.argtypes = [c_void_p]
library.wedjat_text_free.restype = None
library.wedjat_interrupt.restype = None


def text(raw: bytes | None) -> str:
    """Text of the library."""
    return (raw or b"").decode("utf-8", errors="replace")


def error_of(status: int) -> Error:
    """The calling thread's last error, which had this status."""
    error = library.wedjat_last_error().contents
    return BY_STATUS.get(status, Error)(
        text(error.message), call=text(error.call), file=text(error.file), line=error.line, column=error.column,
        kernel=text(error.kernel), fault=text(error.fault), cta=error.cta, thread=error.thread)


def call(name: str, *arguments: Any) -> None:
    """Calls the function; raises what it says went wrong."""
    status = getattr(library, name)(*arguments)
    if status != 0:
        raise error_of(status)


def call_for_handle(name: str, *arguments: Any) -> int:
    """The same for a function whose last argument is a place for a handle, which is returned."""
    handle = c_void_p()
    call(name, *arguments, byref(handle))
    return handle.value or 0


def call_for_number(name: str, *arguments: Any) -> int:
    """The same for an address or a number of bytes."""
    number = c_uint64()
    call(name, *arguments, byref(number))
    return number.value


def taken_json(place: c_void_p) -> Any:
    """JSON that the library gave; frees it."""
    try:
        return json.loads(ctypes.string_at(place.value or 0))
    finally:
        library.wedjat_text_free(place)


def call_for_json(name: str, *arguments: Any) -> Any:
    """The same for a function whose last argument is a place for JSON."""
    place = c_void_p()
    call(name, *arguments, byref(place))
    return taken_json(place)
