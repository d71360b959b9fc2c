"""What was measured again, one form of each class of equal machine instructions: `merge_classes.py TIMES OUTPUT FOLDER...`.

TIMES is the table of an earlier measurement, each FOLDER what `prepare_classes.py` made and `run` measured (results.tsv). Rows get the rates of up to 64 warps of their
class; those whose guards had become selects get the numbers of kernels without guards, where such kernels are as good. Prints what changed."""

import statistics
import sys

import doubts
import results
from prepare_classes import machine_instructions
from tables import number

SHAPES = {"1x1": 1, "1x2": 2, "1x4": 4, "1x8": 8, "1x16": 16, "1x32": 32, "2*32": 64}
SAME = 0.1  # by which rates of one warp may differ and still be of the same machine code
FULL = 0.8  # of the issue slots: from here on a copy more or less in one of the loops shows


def class_of(columns):
    return machine_instructions(columns[3])


def without_selects(instructions):
    return [(name, count) for name, count in instructions if not doubts.SELECT.match(name)]


def is_same(rates_of_row, measured):
    old = rates_of_row.split()[0].partition("=")
    return old[0] == "1" and 1 in measured and abs(measured[1] / float(old[2]) - 1) < SAME


def rates(kernel, instructions):
    """Instances in a cycle by number of warps, without what the shorter loop has more of."""
    fewer = -sum(count for count in (kernel.counts or {}).values() if count < 0)
    found = {}
    for shape, warps in SHAPES.items():
        time = kernel.time(shape)
        if time is None or time.cycles <= 0:
            continue
        slots = min(warps, doubts.PARTITIONS)
        cycles = time.cycles + (fewer * warps / slots if warps / time.cycles * instructions > FULL * slots else 0)
        if warps / cycles * max(1, instructions) <= slots * doubts.ERROR:
            found[warps] = warps / cycles
    return found


def text(found):
    return " ".join(f"{warps}={number(rate)}" for warps, rate in found.items())


def rates_of_classes(kernels, rows):
    found = {}
    for kernel in kernels:
        columns = rows.get(int(kernel.form))
        if columns is None or kernel.body != "thr" or {"selects", "joined"} & set(columns[8].split()) or not columns[7]:
            continue
        measured = rates(kernel, sum(count for _, count in class_of(columns)))
        if is_same(columns[7], measured):
            found[class_of(columns), columns[5]] = measured
    return found


def plain_of_classes(kernels, rows):
    """Kernels without guards, by class of the row and mnemonic: instructions, change of latency, interval, rates."""
    pairs = {}
    for kernel in kernels:
        columns = rows.get(int(kernel.form))
        if columns is not None and not kernel.guarded and "selects" in columns[8].split() and kernel.counts:
            pairs.setdefault(int(kernel.form), {})["thr" if kernel.body == "thr" else "lat"] = kernel
    found = {}
    for form, both in pairs.items():
        columns = rows[form]
        if "thr" not in both or "lat" not in both or not both["thr"].time("1x1") or not both["lat"].time("1x1"):
            continue
        instructions = without_selects(class_of(columns))
        whole = sum(count for _, count in instructions)
        if abs(sum(both["thr"].counts.values()) - whole) > 0.2 or abs(sum(both["lat"].counts.values()) - whole) > 0.2:
            continue
        result, operand = both["lat"].body.split(":")[1:]
        old = dict(pair.split("=") for pair in columns[4].split())
        measured = both["lat"].time("1x1").cycles
        if f"{operand}>{result}" not in old or both["lat"].way != "none":
            continue
        found[class_of(columns), columns[1].split(".")[0]] = (
            " ".join(f"{name}*{count}" if count > 1 else name for name, count in instructions), measured - float(old[f"{operand}>{result}"]),
            both["thr"].time("1x1").cycles, rates(both["thr"], whole))
    return found


def merged(columns, classes, plain):
    changed = list(columns)
    if "selects" in columns[8].split():
        known = plain.get((class_of(columns), columns[1].split(".")[0]))
        if known is not None and known[1] <= 0:
            changed[3], changed[6], changed[7] = known[0], number(known[2]), text(known[3])
            pairs = (pair.split("=") for pair in columns[4].split())
            changed[4] = " ".join(f"{name}={number(max(1, float(cycles) + known[1]))}" for name, cycles in pairs)
            changed[8] = " ".join(mark for mark in columns[8].split() if mark != "selects")
        return changed
    known = classes.get((class_of(columns), columns[5]))
    if known is not None and columns[7] and "joined" not in columns[8] and is_same(columns[7], known):
        changed[7] = text(known)
    return changed


def main():
    table, output, *folders = sys.argv[1:]
    head, *lines = open(table).read().splitlines()
    rows = {int(line.split("\t")[0]): line.split("\t") for line in lines}
    kernels = [kernel for folder in folders for kernel in results.kernels(folder)]
    classes, plain = rates_of_classes(kernels, rows), plain_of_classes(kernels, rows)
    new = [merged(columns, classes, plain) for columns in rows.values()]
    off = sorted(abs(float(b.split("=")[1]) / float(a.split("=")[1]) - 1) for old, row in zip(rows.values(), new) if "selects" not in old[8]
                 for a, b in zip(old[7].split()[:3], row[7].split()[:3]) if a.split("=")[0] == b.split("=")[0] and old[7] != row[7])
    print(f"{sum(old[7] != row[7] for old, row in zip(rows.values(), new))} rows have new rates; those of 1 to 4 warps differ from before by {statistics.median(off):.2%} (median), "
          f"{off[len(off) * 9 // 10]:.2%} (90 of 100), {off[-1]:.1%} (most); {sum(old[8] != row[8] for old, row in zip(rows.values(), new))} rows are without selects now")
    with open(output, "w") as out:
        print(head, *("\t".join(row) for row in new), sep="\n", file=out)


if __name__ == "__main__":
    main()
