#!/usr/bin/env python3
"""When CTAs begin and end, by the clocks of an H200 and by the model: `stamps.py WEDJAT` prints a table. `measured/` holds the clocks and the recording."""

import os
import statistics
import sys
from collections import defaultdict

import accuracy


def hardware():
    """Of every launch and CTA: its SM, the first clock and the last of its warps. A clock that was not read is 0 or left from another kernel."""
    found = {}
    for line in accuracy.unpacked("stamps.tsv.zst").splitlines():
        kernel, turn, cta, _, sm, *clocks = line.split("\t")
        clocks = [int(clock) for clock in clocks][:2 if kernel.startswith("add") else 3]
        _, begin, end = found.setdefault((kernel, turn), {}).get(cta, (sm, clocks[0], 0))
        found[kernel, turn][cta] = sm, min(begin, clocks[0]), max(end, clocks[-1])
    return found


def model(wedjat):
    found = defaultdict(dict)
    path = os.path.join(accuracy.ROOM, "measured", "stamps.tar.zst")
    for row in accuracy.tables([os.path.abspath(wedjat), "replay", path, "--json", "--tool", "launch_time,clocks=1"])["clocks"]:
        begin, end = found[row["launch"]].get(str(row["cta"]), (row["cycle"], 0))
        found[row["launch"]][str(row["cta"])] = min(begin, row["cycle"]), max(end, row["cycle"])
    return [found[launch] for launch in sorted(found)]


def main():
    print("| kernel, turn | CTAs | last begins behind the first of its SM: measured | predicted | a CTA takes: measured | predicted | median error | 90 of 100 below |")
    print("|---|---|---|---|---|---|---|---|")
    for ((kernel, turn), real), foretold in zip(hardware().items(), model(sys.argv[1]), strict=True):
        first = defaultdict(lambda: float("inf"))
        for sm, begin, _ in real.values():
            first[sm] = min(first[sm], begin)
        late = max(begin - first[sm] for sm, begin, _ in real.values())
        foretold_late = max(begin for begin, _ in foretold.values()) - min(begin for begin, _ in foretold.values())
        took, says = [end - begin for _, begin, end in real.values()], [foretold[cta][1] - foretold[cta][0] for cta in real]
        errors = sorted(abs(b - a) / a for a, b in zip(took, says))
        print(f"| `{kernel}`, {int(turn) + 1} | {len(real)} | {late} | {foretold_late:.0f} | {statistics.median(took):.0f} | {statistics.median(says):.0f} | "
              f"{statistics.median(errors):.1%} | {errors[len(errors) * 9 // 10]:.1%} |".replace("%", " %"))


if __name__ == "__main__":
    main()
