"""What launches and replays have in common."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Union

from . import _structs as s

Tools = Union[str, Iterable[str], Mapping[str, Mapping[str, object]]]
"""``"race_check"``, ``["race_check", "memory_trace,file=t.mem"]`` or ``{"memory_trace": {"file": "t.mem"}}``."""

_JIT = {"auto": 0, "off": 1, "all": 2}
_CONTRACT = {"ptxas": 0, "none": 1}


def _one_of(what: str, value: str, known: Mapping[str, int]) -> int:
    if value not in known:
        raise ValueError(f"{what} is {value!r}: it has to be one of {', '.join(map(repr, known))}")
    return known[value]


def _number(what: str, value: int, bits: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << bits:
        raise ValueError(f"{what} is {value!r}: it has to be a whole number from 0 to 2**{bits}-1")
    return value


def _specs(tools: Tools) -> list[bytes]:
    if isinstance(tools, str):
        return [tools.encode()]
    if isinstance(tools, Mapping):
        return [",".join([name, *(f"{key}={1 if value is True else value}" for key, value in options.items())]).encode()
                for name, options in tools.items()]
    return [tool.encode() for tool in tools]


class RunOptions:
    """The struct, with what it refers to."""

    def __init__(self, *, threads: int = 0, jit: str = "auto", contract: str = "ptxas", step_limit: int = 0,
                 launch_step_limit: int = 0, stack_limit: int = 0, tools: Tools = (), check: bool = False,
                 fidelity: bool = False, suppressions: str | os.PathLike[str] | None = None,
                 print: Callable[[str], object] | None = None) -> None:
        specs = _specs(tools)
        self.error: BaseException | None = None
        self._write = print
        self._rest = b""
        self._specs = (ctypes.c_char_p * max(len(specs), 1))(*specs)
        self._print = s.PRINT(self._printed)
        self.struct = s.WedjatRunOptions(
            threads=_number("threads", threads, 32), jit=_one_of("jit", jit, _JIT),
            contract=_one_of("contract", contract, _CONTRACT), step_limit=_number("step_limit", step_limit, 64),
            launch_step_limit=_number("launch_step_limit", launch_step_limit, 64),
            stack_limit=_number("stack_limit", stack_limit, 64), tools=self._specs, tool_count=len(specs),
            check=bool(check), fidelity=bool(fidelity),
            suppressions=None if suppressions is None else os.fsencode(suppressions), print=self._print)

    def _printed(self, user: int | None, text: int | None, count: int) -> None:
        """Called by the library, from any thread. Exceptions cannot pass through it: they are raised later."""
        try:
            whole = self._rest + ctypes.string_at(text or 0, count)
            try:
                shown, self._rest = whole.decode("utf-8"), b""
            except UnicodeDecodeError as error:
                unfinished = error.reason == "unexpected end of data"
                shown = whole[:error.start].decode("utf-8") if unfinished else whole.decode("utf-8", "replace")
                self._rest = whole[error.start:] if unfinished else b""
            (self._write or sys.stdout.write)(shown)
        except BaseException as error:  # noqa: BLE001
            self.error = self.error or error

    def raise_error(self) -> None:
        """Raises what `print` raised."""
        error, self.error = self.error, None
        if error is not None:
            raise error
