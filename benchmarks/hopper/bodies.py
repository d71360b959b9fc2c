"""Which bodies a form is measured by."""

import re

import chains
import scene

BRANCH = 0x947
SELECTS = (0x207, 0x208)  # SEL, FSEL: what a guard becomes where the instruction cannot have one

# Not measured one by one: what ends or parks a warp, waits for others, or needs what one device alone does not have.
ELSEWHERE = re.compile(
    r"(bar|barrier|mbarrier|trap|brkpt|exit|ret|setmaxnreg|griddepcontrol|multimem|call|bra|brx|wgmma|nanosleep|pmevent|alloca|stack\w+|cp|tensormap|getctarank)\b(?!\.warp)")


def is_pure(form):
    """Whether a form computes on registers of one lane alone: neighbours in a chain could be joined, so guards keep them apart."""
    return scene.address_of(form) is None and not re.search("matrix|sync|control|stack|bulk|wgmma", form.family)


def is_measured(form):
    return scene.is_known(form) and not ELSEWHERE.match(form.text)


def bodies(form):
    """The latency from every operand to every result, and the throughput."""
    pairs = chains.links(form)
    if form.family.startswith("video"):
        pairs = pairs[:1]  # many machine instructions, and many forms
    made = [chains.latency(form, pair, is_pure(form)) for pair in pairs]
    made.append(chains.throughput(form, is_pure(form)))
    if form.family.startswith("video"):
        for body in made:
            body.instances = "few"
    return made


def without_guards(body):
    body.guarded = False
    return body


def has_selects(counts):
    return any(shape[0] & 0x1FF in {code & 0x1FF for code in SELECTS} and count > 0.2 for shape, count in counts.items())


def is_doubtful(body, counts):
    """Whether guards have become branches or selects, or parts of instances have been joined in spite of them."""
    if counts is None or not counts:
        return True
    if body.guarded and has_selects(counts):
        return True
    total = sum(counts.values())
    return abs(total - round(total)) > 0.3 or round(total) < 1 or any(shape[0] & 0xFFF == BRANCH for shape in counts)
