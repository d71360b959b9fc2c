#!/usr/bin/env python3
"""How near the model comes to an H200: `accuracy.py WEDJAT [lines|launches|later|cost] [--worst N]`, from the root of the project.

`measured/` holds what the hardware took: launches.tsv.zst (ncu: cycles that the busiest SM had warps, of every launch of the recorded programs) and
straight.tsv (cycles between two reads of the clock in the kernels of straight.ptx.zst). held_out.tsv.zst and straight_300.tsv are of kernels that were made and
measured when the model was finished once, later.tsv.zst, triton.tsv.zst and straight_600.tsv of those made when it had been changed for them,
straight_900.tsv and triton_launches.tsv.zst when it had been changed once more, straight_1200.tsv after that, test_set.tsv.zst when whole launches had been. This carries out the same in the emulator with `launch_time`."""

import argparse
import concurrent.futures
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

import runs

ROOM = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(ROOM))
TRACES = {"programs": "traces/samples", "polybench": "traces/regression/polybench", "rodinia": "traces/regression/rodinia", "new": "utilities/timing/measured"}
LAUNCHES, AGAIN, HELD_OUT = "launches.tsv.zst", "launches_again.tsv.zst", "held_out.tsv.zst"
LATER, TRITON, RECORDED_TRITON, TEST_SET = "later.tsv.zst", "triton.tsv.zst", "triton_launches.tsv.zst", "test_set.tsv.zst"
BETWEEN_EVENTS = 4.4  # microseconds that the events of `wedjat record --time` add where the host waits for each launch (interposer/README.md)
FITTED = 150  # straight lines that what was chosen was chosen by; those behind were not asked, but seen
WARM = 2  # rounds of a straight line before those that count


def unpacked(name):
    return subprocess.run(["zstd", "-dc", os.path.join(ROOM, "measured", name)], capture_output=True, check=True, text=True).stdout


