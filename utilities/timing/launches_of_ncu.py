#!/usr/bin/env python3
"""Launches as ncu wrote them, as a table: `launches_of_ncu.py CSV > launches.tsv`. A line `### SUITE.PROGRAM STATUS` stands before the rows of each program."""

import csv
import sys

COLUMNS = {
    "kernel": "Kernel Name", "grid": "Grid Size", "block": "Block Size", "registers": "launch__registers_per_thread", "cycles": "sm__cycles_active.max",
    "elapsed": "sm__cycles_elapsed.max", "nanoseconds": "gpu__time_duration.sum", "instructions": "smsp__inst_executed.sum", "device_bytes": "dram__bytes.sum"}


def rows(path):
    """Program, number of the launch in it, and what was measured."""
    program, lines = None, []
    for line in [*open(path), "### end 0"]:
        if line.startswith("### "):
            for number, row in enumerate(list(csv.DictReader(lines))[1:]):  # the first one has the units
                yield program, number, [row[name].replace(",", "").replace(" ", "x").strip("()") if "Size" not in name else shape(row[name]) for name in COLUMNS.values()]
            program, lines = line.split()[1], []
        elif line.startswith('"'):
            lines.append(line)


def shape(text):
    return text.strip("()").replace(", ", "x")


def main():
    print("program", "launch", *COLUMNS, sep="\t")
    for program, number, values in rows(sys.argv[1]):
        print(program, number, *values, sep="\t")


if __name__ == "__main__":
    main()
