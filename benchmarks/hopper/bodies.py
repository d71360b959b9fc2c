"""Which bodies a form is measured by."""

import re
from collections import Counter

import chains
import expected
import operands
import scene

BRANCH = 0x947
MOVES = (0x02, 0x05, 0x82)  # MOV, CS2R, UMOV
IMAD, SIGNED = 0x24, 1 << 9
SUMS = (0x10, 0x11, 0x19, IMAD)  # IADD3, LEA, SHF
SELECTS = (0x207, 0x208, 0x81C)  # SEL, FSEL, PLOP3: what a guard becomes where the instruction cannot have one

# Not measured one by one: what ends or parks a warp, waits for others, or needs what one device alone does not have.
ELSEWHERE = re.compile(
    r"(bar|barrier|mbarrier|trap|brkpt|exit|ret|setmaxnreg|griddepcontrol|multimem|call|bra|brx|wgmma|nanosleep|pmevent|alloca|stack\w+|cp|tensormap|getctarank)\b(?!\.warp)")


def is_pure(form):
    """Whether a form computes on registers of one lane alone: neighbours in a chain could be joined, so guards keep them apart."""
    return scene.address_of(form) is None and not re.search("matrix|sync|control|stack|bulk|wgmma", form.family)


def is_measured(form):
    return scene.is_known(form) and not ELSEWHERE.match(form.text)


def bodies(form, apart=False, alone=False):
    """The latency from every operand to every result, and the throughput; `apart`: without guards, neighbours kept apart by what is between them; `alone`:
    without guards, and the throughput of one chain."""
    guarded = is_pure(form) and not apart and not alone
    pairs = chains.links(form)
    if form.family.startswith("video"):
        pairs = pairs[:1]  # many machine instructions, and many forms
    made = [chains.latency(form, pair, guarded, apart) for pair in pairs]
    made.append(chains.throughput(form, guarded, apart, alone))
    if form.family.startswith("video"):
        for body in made:
            body.instances = "few"
    return made


def without_guards(body):
    body.guarded = False
    return body


def has_selects(counts):
    return any(shape[0] & 0x1FF in {code & 0x1FF for code in SELECTS} and count > 0.2 for shape, count in counts.items())


def is_copy(shape):
    """Whether it brings a register where a loop wants it: IMAD.MOV is an IMAD without a sign."""
    code = shape[0] & 0x1FF
    return code in MOVES or (code == IMAD and not shape[1] & SIGNED)


def kinds(counts):
    """How often each kind of machine instruction occurs that is no copy, and that the longer loop has more of."""
    found = Counter()
    for shape, count in (counts or {}).items():
        if not is_copy(shape):
            found[shape[0] & 0x1FF] += count
    return {kind: count for kind, count in found.items() if count > 0}


def are_joined(counts):
    """Whether parts of instances have been joined, or guards have become branches."""
    whole = sum(kinds(counts).values())
    return abs(whole - round(whole)) > 0.3 or round(whole) < 1 or any(shape[0] & 0xFFF == BRANCH for shape in counts)


def keeps_sums(guarded, plain):
    """Whether instances without guards have all the sums and shifts of guarded ones, which no two of them share."""
    before, after = kinds(guarded), kinds(plain)
    return all(after.get(kind, 0) > before.get(kind, 0) - 0.4 for kind in SUMS)


def is_unlike(body, counts, own):
    """Whether an instance is of other machine instructions than `own`, those that ptxas makes of the form by itself."""
    named = ((operands.KINDS[kind].name if kind in operands.KINDS else "?", count) for kind, count in kinds(counts).items())
    return expected.is_unlike(named, body.way, own)


def doubt(body, counts, own=None):
    """How little instances are what they should be: 0 where nothing speaks against them, 1 where guards have only become selects, 2 where they are something
    else, 3 where guards have become branches or instances are joined in spite of them. `own`: what ptxas makes of the form by itself, where that is known and more than sums and moves."""
    if body.guarded:
        return 3 if are_joined(counts) else 1 if has_selects(counts) else 2 * bool(own and is_unlike(body, counts, own))
    return 2 * (is_unlike(body, counts, own) if own and counts else are_joined(counts))
