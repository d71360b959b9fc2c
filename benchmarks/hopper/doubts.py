"""What speaks against a measurement: words for the column `mark` of the tables."""

import re

import expected

COPY = re.compile(r"(U?MOV|IMAD\.MOV|IMAD\.U32|NOP)\b")  # what ptxas adds to bring registers where a loop wants them
ALTERNATIVE = re.compile(r"(IADD3|IMAD|VIADD)\b")  # sums, which ptxas spreads over two pipelines
SELECT = re.compile(r"((F|U)?SEL|PLOP3)\b")  # what a guard becomes where the instruction cannot have one
PARTITIONS = 4  # of an SM; each issues one machine instruction in a cycle, and one warp is in one of them
ERROR = 1.03  # of the clock


def total(sums):
    """Machine instructions of one instance without copies of registers."""
    return sum(count for name, count in sums.items() if not COPY.match(name))


def of_code(kernel, sums, own=None):
    """`folded`: nothing of the form is left, numbers are of something else. `joined`: some instances are gone. `selects`: a guard has become selects,
    whose time is in the numbers. `narrowed`: some loads read less than the form does. `alone`: one chain, for
    ptxas makes one instruction of two beside each other. `apart`: the same of a permutation of bytes between instances (`ways.APART`). `calls`: there is a call or a branch, whose inside is not counted. `unlike`: these are not the instructions `own` that
    ptxas makes of the form by itself, if that is known."""
    if sums is None:
        return {"uncounted"}
    found, all_ = set(), total(sums)
    is_apart = "prmt" in kernel.way.split()
    if all_ < 0.8 or (is_apart and all_ - sums.get("PRMT", 0) < 0.8):
        found.add("folded")
    elif abs(all_ - round(all_)) > 2.1 / kernel.difference:
        found.add("joined")
    if any(name.startswith(("CALL", "BRA")) for name, count in sums.items() if count > 0.2):
        found.add("calls")
        if any(abs(count - round(count)) > 0.1 for name, count in sums.items() if not COPY.match(name) and not ALTERNATIVE.match(name)):
            found.add("joined")
    if is_narrowed(sums.items()):
        found.add("narrowed")
    selects = sum(count for name, count in sums.items() if SELECT.match(name))
    if is_apart and kernel.body == "thr":
        found.add("apart")
    if "alone" in kernel.way.split():
        found.add("alone")
    if kernel.guarded and selects > 0.2 + (expected.selects(own, kernel.way) if own is not None else 0):
        found.add("selects")
    if own is not None and "folded" not in found and expected.is_unlike(sums.items(), kernel.way, own):
        found.add("unlike")
    return found


def is_narrowed(counts):
    """Whether some loads read less than others, of (name, count) pairs."""
    return any(name.split(".")[0] in ("LD", "LDG", "LDS") and 0.05 < count % 1 < 0.95 for name, count in counts)


def is_possible(rate, warps, sums):
    """Whether so many warps can issue that many instances in a cycle."""
    return 0 < rate * max(1, total(sums) if sums else 1) <= min(warps, PARTITIONS) * ERROR
