"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """What the library says went wrong.

    Attributes:
        call: the function of libwedjat, as ``wedjat_kernel_launch``.
        file, line, column: the place in the PTX (as its source is called), or the trace; ``""`` and 0 if there is none.
            Lines and columns count from 1.
        kernel, fault: of a kernel that failed: its name, and what it did, as ``access out of bounds``; else ``""``.
        cta, thread: the first thread that failed: its CTA in the grid and its number there, both from 0, x runs fastest.
    """

    def __init__(self, message: str, *, call: str = "", file: str = "", line: int = 0, column: int = 0,
                 kernel: str = "", fault: str = "", cta: int = 0, thread: int = 0) -> None:
        super().__init__(message)
        self.call = call
        self.file = file
        self.line = line
        self.column = column
        self.kernel = kernel
        self.fault = fault
        self.cta = cta
        self.thread = thread
        self.tools: Any = None
        """Of a replay in which a kernel failed: the :class:`Report` of its tools."""


class WrongArgument(Error, ValueError):
    """A wrong value, name or option, or something that was freed."""


class BrokenInput(Error):
    """Text that is no PTX, a broken trace, a file that cannot be read or written."""


class Refused(Error):
    """An instruction, launch or amount of memory that cannot be carried out."""


class KernelFailed(Error):
    """The kernel did what it may not: out of bounds, misaligned, deadlock, assert, trap.

    Its device is broken then, as a CUDA context is: it can only report and be closed.
    """


class OutOfMemory(Error, MemoryError):
    """This machine has not enough memory."""


class Interrupted(Error):
    """The launch or replay was ended from outside."""


class InternalError(Error):
    """A bug in Wedjat."""


BY_STATUS: dict[int, type[Error]] = {
    2: WrongArgument,
    3: BrokenInput,
    4: Refused,
    5: KernelFailed,
    9: OutOfMemory,
    10: Interrupted,
    11: InternalError,
}
