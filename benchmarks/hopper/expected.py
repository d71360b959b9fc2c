"""What a form should have become in a measuring kernel: the machine instructions that ptxas makes of it by itself (`expansions.py`), and those of its way back."""

import re
from collections import Counter

# Not compared: copies, constants, sums and shifts, which ptxas spreads over several instructions and which ways and 16-bit operands bring along.
LOOSE = {"CS2R", "IADD3", "IMAD", "LEA", "MOV", "NOP", "PRMT", "SHF", "UMOV", "VIADD", "="}
SAME = {"HADD2": "HFMA2", "HMUL2": "HFMA2"}  # any of them computes sums and products of halves
WAYS = {"selp": "SEL", "setp": "ISETP"}
CLOSE = 0.3  # of an instruction


def kinds(counts):
    """How often each kind of instruction occurs, of (name, count) pairs."""
    found = Counter()
    for name, count in counts:
        base = name.split(".")[0]
        if base not in LOOSE:
            found[SAME.get(base, base)] += count
    return Counter({kind: max(count, 0) for kind, count in found.items()})  # less than none: the shorter loop has more of it


def read(lines):
    """By the number of a form, the kinds of its machine instructions."""
    rows = (line.rstrip("\n").split("\t") for line in lines)
    next(rows)
    return {int(row[0]): kinds((re.split("[:>]", word)[0], 1) for word in row[3].split()) for row in rows}


def is_unlike(counts, way, own):
    """Whether a kernel is made of other instructions than its form `own` and the way back."""
    found = kinds(counts)
    for word in way.split():
        if word in WAYS and found[WAYS[word]] > own[WAYS[word]] + CLOSE:
            found[WAYS[word]] -= 1
    return any(abs(found[kind] - own[kind]) > CLOSE for kind in {*found, *own})


def selects(own, way):
    """How many selects there are without any of a guard."""
    return sum(own[kind] for kind in ("SEL", "FSEL", "USEL", "PLOP3")) + ("selp" in way.split())
