"""Kernels of one straight line for one warp: `straight_lines.py FORMS TIMES FOLDER [COUNT [FIRST]]`.

They are made of forms that were measured, chosen at random: by seed FIRST (0) and those that follow, the same text everywhere. Each reads the clock, carries out its line over registers whose
values only the run knows, waits for all results and reads the clock again; ROUNDS times, for the first round fetches the instructions. What the clocks
say is what a model of time has to foretell, from the PTX alone. Writes FOLDER/straight.ptx; `time_lines.cu` runs it."""

import os
import random
import sys

import forms

HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"
ROUNDS = 6
COUNT = 300
LENGTHS = (30, 300)
POOL = {"b16": ("%h", 6), "b32": ("%r", 16), "b64": ("%d", 8), "pred": ("%p", 4)}
NEAR = 6  # registers written last, which the next instructions read more often than others
DOUBTFUL = {"folded", "failed", "uncounted", "calls", "joined"}
FAMILIES = ("integer", "extended", "fp32", "f16/bf16", "logic", "comparison", "half comparison", "data movement")
MEMORY = (
    "ld.shared.b32 {d.b32}, [%sm+{offset}];", "ld.shared.b64 {d.b64}, [%sm+{offset}];", "st.shared.b32 [%sm+{offset}], {s.b32};",
    "ld.global.b32 {d.b32}, [%memory+{offset}];", "ld.global.b64 {d.b64}, [%memory+{offset}];", "st.global.b32 [%memory+{above}], {s.b32};")
MEMORY_SHARE = 0.08
BEGIN = """.visible .entry {name}(.param .u64 times, .param .u64 memory) .maxntid 32
{{
.reg .b64 %times, %memory, %t<2>, %d<8>; .reg .b32 %r<16>, %sm, %lane, %round, %sum; .reg .b16 %h<6>, %rest; .reg .pred %p<4>, %more;
.shared .align 16 .b8 sbuf[8192];
ld.param.u64 %times, [times]; ld.param.u64 %memory, [memory];
mov.u32 %lane, %tid.x; mov.u32 %sm, sbuf; mad.lo.u32 %sm, %lane, 8, %sm; mad.wide.u32 %memory, %lane, 8, %memory;
mov.u32 %round, 0;
ROUND:
{loads}
bar.red.and.pred %more, 0, %p0; @!%more exit;
mov.u64 %t0, %clock64;
"""
END = """{sums}
setp.eq.u32 %more, %sum, 0x12345678; @%more exit;
mov.u64 %t1, %clock64;
st.global.v2.u64 [%times], {{%t0, %t1}}; add.u64 %times, %times, 512;
add.u32 %round, %round, 1; setp.lt.u32 %more, %round, {rounds}; @%more bra ROUND;
ret;
}}
"""


def usable(form):
    """Forms over registers of the pool alone, which are no vectors."""
    if "[" in form.text or not form.family.startswith(FAMILIES) or not form.destinations or not form.sources:
        return False
    return all(group.count == 1 and group.size in POOL for group in form.groups) and "%" not in form.with_registers([""] * len(form.groups))


def measured(lines):
    next(lines)
    rows = (line.rstrip("\n").split("\t") for line in lines)
    return {int(row[0]) for row in rows if row[4] and row[6] and not DOUBTFUL & set(row[8].split())}


def by_mnemonic(table, times):
    known, found = measured(times), {}
    for form in forms.read_forms(table):
        if form.id in known and usable(form):
            found.setdefault(form.mnemonic, []).append(form)
    return found


class Line:
    """Registers, and which of them were written last."""

    def __init__(self, chance):
        self.chance = chance
        self.last = {size: [f"{stem}{index}" for index in range(count)] for size, (stem, count) in POOL.items()}
        self.unread = {size: set(names) for size, names in self.last.items()}

    def read(self, size):
        names, choice = self.last[size], self.chance.random()
        unread = [name for name in names if name in self.unread[size]]
        name = self.chance.choice(unread if choice < 0.4 and unread else names[-NEAR:] if choice < 0.8 else names)
        self.unread[size].discard(name)
        return name

    def write(self, size):
        """The register written longest ago of those that were read, so that nothing is computed in vain."""
        names = self.last[size]
        name = next((name for name in names if name not in self.unread[size]), names[0])
        names.remove(name)
        names.append(name)
        self.unread[size].add(name)
        return name

    def instruction(self, form):
        sources = [self.read(group.size) for group in form.sources]
        names = [self.write(group.size) if group.written else sources.pop(0) for group in form.groups]
        return form.with_registers(names)

    def access(self):
        text = self.chance.choice(MEMORY).replace("{offset}", str(256 * self.chance.randrange(16))).replace("{above}", str(8192 + 256 * self.chance.randrange(16)))
        for size in POOL:
            text = text.replace(f"{{s.{size}}}", self.read(size)) if f"{{s.{size}}}" in text else text
            text = text.replace(f"{{d.{size}}}", self.write(size)) if f"{{d.{size}}}" in text else text
        return text


def loads():
    """Values of all registers of the pool, which could be anything for all that ptxas knows."""
    for index, name in enumerate(f"{stem}{number}" for stem, count in POOL.values() for number in range(count)):
        place = f"[%memory+{256 * (index % 16)}]"
        if name.startswith("%p"):
            yield f"ld.volatile.global.u32 %sum, {place}; setp.ne.u32 {name}, %sum, {index};"
        else:
            size = {"%h": "u16", "%r": "u32", "%d": "u64"}[name[:2]]
            yield f"ld.volatile.global.{size} {name}, {place};"


def sums():
    """One number that all registers of the pool have a part in."""
    yield "mov.u32 %sum, %r0;"
    for number in range(1, POOL["b32"][1]):
        yield f"xor.b32 %sum, %sum, %r{number};"
    for number in range(POOL["b64"][1]):
        yield f"{{ .reg .b32 l, h; mov.b64 {{l, h}}, %d{number}; xor.b32 %sum, %sum, l; xor.b32 %sum, %sum, h; }}"
    for number in range(0, POOL["b16"][1], 2):
        yield f"{{ .reg .b32 t; mov.b32 t, {{%h{number}, %h{number + 1}}}; xor.b32 %sum, %sum, t; }}"
    for number in range(POOL["pred"][1]):
        yield f"{{ .reg .b32 t; selp.b32 t, {1 << number}, 0, %p{number}; xor.b32 %sum, %sum, t; }}"


def kernel(seed, choices):
    chance = random.Random(seed)
    line, mnemonics = Line(chance), sorted(choices)
    few = chance.sample(mnemonics, chance.randrange(3, len(mnemonics)))  # some kernels of few kinds, some of all
    body = []
    for _ in range(chance.randrange(*LENGTHS)):
        if chance.random() < MEMORY_SHARE:
            body.append(line.access())
        else:
            body.append(line.instruction(chance.choice(choices[chance.choice(few)])))
    return "\n".join([BEGIN.format(name=f"line{seed}", loads="\n".join(loads())), *body, END.format(sums="\n".join(sums()), rounds=ROUNDS)])


def main():
    table, times, folder, *rest = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    choices = by_mnemonic(open(table), open(times))
    with open(os.path.join(folder, "straight.ptx"), "w") as out:
        out.write(HEAD)
        count, first = [*map(int, rest), *(COUNT, 0)[len(rest):]]
        for seed in range(first, first + count):
            out.write(kernel(seed, choices))


if __name__ == "__main__":
    main()
