"""The fixture ``wedjat_device``: a device of its own for each test.

    def test_saxpy(wedjat_device):
        module = wedjat_device.module(ptx)

    @pytest.mark.wedjat(tools=["race_check"], threads=1)       # options of wedjat.Device
    def test_more(wedjat_device): ...

With ``--wedjat-check`` every checker watches all of them. A test whose tools found errors fails at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from . import Device, Report


def pytest_addoption(parser: Any) -> None:
    """The options of the plugin."""
    group = parser.getgroup("wedjat")
    group.addoption("--wedjat-check", action="store_true", help="every checker watches each wedjat_device")


def pytest_configure(config: Any) -> None:
    """The marker of the plugin."""
    config.addinivalue_line("markers", "wedjat(**options): options of the test's wedjat_device, those of wedjat.Device")


def _told(report: Report) -> str:
    lines = [f"the tools of wedjat_device found {report.errors} error{'s' if report.errors != 1 else ''}"]
    for name, tool in report.items():
        for finding in tool.findings:
            if finding.severity == "error":
                lines.append(f"{name} [{finding.kind}]: {finding.message}")
                lines.append(f"  kernel {finding.kernel}, {finding.ptx_file}:{finding.ptx_line} {finding.instruction!r}, "
                             f"CTA {finding.cta} thread {finding.thread}")
    return "\n".join(lines)


@pytest.fixture
def wedjat_device(request: Any) -> Iterator[Device]:
    """A :class:`wedjat.Device` for this test alone, closed after it."""
    import wedjat

    options: dict[str, Any] = {}
    for mark in reversed(list(request.node.iter_markers("wedjat"))):
        options.update(mark.kwargs)
    if request.config.getoption("--wedjat-check"):
        options["check"] = True
    with wedjat.Device(**options) as device:
        yield device
        if not device.closed:
            report = device.report()
            if report.errors:
                pytest.fail(_told(report), pytrace=False)
