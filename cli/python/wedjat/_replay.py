"""Replays of recordings."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _structs as s
from ._errors import Error
from ._interruption import interruptible
from ._library import error_of, library, taken_json, text
from ._options import RunOptions, Tools
from ._tools import Report

if TYPE_CHECKING:
    import numpy

_DTYPES = {"u8": "uint8", "i32": "int32", "i64": "int64", "f32": "float32", "f64": "float64"}


@dataclass(frozen=True)
class Difference:
    """Where a copy differs from what the hardware brought."""

    offset: int
    """Bytes before the first element that differs."""
    address: int
    """Of that element, on the device."""
    type: str
    """Which the elements are likely to have: ``u8``, ``i32``, ``i64``, ``f32`` or ``f64``."""
    expected: str
    """That element on the hardware, as ``1.5 (0x3fc00000)``."""
    got: str
    """The same here."""
    elements: int
    """How many differ."""
    largest_distance: int
    """Of floats: ulps; of integers: units."""


@dataclass(frozen=True)
class Copy:
    """What the hardware brought to the host, compared with what is here."""

    sequence: int
    """Of the driver call in the recording."""
    call: str
    """As ``cuMemcpyDtoH_v2``."""
    address: int
    """Where on the device the bytes come from."""
    nbytes: int
    """Compared."""
    differing_bytes: int
    kernels: tuple[str, ...]
    """Launched since the copy before, each once."""
    difference: Difference | None
    """None: all bytes are the same."""
    expected: numpy.ndarray[Any, Any] | None = field(default=None, repr=False)
    """All of the hardware's elements, of the likely type, if ``replay(contents=True)`` was asked, they differ, and the
    recording has them."""
    got: numpy.ndarray[Any, Any] | None = field(default=None, repr=False)
    """The same here."""


@dataclass(frozen=True)
class Launch:
    """A kernel that ran."""

    sequence: int
    """Of the driver call in the recording."""
    kernel: str
    seconds: float
    thread_instructions: int
    warp_instructions: int
    steps: int
    """Of warps, ends of blocks too."""
    native_steps: int
    """The part of them that native code ran."""


class Replay:
    """What a replay found.

    Attributes:
        verdict: ``exact``, ``differs``, …, as the command says.
        copies, launches: in the order of the recording.
        notes: what the program was granted to come to the hardware's results, and why.
        not_compared: contents that were compared with nothing, and why.
        tools: what tools report.
        raw: all of it, as ``wedjat replay --json`` prints it.
    """

    def __init__(self, raw: dict[str, Any], contents: dict[Any, tuple[Any, Any]]) -> None:
        self.raw = raw
        self.verdict: str = raw["verdict"]
        self.copies: list[Copy] = [_copy(one, contents.get((one["seq"], one["call"], one["address"]))) for one in raw["copies"]]
        self.launches: list[Launch] = [Launch(one["seq"], one["kernel"], one["seconds"], one["thread_instructions"],
                                one["warp_instructions"], one["steps"], one["native_steps"]) for one in raw["launches"]]
        self.notes: list[str] = raw["notes"]
        self.not_compared: list[str] = raw["not_compared"]
        self.tools: Report = Report(raw)

    @property
    def exact(self) -> bool:
        """All bits are the hardware's, and all was compared that was recorded."""
        return self.verdict == "exact"

    @property
    def differences(self) -> list[Copy]:
        """The copies that differ."""
        return [copy for copy in self.copies if copy.difference is not None]

    def __repr__(self) -> str:
        return (f"<wedjat.Replay: {self.verdict}; {len(self.copies)} copies, {len(self.differences)} of them differ, "
                f"{len(self.launches)} launches>")


