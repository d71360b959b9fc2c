"""Ctrl-C ends a launch or replay.

Python's own handler only notes the signal until the main thread comes back from the library. But it also writes a byte
to the wake-up descriptor at once: a thread that waits for it tells the library.
"""

from __future__ import annotations

import os
import signal
import threading
from types import TracebackType

from ._library import library

_lock = threading.Lock()
_ends: tuple[int, int] | None = None
_process = 0


def _wait(descriptor: int) -> None:
    while True:
        try:
            told = os.read(descriptor, 64)
        except OSError:
            return
        if not told:
            return
        if signal.SIGINT in told:
            library.wedjat_interrupt()


def _descriptor() -> int:
    """The one to write to; the thread that reads starts with the first use in a process."""
    global _ends, _process
    with _lock:
        if _ends is None or _process != os.getpid():
            _ends = os.pipe()
            _process = os.getpid()
            os.set_blocking(_ends[1], False)
            threading.Thread(target=_wait, args=(_ends[0],), name="wedjat-interruption", daemon=True).start()
        return _ends[1]


class interruptible:
    """While it lasts, Ctrl-C ends what the library runs. Only in the main thread, and only if nobody else wants the
    wake-up descriptor."""

    _before: int | None = None

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        before = signal.set_wakeup_fd(_descriptor(), warn_on_full_buffer=False)
        if before == -1:
            self._before = before
        else:
            signal.set_wakeup_fd(before)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.set_wakeup_fd(self._before)
