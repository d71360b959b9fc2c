"""Latencies between pipelines, as ptxas knows them: `stalls.py CUBIN PIPES > FILE`.

Where a latency is fixed, machine code does not wait for a result: the control bits of each instruction say how many cycles pass before the next one is issued. So the least number of
cycles that ptxas lets pass between a write and a read is the latency, if there are enough of them: of reads within NEAR cycles one in fifty is that near (halves of 64-bit results
are sometimes there earlier). A line: the pipelines of both, whether a register, a predicate or a guard is read, the latency, how many reads there were and how many that near."""

import sys
from collections import Counter, defaultdict

import machine_code
import operands

STALL, BARRIER, NO_BARRIER = 41, 46, 7  # bits of the control: cycles until the next one; what waits for a result of unknown latency
ENOUGH, NEAR, SHARE = 16, 40, 50  # reads; cycles; one in so many


def pipes_of(lines):
    next(lines)
    return {row[0]: row[1] for row in (line.split("\t") for line in lines)}


def gaps(code, pipes):
    """Pipelines, kind of the read and cycles of every read of a result whose latency is fixed."""
    now, written = 0, {}
    for instruction in machine_code.instructions(code):
        if machine_code.opcode(instruction) == machine_code.BRANCH:
            written = {}
        found, high = operands.of(instruction), instruction[1]
        pipe = pipes.get(found.name) if found and found.name != "P2R" else None
        for register in (found.reads | {found.guard} if found else ()):
            if register in written and pipe and written[register][0]:
                of, when = written[register]
                if now - when > NEAR:
                    continue
                yield of, pipe, "guard" if register == found.guard else "predicate" if register[0] == "P" else "register", now - when
        for register in found.writes if found else ():
            written[register] = pipe if high >> BARRIER & 7 == NO_BARRIER and not found.guard else None, now
        now += high >> STALL & 15


def main():
    cubin, pipes = open(sys.argv[1], "rb").read(), pipes_of(open(sys.argv[2]))
    found = defaultdict(Counter)
    for code in machine_code.kernels(cubin).values():
        for of, to, kind, cycles in gaps(code, pipes):
            found[of, to, kind][cycles] += 1
    print("from", "to", "read", "cycles", "reads", "so_near", sep="\t")
    for key, counts in sorted(found.items()):
        if counts.total() >= ENOUGH:
            cycles = next(most for most in sorted(counts) if sum(counts[least] for least in counts if least <= most) * SHARE >= counts.total())
            print(*key, cycles, counts.total(), sum(counts[least] for least in counts if least <= cycles), sep="\t")


if __name__ == "__main__":
    main()
