"""What the ways back cost by themselves: each is measured as a form of its own."""

import re

# The form whose latency is that of the way, with the operand the way uses.
FORMS = {
    "imad": (r"mad\.lo\.u32 ", "lat:d0:s0"),
    "lop": (r"xor\.b32 ", "lat:d0:s0"),
    "prmt": (r"prmt\.b32 %r0, %r1, %r2, %r3", "lat:d0:s0"),
    "mov": (r"prmt\.b32 %r0, %r1, %r2, %r3", "lat:d0:s0"),
}
# A result that is a predicate and one that is not, of one instruction, from the same operands: LOP3 takes as long to either, so half of a chain through
# the other kind is the way.
PREDICATES = {"selp": (r"lop3\.and\.b32 _\|%p0", "lat:d0:s0", "lat:d0:s3"), "setp": (r"lop3\.and\.b32 %r0\|%p0", "lat:d0:s3", "lat:d0:s0")}
UNMEASURED = 4  # what most machine instructions take whose time is fixed


def times(forms, measured):
    def latency(pattern, body):
        for id, kernels in measured.items():
            if re.match(pattern, forms[id].text):
                for kernel in kernels:
                    if kernel.body == body and kernel.time("1x1"):
                        return kernel.time("1x1").cycles
        return None

    found = {"none": 0}
    for way, (pattern, body) in FORMS.items():
        found[way] = latency(pattern, body) or UNMEASURED
    for way, (pattern, both, alone) in PREDICATES.items():
        sum_, part = latency(pattern, both), latency(pattern, alone)
        found[way] = sum_ - part if sum_ and part else UNMEASURED
    return {way: round(time) for way, time in found.items()}
