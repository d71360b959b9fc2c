"""Broken PTX from whole PTX: a seed gives always the same text."""
import random
import re

TYPES = [".u8", ".s8", ".b8", ".u16", ".s16", ".b16", ".f16", ".bf16", ".u32", ".s32", ".b32", ".f32", ".f16x2", ".u64", ".s64",
         ".b64", ".f64", ".b128", ".pred", ".v2", ".v4", ".tf32", ".e4m3"]
WORDS = [".shared", ".global", ".local", ".const", ".param", ".volatile", ".relaxed", ".gpu", ".sys", ".cta", ".cluster", ".sat",
         ".rn", ".rz", ".wide", ".lo", ".hi", ".approx", ".ftz", ".sync", ".aligned", ".uni", ".x4", ".trans", ".noinc"]
NUMBERS = ["0", "1", "-1", "2", "3", "7", "31", "32", "33", "64", "255", "256", "4095", "65535", "65536", "100000", "2147483647",
           "2147483648", "4294967295", "4294967296", "-2147483648", "9223372036854775807", "18446744073709551615", "0x1p3",
           "0f7F800000", "0fFFC00000", "0d0000000000000001", "0xFFFFFFFFFFFFFFFFF", "1.5", "08", "WARP_SZ", "0b101", "1e400"]
ODD_LINES = ["trap;", "exit;", "ret;", "bar.sync 0;", "bar.warp.sync 0xffffffff;", "bar.sync 1, 64;", "{", "}", ";", "brkpt;",
             "activemask.b32 %r1;", "shfl.sync.idx.b32 %r1, %r1, 0, 31, 0x3;", "vote.sync.any.pred %p1, %p1, 0x5;",
             "st.global.u32 [%rd1], %r1;", "st.shared.u32 [%r1], %r2;", "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1+1];",
             "atom.global.add.u32 %r1, [%rd1], 1;", "@%p1 bra $odd;", "$odd:", "ts: .branchtargets $odd;", "brx.idx %r1, ts;",
             "call f;", "call (%r1), %rd1, (%r2), proto;", ".local .align 4 .b8 big[70000];", ".shared .b8 more[49152];",
             ".reg .b32 %r<3>;", ".pragma \"nounroll\";", "membar.gl;", "cp.async.wait_all;", "nanosleep.u32 100;",
             "barrier.cluster.arrive;", "barrier.cluster.wait;", "griddepcontrol.wait;", "setmaxnreg.inc.sync.aligned.u32 64;",
             "alloca.u64 %rd1, 1000000, 16;", "stacksave.u64 %rd1;", "discard.global.L2 [%rd1], 128;"]

REGISTER = re.compile(r"%[A-Za-z_$][\w$.]*")
LABEL = re.compile(r"^\s*([A-Za-z_$][\w$]*)\s*:", re.M)
NUMBER = re.compile(r"(?<![\w.$%])-?(?:0[xXfFdDbB][0-9A-Fa-f]+|\d+)(?![\w.])")
SUFFIX = re.compile(r"\.[a-z][a-z0-9_]*")
INSTRUCTION = re.compile(r"^\s*(?:@!?[%\w$]+\s+)?[a-z][\w.:]*[^:{}]*;\s*(?://.*)?$")
NUMBERED = re.compile(r"(%[A-Za-z_]+)\d+\b")
TYPE = re.compile(r"\.[usbf](8|16|32|64)\b")
TARGET = re.compile(r"\bbra(?:\.uni)?\s+([\w$]+)")
GUARD = re.compile(r"@!?(%\w+)")
INNER_NUMBER = re.compile(r"(?<=[,+\[ ])(-?(?:0[xX][0-9A-Fa-f]+|\d+))(?=\s*[;,\])}])")
OPCODE = re.compile(r"^(\s*(?:@!?[%\w$]+\s+)?)([a-z]\w*)", re.M)


def one_of(random_, matches):
    found = list(matches)
    return random_.choice(found) if found else None


def put(text, match, new, group=0):
    return text if match is None else text[:match.start(group)] + new + text[match.end(group):]


