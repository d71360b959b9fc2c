"""What was measured, as tables: `tables.py FOLDER OUTPUT`, where FOLDER holds forms.tsv and the parts with their results.

Writes OUTPUT/forms.tsv, for every form its machine instructions, latencies and throughput; OUTPUT/probes.tsv; prints how well a second run agrees."""

import os
import statistics
import sys

import doubts
import results
import shapes
import way_times

HEAD = "form\topcode\toperands\tinstructions\tlatency\tway\tinterval\tper_cycle\tmark"


# More warps are not told: short instructions come out faster than an SM can issue, as README.md of the tables says.
SHAPES = ("1x1", "1x2", "1x4", "1x8")


def latency(kernel, ways):
    """`OPERAND>RESULT=CYCLES`, or None where the way back takes longer than both together."""
    result, operand = kernel.body.split(":")[1:]
    cycles = kernel.time("1x1").cycles - sum(ways[way] for way in kernel.way.split())
    return f"{operand}>{result}={number(cycles)}" if cycles >= 1 else None


def throughput(kernel, sums):
    """Cycles from one instance of a warp to the next, and instances of all warps an SM finishes in a cycle, for each number of warps."""
    interval, rates = "", []
    for shape in SHAPES:
        time = kernel.time(shape)
        warps = int(shape.split("x")[1])
        if time is None or time.cycles <= 0 or not doubts.is_possible(warps / time.cycles, warps, sums):
            continue
        if warps == 1:
            interval = number(time.cycles)
        rates.append(f"{warps}={number(warps / time.cycles)}")
    return interval, rates


def number(value):
    """Whole where it is whole but for what two reads of the clock differ in."""
    nearest = round(value)
    return str(nearest) if nearest and abs(value - nearest) < 0.07 and abs(value) >= 2 else f"{value:.3g}"


def row(form, kernels, names, ways):
    found, used, marks, interval, rates, instructions = [], set(), set(), "", [], ""
    for kernel in kernels:
        sums = shapes.sums(kernel.counts, names)
        doubt = doubts.of_code(kernel, sums)
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


def write_forms(path, folder, names):
    forms, measured = results.forms(os.path.join(folder, "forms.tsv")), results.measured(folder)
    ways = way_times.times(forms, measured)
    with open(path, "w") as out:
        print(HEAD, file=out)
        for id in sorted(measured):
            print(*row(forms[id], measured[id], names, ways), sep="\t", file=out)
    return measured


def write_probes(path, folder, names):
    with open(path, "w") as out:
        print("probe\tshape\tleast\tmedian\tmost", file=out)
        for kernel in results.probes(folder):
            if "folded" in doubts.of_code(kernel, shapes.sums(kernel.counts, names)):
                continue
            for shape, time in kernel.times.items():
                if time is not None and time.least > 0:
                    print(kernel.form, shape, *(f"{value:.4g}" for value in (time.least, time.cycles, time.most)), sep="\t", file=out)


def agreement(measured):
    """By how much the second run differs from the first, of all kernels that ran twice, in each shape."""
    kernels = {(kernel.module, kernel.name): kernel for row in measured.values() for kernel in row}.values()
    for shape in SHAPES:
        off = sorted(abs(kernel.again[shape].cycles - kernel.times[shape].cycles) / max(kernel.times[shape].cycles, 0.1) for kernel in kernels
                     if kernel.time(shape) is not None and kernel.again.get(shape) is not None)
        if off:
            print(f"{shape}: {len(off)} times measured twice: median of differences {statistics.median(off):.2%}, 90 of 100 below "
                  f"{off[len(off) * 9 // 10]:.2%}, 99 below {off[len(off) * 99 // 100]:.2%}, most {off[-1]:.2%}")


def main():
    folder, output = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    names = shapes.names(folder)
    measured = write_forms(os.path.join(output, "forms.tsv"), folder, names)
    write_probes(os.path.join(output, "probes.tsv"), folder, names)
    agreement(measured)


if __name__ == "__main__":
    main()