def tables(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    out = json.loads(done.stdout)
    return {table["title"]: table["rows"] for table in out["tools"][0]["tables"]}


def launches_of(wedjat, program):
    """Kernel, CTAs, threads and cycles of every launch of a recording, by the model."""
    suite, name = program.split(".", 1)
    path = os.path.join(ROOT, TRACES[suite], name + ".tar.zst")
    if not os.path.exists(path):
        return None
    rows = tables([wedjat, "replay", path, "--json", "--tool", "launch_time"])["predicted time"]
    return [(row["ctas"], row["threads"], row["cycles"], row["bound"], row["registers"]) for row in rows]


def recorded(wedjat):
    """Of the launches of the test set that took long enough: microseconds that `wedjat record --time` recorded, without what its events add, and what the model says."""
    path = os.path.join(ROOM, "measured", "test_set.tar.zst")
    rows = tables([wedjat, "replay", path, "--json", "--tool", "launch_time"])["recorded time"]
    by_launch = {row["launch"]: row for row in rows}
    numbers = [int(row[1]) for row in measured_launches(TEST_SET)["new.test_set"]]
    long_enough = [(number, by_launch[number]) for number in numbers if by_launch[number]["microseconds"] > 2 * BETWEEN_EVENTS]
    return [(f"{short(row['kernel'])} {number}", row["microseconds"] - BETWEEN_EVENTS, row["predicted"], "", 0, 0) for number, row in long_enough]


def product(shape):
    x, y, z = map(int, shape.split("x"))
    return x * y * z


def measured_launches(table):
    """Of every program the rows of its launches."""
    measured = defaultdict(list)
    for line in unpacked(table).splitlines()[1:]:
        row = line.split("\t")
        measured[row[0]].append(row)
    return measured


def measured_twice():
    """Of every kernel in every shape that was measured twice: cycles (medians) of both."""
    def cycles(table):
        groups = defaultdict(list)
        for program, rows in measured_launches(table).items():
            for row in rows:
                groups[program, row[2], row[3], row[4]].append(int(row[6]))
        return {key: statistics.median(values) for key, values in groups.items()}
    first, again = cycles(LAUNCHES), cycles(AGAIN)
    return [(" ".join(key), first[key], again[key], "", 0, 0) for key in first if key in again]


def launches(wedjat, only, table=LAUNCHES):
    """Of every kernel in every shape it was launched in: program, kernel, measured and predicted cycles (medians), what bounds it."""
    measured = measured_launches(table)
    programs = [program for program in measured if only in program]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        replayed = dict(zip(programs, pool.map(lambda program: launches_of(wedjat, program), programs)))
    found = []
    for program in programs:
        groups = defaultdict(list)
        if replayed[program] is None:
            print(f"{program}: there is no recording", file=sys.stderr)
            continue
        for row in measured[program]:
            ctas, threads, cycles, bound, registers = replayed[program][int(row[1])]
            if (product(row[3]), product(row[4])) != (ctas, threads):
                print(f"{program}: launch {row[1]} is another one in the recording", file=sys.stderr)
                break
            groups[row[2], row[3], row[4]].append((int(row[6]), cycles, bound, int(row[5]), registers))
        for (kernel, grid, block), members in groups.items():
            middle = [statistics.median(member[i] for member in members) for i in (0, 1)]
            found.append((f"{program} {short(kernel)} {grid} {block}", *middle, members[0][2], members[0][3], members[0][4]))
    return found


def short(kernel):
    match = re.match(r"_Z(?:N\d+\w*?)?(\d+)", kernel)
    return kernel[match.end():match.end() + int(match[1])] if match else kernel


def line(wedjat, number, text):
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as source:
        source.write(text)
        source.flush()
        command = [wedjat, "run", source.name, "--entry", f"line{number}", "--grid", "1", "--block", "32", "--arg", "out:/dev/null:65536", "--arg", "zeros:65536",
                   "--json", "--tool", "launch_time,clocks=1"]
        cycles = [row["cycle"] for row in tables(command)["clocks"]]
    spans = [after - before for before, after in zip(cycles[::2], cycles[1::2])]
    return statistics.median(spans[WARM:])


def clocks(name):
    """Of every straight line: its seed, and the cycles of a round."""
    with open(os.path.join(ROOM, "measured", name)) as table:
        rows = [list(map(int, row.split("\t"))) for row in table]
    return [(row[0], statistics.median(row[1 + WARM:])) for row in rows]


def lines(wedjat, most=None, name="straight"):
    measured = clocks(f"{name}.tsv")[:most]
    head, *kernels = unpacked(f"{name}.ptx.zst").split(".visible .entry ")
    texts = [head + ".visible .entry " + kernel for kernel in kernels]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        predicted = list(pool.map(lambda row: line(wedjat, row[0][0], row[1]), zip(measured, texts)))
    return [(f"line{seed}", took, cycles, "", 0, 0) for (seed, took), cycles in zip(measured, predicted)]


def cost(wedjat, least=0.05):
    """Of every recording whose plain replay takes that long: seconds without and with the model, one after the other, the lesser of two turns."""
    def seconds(path, *model):
        def once():
            begin = time.monotonic()
            subprocess.run([wedjat, "replay", path, "--threads", "1", "--jit", "off", *model], capture_output=True, timeout=900)
            return time.monotonic() - begin
        return min(once(), once())
    for suite, folder in TRACES.items():
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            path = os.path.join(ROOT, folder, name)
            plain = seconds(path)
            if plain >= least:
                yield f"{suite}.{name.removesuffix('.tar.zst')}", plain, seconds(path, "--time")


def ranks(values):
    order = sorted(range(len(values)), key=lambda index: values[index])
    found = [0.0] * len(values)
    for rank, index in enumerate(order):
        found[index] = rank
    return found


def report(title, rows, worst):
    errors = sorted(abs(row[2] - row[1]) / row[1] for row in rows)
    measured, predicted = [row[1] for row in rows], [row[2] for row in rows]
    correlation = statistics.correlation(ranks(measured), ranks(predicted))
    print(f"{title}: {len(rows)}, error: median {statistics.median(errors):.1%}, mean {statistics.mean(errors):.1%}, 90th percentile {errors[len(errors) * 9 // 10]:.1%}, "
          f"most {errors[-1]:.1%}; rank correlation {correlation:.3f}, of cycles {statistics.correlation(measured, predicted):.3f}; predicted / measured: median {statistics.median(row[2] / row[1] for row in rows):.2f}")
    for name, measured, predicted, bound, registers, guessed in sorted(rows, key=lambda row: -abs(row[2] - row[1]) / row[1])[:worst]:
        print(f"  {predicted / measured:6.2f}  measured {measured:9.0f}  predicted {predicted:9.0f}  {name}  {bound}  registers {registers} ({guessed})")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wedjat")
    parser.add_argument("what", nargs="*", default=["lines", "launches", "later"])
    parser.add_argument("--only", default="")
    parser.add_argument("--worst", type=int, default=10)
    arguments = parser.parse_args()
    wedjat = os.path.abspath(arguments.wedjat)
    if "lines" in arguments.what:
        rows = lines(wedjat)
        report("straight lines of one warp, fitted", rows[:FITTED], arguments.worst)
        report("straight lines of one warp, seen", rows[FITTED:], arguments.worst)
        report("straight lines of one warp, held out", lines(wedjat, name="straight_300"), arguments.worst)
        report("straight lines of one warp, held out later (H100)", lines(wedjat, name="straight_600"), arguments.worst)
        report("straight lines of one warp, held out then (H100)", lines(wedjat, name="straight_900"), arguments.worst)
        report("straight lines of one warp, held out last (H100)", lines(wedjat, name="straight_1200"), arguments.worst)
        again = zip(clocks("straight_300.tsv"), clocks("straight_300_again.tsv"))
        report("the hardware once more", [(f"line{seed}", one, two, "", 0, 0) for (seed, one), (_, two) in again], 0)
    if "cost" in arguments.what:
        rows = sorted(cost(wedjat), key=lambda row: row[2] / row[1])
        print(f"with the model, of plain replays: {len(rows)}, median {statistics.median(row[2] / row[1] for row in rows):.1f}, most {rows[-1][2] / rows[-1][1]:.1f} ({rows[-1][0]})")
    if "launches" in arguments.what:
        report("launches", launches(wedjat, arguments.only), arguments.worst)
        report("launches, measured again", measured_twice(), 0)
        report("launches, held out", launches(wedjat, "new.held_out", HELD_OUT), arguments.worst)
        report("launches of Triton's kernels, recorded (H100)", launches(wedjat, "new.triton_launches", RECORDED_TRITON), arguments.worst)
        report("launches, test set (H100)", launches(wedjat, "new.test_set", TEST_SET), arguments.worst)
        report("launches, test set, microseconds by record --time", recorded(wedjat), arguments.worst)
    if "later" in arguments.what:
        for title, of, table in (("launches, held out later (H100)", runs.later, LATER), ("launches of Triton's kernels (H100)", runs.triton, TRITON)):
            report(title, runs.compared(wedjat, of, [row for rows in measured_launches(table).values() for row in rows]), arguments.worst)


if __name__ == "__main__":
    main()
