"""The structs of wedjat.h. tests/cli/python compares them with the header."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p

PRINT = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class Sized(ctypes.Structure):
    """One that says how large it is."""

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self.size = ctypes.sizeof(self)


class WedjatError(ctypes.Structure):
    _fields_ = [("status", c_int), ("call", c_char_p), ("message", c_char_p), ("file", c_char_p), ("line", c_uint32),
                ("column", c_uint32), ("kernel", c_char_p), ("fault", c_char_p), ("cta", c_uint64),
                ("thread", c_uint32)]


class WedjatRunOptions(Sized):
    _fields_ = [("size", c_size_t), ("threads", c_uint32), ("jit", c_uint32), ("contract", c_uint32),
                ("step_limit", c_uint64), ("launch_step_limit", c_uint64), ("stack_limit", c_uint64),
                ("tools", POINTER(c_char_p)), ("tool_count", c_size_t), ("check", c_uint32), ("fidelity", c_uint32),
                ("suppressions", c_char_p), ("jit_features", c_char_p), ("print", PRINT), ("print_user", c_void_p),
                ("warn", PRINT), ("warn_user", c_void_p), ("tool_print", PRINT), ("tool_print_user", c_void_p),
                ("jit_cache", c_char_p)]


class WedjatSource(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p), ("bytes", c_size_t)]


class WedjatVariable(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("type", c_char_p), ("address", c_uint64), ("bytes", c_uint64)]


class WedjatKernelInfo(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("file", c_char_p), ("line", c_uint32),
                ("parameter_count", c_uint32), ("parameter_bytes", c_uint64), ("required_block", c_uint32 * 3)]


class WedjatKernelNeeds(Sized):
    _fields_ = [("size", c_size_t), ("static_shared_bytes", c_uint32), ("constant_bytes", c_uint32),
                ("local_bytes", c_uint64), ("most_threads", c_uint32), ("ptx_version", c_uint32),
                ("required_cluster", c_uint32 * 3)]


class WedjatParameter(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("type", c_char_p), ("elements", c_uint64),
                ("offset", c_uint64), ("bytes", c_uint64), ("alignment", c_uint32), ("is_array", c_uint32),
                ("is_pointer", c_uint32)]


class WedjatLaunch(Sized):
    _fields_ = [("size", c_size_t), ("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("cluster", c_uint32 * 3),
                ("shared_bytes", c_uint32), ("cooperative", c_uint32)]


class WedjatArgument(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("bytes", c_size_t)]


class WedjatStatistics(Sized):
    _fields_ = [("size", c_size_t), ("seconds", c_double), ("thread_instructions", c_uint64),
                ("warp_instructions", c_uint64), ("steps", c_uint64), ("native_steps", c_uint64)]


class WedjatShape(Sized):
    _fields_ = [("size", c_size_t), ("format", c_uint32), ("channels", c_uint32), ("width", c_uint64),
                ("height", c_uint64), ("depth", c_uint64), ("layered", c_uint32), ("cube", c_uint32),
                ("levels", c_uint32)]


class WedjatSampler(Sized):
    _fields_ = [("size", c_size_t), ("beyond", c_uint32 * 3), ("linear", c_uint32), ("mip_linear", c_uint32),
                ("normalized", c_uint32), ("integers", c_uint32), ("srgb", c_uint32), ("seamless", c_uint32),
                ("max_anisotropy", c_uint32), ("mip_bias", c_float), ("min_level", c_float), ("max_level", c_float),
                ("border", c_float * 4)]


class WedjatCopy(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("sequence", c_uint64), ("call", c_char_p), ("address", c_uint64),
                ("bytes", c_uint64), ("differing_bytes", c_uint64), ("type", c_char_p),
                ("differing_elements", c_uint64), ("first_offset", c_uint64), ("expected", c_char_p),
                ("got", c_char_p), ("largest_distance", c_uint64), ("kernels", POINTER(c_char_p)),
                ("kernel_count", c_size_t)]


class WedjatLaunched(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("sequence", c_uint64), ("kernel", c_char_p), ("seconds", c_double),
                ("thread_instructions", c_uint64), ("warp_instructions", c_uint64), ("steps", c_uint64), ("native_steps", c_uint64)]


COPY = ctypes.CFUNCTYPE(None, c_void_p, POINTER(WedjatCopy))
LAUNCH = ctypes.CFUNCTYPE(None, c_void_p, POINTER(WedjatLaunched))
DIFFERENCE = ctypes.CFUNCTYPE(None, c_void_p, POINTER(WedjatCopy), c_void_p, c_void_p)
PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)
AGAIN = ctypes.CFUNCTYPE(None, c_void_p)


class WedjatReplayOptions(Sized):
    _fields_ = [("size", c_size_t), ("run", POINTER(WedjatRunOptions)), ("accept_flawed", c_uint32),
                ("memory_limit", c_uint64), ("user", c_void_p), ("copy", COPY), ("launch", LAUNCH),
                ("difference", DIFFERENCE), ("progress", PROGRESS), ("again", AGAIN)]
