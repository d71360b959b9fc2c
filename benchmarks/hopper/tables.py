"""What was measured, as tables: `tables.py FOLDER OUTPUT`, where FOLDER holds forms.tsv and the parts with their results.

Writes OUTPUT/forms.tsv, for every form its machine instructions, latencies and throughput; OUTPUT/probes.tsv; prints how well a second run agrees."""

import os
import statistics
import sys

import results
import shapes
import way_times

HEAD = "form\topcode\toperands\tinstructions\tlatency\tway\tinterval\tper_cycle\tmark"


def latencies(kernels, ways):
    """`OPERAND>RESULT=CYCLES` of every pair, and whether a way back was taken off that is no machine instruction of its own."""
    found, marks, used = [], set(), set()
    for kernel in kernels:
        if not kernel.body.startswith("lat"):
            continue
        result, operand = kernel.body.split(":")[1:]
        time = kernel.time("1x1")
        if time is None:
            marks.add("failed")
            continue
        used |= {kernel.way} - {"none"}
        found.append(f"{operand}>{result}={number(time.cycles - sum(ways[way] for way in kernel.way.split()))}")
        marks |= kernel.doubts()
    return found, used, marks


def throughput(kernel):
    """Cycles from one instance of a warp to the next, and instances of all warps an SM finishes in a cycle, for each number of warps."""
    interval, rates = "", []
    for shape, time in kernel.times.items():
        blocks, warps = (int(word) for word in shape.replace("*", "x").split("x"))
        if time is None or time.cycles <= 0:
            continue
        if blocks * warps == 1:
            interval = number(time.cycles)
        rates.append(f"{blocks * warps}={number(blocks * warps / time.cycles)}")
    return interval, rates


def number(value):
    """Whole where it is whole but for what two reads of the clock differ in."""
    nearest = round(value)
    return str(nearest) if nearest and abs(value - nearest) < 0.07 and abs(value) >= 2 else f"{value:.3g}"


def row(form, kernels, names, ways):
    found, used, marks = latencies(kernels, ways)
    interval, rates, instructions = "", [], ""
    for kernel in kernels:
        if kernel.body == "thr":
            interval, rates = throughput(kernel)
            marks |= kernel.doubts()
        if kernel.body == "thr" or not instructions:
            instructions = shapes.text(kernel.counts, names)
    return [form.id, form.opcode, form.operands, instructions, " ".join(found), " ".join(sorted(used)), interval, " ".join(rates), " ".join(sorted(marks))]


def write_forms(path, folder, names):
    forms, measured = results.forms(os.path.join(folder, "forms.tsv")), results.measured(folder)
    ways = way_times.times(forms, measured)
    with open(path, "w") as out:
        print(HEAD, file=out)
        for id in sorted(measured):
            print(*row(forms[id], measured[id], names, ways), sep="\t", file=out)
    return measured


def write_probes(path, folder):
    with open(path, "w") as out:
        print("probe\tshape\tleast\tmedian\tmost", file=out)
        for kernel in results.probes(folder):
            for shape, time in kernel.times.items():
                if time is not None:
                    print(kernel.form, shape, *(f"{value:.4g}" for value in (time.least, time.cycles, time.most)), sep="\t", file=out)


def agreement(measured):
    """By how much the second run differs from the first, of all kernels that ran twice."""
    kernels = {(kernel.module, kernel.name): kernel for row in measured.values() for kernel in row}.values()
    off = sorted(abs(kernel.again[shape].cycles - time.cycles) / max(time.cycles, 0.1) for kernel in kernels for shape, time in kernel.times.items()
                 if time is not None and kernel.again.get(shape) is not None)
    if off:
        print(f"{len(off)} times measured twice: median of differences {statistics.median(off):.2%}, 90 of 100 below {off[len(off) * 9 // 10]:.2%}, most {off[-1]:.2%}")


def main():
    folder, output = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    measured = write_forms(os.path.join(output, "forms.tsv"), folder, shapes.names(folder))
    write_probes(os.path.join(output, "probes.tsv"), folder)
    agreement(measured)


if __name__ == "__main__":
    main()
