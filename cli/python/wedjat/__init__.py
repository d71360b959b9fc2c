"""PTX on the CPU, with the bits of the hardware; no GPU is needed.

    import numpy as np, wedjat

    module = wedjat.Module(open("saxpy.ptx").read())
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    module["saxpy"][8, 128](y, x, 2.0, 1000)                     # y = 2 x + y

    replay = wedjat.replay("saxpy.trace", check=True)            # of a recording
    print(replay.verdict, replay.differences, replay.tools.errors)

Calls for one device happen one after the other, whichever threads ask; the interpreter's lock is free meanwhile.
"""

from __future__ import annotations

from ._bundle import BundleRun, Compared, run_bundle
from ._device import Device, DeviceArray, Memory
from ._errors import (BrokenInput, Error, Interrupted, InternalError, KernelFailed, OutOfMemory, Refused,
                      WrongArgument)
from ._library import library as _library
from ._module import Configured, Kernel, Module, Needs, Parameter, Statistics, Variable
from ._replay import Copy, Difference, Launch, Replay, replay
from ._textures import Array, Surface, Texture
from ._tools import Finding, Report, ToolInfo, ToolReport, tools

__version__: str = _library.wedjat_version().decode()

__all__ = [
    "Array", "BrokenInput", "BundleRun", "Compared", "Configured", "Copy", "Device", "DeviceArray", "Difference",
    "Error", "Finding", "Interrupted", "InternalError", "Kernel", "KernelFailed", "Launch", "Memory", "Module",
    "Needs", "OutOfMemory", "Parameter", "Refused", "Replay", "Report", "Statistics", "Surface", "Texture",
    "ToolInfo", "ToolReport", "Variable", "WrongArgument", "replay", "run_bundle", "tools",
]