def other(random_, text, pattern, group=0):
    """One match becomes what another match says."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    return put(text, random_.choice(found), random_.choice(found).group(group), group)


def on_lines(change, only=None):
    """Changes the list of lines; places are chosen among those that match `only`, if any does."""
    def changed(random_, text, _):
        lines = text.split("\n")
        places = [i for i, line in enumerate(lines) if only and only.match(line)] or range(len(lines))
        change(random_, lines, lambda: random_.choice(places))
        return "\n".join(lines)
    return changed


def delete(random_, lines, somewhere):
    at = somewhere()
    del lines[at:at + random_.choice([1, 1, 1, 2, 5])]


def duplicate(random_, lines, somewhere):
    at = somewhere()
    count = random_.choice([1, 1, 2, 5])
    lines[at:at] = lines[at:at + count] * random_.choice([1, 1, 1, 2, 50])


def swap(random_, lines, somewhere):
    a, b = somewhere(), somewhere()
    lines[a], lines[b] = lines[b], lines[a]


def move(random_, lines, somewhere):
    at, to, count = somewhere(), somewhere(), random_.randrange(1, 6)
    taken = lines[at:at + count]
    del lines[at:at + count]
    lines[to:to] = taken


def branch(random_, lines, somewhere):
    """Over a block, or back to before it; conditional or not."""
    a, b = sorted((somewhere(), somewhere()))
    name = f"$jump{random_.randrange(1000)}"
    jump = random_.choice(["", "", "@%p1 ", "@!%p1 ", "@%p0 "]) + random_.choice(["bra ", "bra.uni "]) + name + ";"
    first, last = (jump, name + ":") if random_.random() < 0.8 else (name + ":", jump)
    lines.insert(b, last)
    lines.insert(a, first)


def odd(random_, lines, somewhere):
    lines.insert(somewhere(), random_.choice(ODD_LINES))


def splice(random_, text, others):
    """Some lines of another file."""
    lines, from_ = text.split("\n"), random_.choice(others).split("\n")
    begin, at = random_.randrange(len(from_)), random_.randrange(len(lines))
    lines[at:at] = from_[begin:begin + random_.randrange(1, 8)]
    return "\n".join(lines)


def truncate(random_, text, _):
    return text[:random_.randrange(len(text) + 1)]


def character(random_, text, _):
    at = random_.randrange(len(text) + 1)
    return text[:at] + random_.choice(["", chr(random_.randrange(1, 256)), ";", ",", "{", "}", "[", "]", "%", ".", "@", "\"", "/*"]) + text[at + 1:]


def of_its_kind(random_, text, _):
    """A register becomes another whose name begins like it: most likely of the same type."""
    found = list(NUMBERED.finditer(text))
    if not found:
        return text
    one = random_.choice(found)
    return put(text, one, random_.choice([m.group() for m in found if m.group(1) == one.group(1)]))


def of_its_width(random_, text, _):
    one = one_of(random_, TYPE.finditer(text))
    return text if one is None else put(text, one, random_.choice([t for t in TYPES if t[2:] == one.group(1)] or TYPES))


def elsewhere(random_, text, _):
    """A branch leads to another label."""
    labels = LABEL.findall(text)
    return text if not labels else put(text, one_of(random_, TARGET.finditer(text)), random_.choice(labels), 1)


def predicated(random_, text, _):
    guard = random_.choice(GUARD.findall(text) or ["%p1"])
    return put(text, one_of(random_, OPCODE.finditer(text)), random_.choice(["@", "@!"]) + guard + " ", 1)


# What is left is mostly PTX still.
GENTLE = [on_lines(change, INSTRUCTION) for change in (delete, duplicate, swap, move, branch, branch, odd)] + [
    of_its_kind, of_its_kind, of_its_width, elsewhere, predicated,
    lambda r, text, _: put(text, one_of(r, INNER_NUMBER.finditer(text)), r.choice(NUMBERS[:22]), 1),
    lambda r, text, _: other(r, text, INNER_NUMBER, 1)]
# And mostly not.
WILD = [
    on_lines(delete), on_lines(duplicate), on_lines(swap), on_lines(move), on_lines(branch), on_lines(odd), splice, truncate, character,
    lambda r, text, _: other(r, text, REGISTER),
    lambda r, text, _: other(r, text, LABEL, 1),
    lambda r, text, _: other(r, text, OPCODE, 2),
    lambda r, text, _: other(r, text, SUFFIX),
    lambda r, text, _: put(text, one_of(r, SUFFIX.finditer(text)), r.choice(TYPES + WORDS)),
    lambda r, text, _: put(text, one_of(r, SUFFIX.finditer(text)), ""),
    lambda r, text, _: put(text, one_of(r, NUMBER.finditer(text)), r.choice(NUMBERS)),
    lambda r, text, _: other(r, text, NUMBER)]


def mutated(seed, texts):
    """File number `seed`: one of `texts` after one to four changes, and the text that it was."""
    random_ = random.Random(seed)
    whole = random_.choice(texts)
    text = whole
    changes = GENTLE if random_.random() < 0.75 else GENTLE + WILD
    for _ in range(random_.choice([1, 1, 2, 2, 3, 4])):
        if text:
            text = random_.choice(changes)(random_, text, texts)
    return text, whole