def _copy(raw: dict[str, Any], contents: tuple[Any, Any] | None) -> Copy:
    first = raw.get("first")
    difference = None if first is None else Difference(first["offset"], first["address"], first["type"], first["expected"],
                                                       first["got"], first["differing_elements"], first["largest_ulps"])
    expected, got = contents or (None, None)
    return Copy(raw["seq"], raw["call"], raw["address"], raw["bytes"], raw["differing_bytes"], tuple(raw["kernels"]),
                difference, expected, got)


class _Told:
    """What callbacks are told while a replay goes on."""

    def __init__(self, contents: bool, progress: Callable[[int, int], object] | None) -> None:
        self.error: BaseException | None = None
        self.contents: dict[Any, tuple[Any, Any]] = {}
        self._progress = progress
        self.struct = s.WedjatReplayOptions(again=s.AGAIN(self._again))
        if progress is not None:
            self.struct.progress = s.PROGRESS(self._progressed)
        if contents:
            self.struct.difference = s.DIFFERENCE(self._difference)

    def _again(self, user: Any) -> None:
        self.contents.clear()

    def _difference(self, user: Any, copy: Any, expected: int, got: int) -> None:
        try:
            import numpy

            dtype = numpy.dtype(_DTYPES.get(text(copy.contents.type), "uint8"))
            count = copy.contents.bytes - copy.contents.bytes % dtype.itemsize

            def taken(address: int) -> numpy.ndarray[Any, Any]:
                return numpy.frombuffer(ctypes.string_at(address, count), dtype).copy()

            where = (copy.contents.sequence, text(copy.contents.call), copy.contents.address)
            self.contents[where] = (taken(expected), taken(got))
        except BaseException as error:  # noqa: BLE001
            self.error = self.error or error

    def _progressed(self, user: Any, done: int, everything: int) -> int:
        try:
            assert self._progress is not None
            self._progress(done, everything)
            return 0
        except BaseException as error:  # noqa: BLE001
            self.error = self.error or error
            return 1


def replay(trace: str | os.PathLike[str], *, threads: int = 0, jit: str = "auto", contract: str = "ptxas",
           step_limit: int = 0, launch_step_limit: int = 0, stack_limit: int = 0, tools: Tools = (), check: bool = False,
           fidelity: bool = False, suppressions: str | os.PathLike[str] | None = None,
           print: Callable[[str], object] | None = None, accept_flawed: bool = False, memory_limit: int = 0,
           contents: bool = False, progress: Callable[[int, int], object] | None = None) -> Replay:
    """Replays a recording (a folder, or a packed trace) and compares every result with the hardware's.

    Args:
        trace: written by ``wedjat record``.
        threads … print: as of :class:`Device`.
        accept_flawed: a trace that lost events is replayed as far as it goes.
        memory_limit: bytes that one copy or fill may take here; 0: as this machine allows.
        contents: of copies that differ, keep all elements.
        progress: is given the driver calls done and all of them, after each; what it raises ends the replay.

    Raises:
        BrokenInput: it is no trace, or a damaged one.
        Refused: it holds a call or a kernel that cannot be carried out.
        KernelFailed: a kernel did wrong; the exception's ``tools`` holds what tools found until then.
    """
    options = RunOptions(threads=threads, jit=jit, contract=contract, step_limit=step_limit,
                         launch_step_limit=launch_step_limit, stack_limit=stack_limit, tools=tools, check=check,
                         fidelity=fidelity, suppressions=suppressions, print=print)
    told = _Told(contents, progress)
    told.struct.run = ctypes.pointer(options.struct)
    told.struct.accept_flawed = bool(accept_flawed)
    told.struct.memory_limit = memory_limit
    place = ctypes.c_void_p()
    with interruptible():
        status = library.wedjat_replay(os.fsencode(trace), told.struct, ctypes.byref(place))
    error: Error | None = None if status == 0 else error_of(status)
    raw = taken_json(place) if place.value else {}
    if told.error is not None:
        raise told.error
    options.raise_error()
    if error is not None:
        error.tools = Report(raw)
        raise error
    return Replay(raw, told.contents if raw["differing_bytes"] else {})
