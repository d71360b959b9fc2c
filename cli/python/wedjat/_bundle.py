"""Launches that ``wedjat extract`` made folders."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._interruption import interruptible
from ._library import error_of, library, taken_json
from ._options import RunOptions, Tools
from ._tools import Report


@dataclass(frozen=True)
class Compared:
    """What the launch left, compared with what was expected."""

    what: str
    """``expected``: the emulator's values; ``hardware``: a GPU's; ``array 0``: texels."""
    nbytes: int
    """Compared."""
    differing_bytes: int
    first: int | None
    """The address of the first byte that differs; of texels: how far from the first one."""


@dataclass(frozen=True)
class BundleRun:
    """A launch that ran by itself."""

    kernel: str
    same: bool
    """Nothing differs."""
    compared: tuple[Compared, ...]
    thread_instructions: int
    warp_instructions: int
    tools: Report


def run_bundle(folder: str | os.PathLike[str], *, elsewhere: bool = False, threads: int = 0, jit: str = "auto",
               contract: str = "ptxas", step_limit: int = 0, launch_step_limit: int = 0, stack_limit: int = 0, tools: Tools = (),
               check: bool = False, fidelity: bool = False, suppressions: str | os.PathLike[str] | None = None,
               print: Callable[[str], object] | None = None) -> BundleRun:
    """Runs a launch that ``wedjat extract`` made a folder, and compares what it leaves.

    Args:
        folder: with ``manifest.json``.
        elsewhere: at other addresses than those of the recording.
        threads … print: as of :class:`Device`.

    Raises:
        BrokenInput: it is no such folder, or a damaged one.
        KernelFailed: the kernel did wrong.
        Refused: it is to run elsewhere, and nobody proved which of its words are addresses.
    """
    options = RunOptions(threads=threads, jit=jit, contract=contract, step_limit=step_limit,
                         launch_step_limit=launch_step_limit, stack_limit=stack_limit, tools=tools, check=check,
                         fidelity=fidelity, suppressions=suppressions, print=print)
    place = ctypes.c_void_p()
    with interruptible():
        call = library.wedjat_bundle_run_elsewhere if elsewhere else library.wedjat_bundle_run
        status = call(os.fsencode(folder), options.struct, ctypes.byref(place))
    raw: dict[str, Any] = taken_json(place) if place.value else {}
    options.raise_error()
    if status != 0:
        raise error_of(status)
    compared = tuple(Compared(one["what"], one["bytes"], one["differing_bytes"], one.get("first", {}).get("address"))
                     for one in raw["compared"])
    return BundleRun(raw["kernel"], raw["same"], compared, raw["thread_instructions"], raw["warp_instructions"],
                     Report(raw))
