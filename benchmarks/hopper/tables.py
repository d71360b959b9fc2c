"""What was measured, as tables: `tables.py FOLDER OUTPUT [MACHINE_CODE]`, where FOLDER holds forms.tsv and the parts with their results.

Writes OUTPUT/forms.tsv, for every form its machine instructions, latencies and throughput; OUTPUT/probes.tsv; prints how well a second run agrees.
With MACHINE_CODE, which `expansions.py` made, forms are doubted that became something else in their kernels."""

import os
import re
import statistics
import sys

import doubts
import expected
import results
import shapes
import way_times

HEAD = "form\topcode\toperands\tinstructions\tlatency\tway\tinterval\tper_cycle\tmark\tdevice"


WARPS = {"1x1": 1, "1x2": 2, "1x4": 4, "1x8": 8, "1x16": 16, "1x32": 32, "2*32": 64}
AGREES = 0.01  # what nine in ten of one warp's times differ by at most
FULL = 0.8  # of the issue slots: from here on a copy more or less in one of the loops shows


def latency(kernel, ways):
    """`OPERAND>RESULT=CYCLES`, or None where the way back takes longer than both together."""
    result, operand = kernel.body.split(":")[1:]
    cycles = kernel.time("1x1").cycles - sum(ways[way] for way in kernel.way.split())
    return f"{operand}>{result}={number(cycles)}" if cycles >= 1 else None


def throughput(kernel, sums):
    """Cycles from one instance of a warp to the next, and instances of all warps an SM finishes in a cycle, for each number of warps."""
    interval, rates = "", []
    instructions = max(1, doubts.total(sums)) if sums else 1
    fewer = -sum(count for count in (sums or {}).values() if count < 0)  # what the shorter loop has more of
    for shape, warps in WARPS.items():
        time = kernel.time(shape)
        if time is None or time.cycles <= 0:
            continue
        slots = min(warps, doubts.PARTITIONS)
        cycles = time.cycles + (fewer * warps / slots if warps / time.cycles * instructions > FULL * slots else 0)
        if not doubts.is_possible(warps / cycles, warps, sums):
            continue
        if warps == 1:
            interval = number(time.cycles)
        rates.append(f"{warps}={number(warps / cycles)}")
    return interval, rates


def number(value):
    """Whole where it is whole but for what two reads of the clock differ in."""
    nearest = round(value)
    return str(nearest) if nearest and abs(value - nearest) < 0.07 and abs(value) >= 2 else f"{value:.3g}"


def row(form, kernels, names, ways, own=None):
    found, used, marks, interval, rates, instructions = [], set(), set(), "", [], ""
    for kernel in kernels:
        sums = shapes.sums(kernel.counts, names)
        doubt = doubts.of_code(kernel, sums, own)
        marks |= doubt
        if kernel.body == "thr" or not instructions:
            instructions = shapes.text(sums)
        if kernel.time("1x1") is None:
            marks.add("failed")
        elif "folded" not in doubt and kernel.body == "thr":
            interval, rates = throughput(kernel, sums)
        elif "folded" not in doubt:
            one = latency(kernel, ways)
            found += [one] if one else []
            marks |= set() if one else {"way"}
            used |= {kernel.way} - {"none"}
    return [form.id, form.opcode, form.operands, instructions, " ".join(found), " ".join(sorted(used)), interval, " ".join(rates), " ".join(sorted(marks))]


def device(folder):
    """`H100` of the line `NVIDIA H100 80GB HBM3, …` that `measure.sh run` has left."""
    path = os.path.join(folder, "machine.txt")
    found = re.search(r"^NVIDIA (?:\w+ )*?([A-Z]+\d+\w*)\b", open(path).read() if os.path.exists(path) else "", re.MULTILINE)
    return found[1] if found else ""


def write_forms(path, folder, names, machine_code=None):
    forms, measured = results.forms(os.path.join(folder, "forms.tsv")), results.measured(folder)
    ways, where, own = way_times.times(forms, measured), device(folder), expected.read(open(machine_code)) if machine_code else {}
    with open(path, "w") as out:
        print(HEAD, file=out)
        for id in sorted(measured):
            print(*row(forms[id], measured[id], names, ways, own.get(id)), where, sep="\t", file=out)
    return measured


def write_probes(path, folder, names):
    where = device(folder)
    with open(path, "w") as out:
        print("probe\tshape\tleast\tmedian\tmost\tdevice", file=out)
        for kernel in results.probes(folder):
            if "folded" in doubts.of_code(kernel, shapes.sums(kernel.counts, names)):
                continue
            for shape, time in kernel.times.items():
                if time is not None and time.least > 0:
                    print(kernel.form, shape, *(f"{value:.4g}" for value in (time.least, time.cycles, time.most)), where, sep="\t", file=out)


def agreement(measured):
    """By how much the second run differs from the first, of all kernels that ran twice, in each shape. False if one warp's times are not the same twice."""
    kernels = {(kernel.module, kernel.name): kernel for row in measured.values() for kernel in row}.values()
    agrees = True
    for shape in WARPS:
        off = sorted(abs(kernel.again[shape].cycles - kernel.times[shape].cycles) / max(kernel.times[shape].cycles, 0.1) for kernel in kernels
                     if kernel.time(shape) is not None and kernel.again.get(shape) is not None)
        if off:
            most = off[len(off) * 9 // 10]
            agrees &= shape != "1x1" or most <= AGREES
            print(f"{shape}: {len(off)} times measured twice: median of differences {statistics.median(off):.2%}, 90 of 100 below "
                  f"{most:.2%}, 99 below {off[len(off) * 99 // 100]:.2%}, most {off[-1]:.2%}")
    return agrees


def main():
    folder, output, *machine_code = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    names = shapes.names(folder)
    measured = write_forms(os.path.join(output, "forms.tsv"), folder, names, *machine_code)
    if os.path.exists(os.path.join(folder, "probes", "index.tsv")):
        write_probes(os.path.join(output, "probes.tsv"), folder, names)
    if not agreement(measured):
        sys.exit(f"both runs disagree: of the times of one warp more than one in ten differs by more than {AGREES:.0%}")


if __name__ == "__main__":
    main()
