"""Tools, and what they report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._library import call_for_json


@dataclass(frozen=True)
class ToolInfo:
    """A tool that can be named."""

    name: str
    summary: str
    options: str
    """As ``granularity=N; file=FILE``."""
    checks: bool
    """It finds errors: ``check=True`` means this one too."""
    path: str


def tools() -> dict[str, ToolInfo]:
    """The tools that there are, by name: Wedjat's own and those in ``$WEDJAT_TOOL_PATH``."""
    return {one["name"]: ToolInfo(**one) for one in call_for_json("wedjat_tools")}


@dataclass(frozen=True)
class Finding:
    """What a checker found."""

    severity: str
    """``error``, ``warning`` or ``info``."""
    kind: str
    message: str
    kernel: str
    instruction: str
    """As it is written in the PTX."""
    ptx_file: str
    ptx_line: int
    """From 1; 0: unknown."""
    source_file: str
    source_line: int
    cta: int
    """In the grid, from 0, x runs fastest."""
    thread: int
    """In the CTA, from 0, x runs fastest."""


@dataclass(frozen=True)
class ToolReport:
    """What one tool reports."""

    name: str
    tables: dict[str, list[dict[str, Any]]]
    """By title: rows, each a dict of cells (int, float, str) by column. A second table of a title is ``TITLE (2)``."""
    findings: list[Finding]
    """The first of them."""
    errors: int
    """All of them that were not suppressed."""
    warnings: int
    raw: dict[str, Any] = field(repr=False)
    """All of it, as ``wedjat replay --json`` prints it."""


def _tables(raw: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    tables: dict[str, list[dict[str, Any]]] = {}
    for table in raw:
        title, again = table["title"], 1
        while title in tables:
            again += 1
            title = f"{table['title']} ({again})"
        tables[title] = table["rows"]
    return tables


def _finding(raw: dict[str, Any]) -> Finding:
    return Finding(**{name: raw[name] for name in Finding.__dataclass_fields__})


class Report(Mapping[str, ToolReport]):
    """What the tools of a device or replay report, by name."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        """All of it, as ``wedjat replay --json`` prints it."""
        self._tools: dict[str, ToolReport] = {}
        for one in raw.get("tools", []):
            name, again = one["tool"], 1
            while name in self._tools:
                again += 1
                name = f"{one['tool']} ({again})"
            self._tools[name] = ToolReport(name, _tables(one["tables"]), [_finding(each) for each in one["findings"]],
                                           one["errors"], one["warnings"], one)

    def __getitem__(self, name: str) -> ToolReport:
        try:
            return self._tools[name]
        except KeyError:
            raise KeyError(f"no tool {name} reports here; these do: {', '.join(self._tools) or 'none'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def errors(self) -> int:
        """Errors that all tools found."""
        return sum(tool.errors for tool in self._tools.values())

    @property
    def findings(self) -> list[Finding]:
        """The first findings of all tools."""
        return [finding for tool in self._tools.values() for finding in tool.findings]

    def __repr__(self) -> str:
        return f"<wedjat.Report: {', '.join(self._tools) or 'no tools'}; {self.errors} errors>"
