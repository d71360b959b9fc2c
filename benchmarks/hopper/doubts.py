"""What speaks against a measurement: words for the column `mark` of the tables."""

import re

COPY = re.compile(r"(U?MOV|IMAD\.MOV|IMAD\.U32|NOP)\b")  # what ptxas adds to bring registers where a loop wants them
ALTERNATIVE = re.compile(r"(IADD3|IMAD|VIADD)\b")  # sums, which ptxas spreads over two pipelines
SELECT = re.compile(r"(F|U)?SEL\b")
PARTITIONS = 4  # of an SM; each issues one machine instruction in a cycle, and one warp is in one of them
ERROR = 1.03  # of the clock


def total(sums):
    """Machine instructions of one instance without copies of registers."""
    return sum(count for name, count in sums.items() if not COPY.match(name))


def of_code(kernel, sums):
    """`folded`: nothing of the form is left, numbers are of something else. `joined`: some instances are gone. `selects`: a guard has become selects,
    whose time is in the numbers. `calls`: there is a call or a branch, whose inside is not counted."""
    if sums is None:
        return {"uncounted"}
    found, all_ = set(), total(sums)
    if all_ < 0.8:
        found.add("folded")
    elif abs(all_ - round(all_)) > 2.1 / kernel.difference:
        found.add("joined")
    if any(name.startswith(("CALL", "BRA")) for name, count in sums.items() if count > 0.2):
        found.add("calls")
        if any(abs(count - round(count)) > 0.1 for name, count in sums.items() if not COPY.match(name) and not ALTERNATIVE.match(name)):
            found.add("joined")
    if kernel.guarded and any(SELECT.match(name) for name, count in sums.items() if count > 0.2):
        found.add("selects")
    return found


def is_possible(rate, warps, sums):
    """Whether so many warps can issue that many instances in a cycle."""
    return 0 < rate * max(1, total(sums) if sums else 1) <= min(warps, PARTITIONS) * ERROR
