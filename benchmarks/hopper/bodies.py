"""Which bodies a form is measured by."""

import re

import chains
import scene

BRANCH = 0x947
SELECTS = (0x207, 0x208, 0x81C)  # SEL, FSEL, PLOP3: what a guard becomes where the instruction cannot have one

# Not measured one by one: what ends or parks a warp, waits for others, or needs what one device alone does not have.
ELSEWHERE = re.compile(
    r"(bar|barrier|mbarrier|trap|brkpt|exit|ret|setmaxnreg|griddepcontrol|multimem|call|bra|brx|wgmma|nanosleep|pmevent|alloca|stack\w+|cp|tensormap|getctarank)\b(?!\.warp)")


def is_pure(form):
    """Whether a form computes on registers of one lane alone: neighbours in a chain could be joined, so guards keep them apart."""
    return scene.address_of(form) is None and not re.search("matrix|sync|control|stack|bulk|wgmma", form.family)


def is_measured(form):
    return scene.is_known(form) and not ELSEWHERE.match(form.text)


def bodies(form, apart=False):
    """The latency from every operand to every result, and the throughput; `apart`: without guards, neighbours kept apart by what is between them."""
    guarded = is_pure(form) and not apart
    pairs = chains.links(form)
    if form.family.startswith("video"):
        pairs = pairs[:1]  # many machine instructions, and many forms
    made = [chains.latency(form, pair, guarded, apart) for pair in pairs]
    made.append(chains.throughput(form, guarded, apart))
    if form.family.startswith("video"):
        for body in made:
            body.instances = "few"
    return made


def without_guards(body):
    body.guarded = False
    return body


def has_selects(counts):
    return any(shape[0] & 0x1FF in {code & 0x1FF for code in SELECTS} and count > 0.2 for shape, count in counts.items())


def are_joined(counts):
    """Whether parts of instances have been joined, or guards have become branches."""
    total = sum((counts or {}).values())
    return abs(total - round(total)) > 0.3 or round(total) < 1 or any(shape[0] & 0xFFF == BRANCH for shape in counts)


def doubt(body, counts):
    """How little instances are what they should be: 0 where nothing speaks against them, 1 where guards have only become selects, 2 and 3 where they are joined."""
    if are_joined(counts):
        return 3 if body.guarded else 2
    return int(body.guarded and has_selects(counts))
