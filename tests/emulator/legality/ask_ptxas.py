#!/usr/bin/env python3
"""ask_ptxas.py: makes cases.tsv.zst anew: instructions, legal ones and mutations, each with ptxas's answer. Needs ptxas and zstd.

A line of the table: .version, .target, "accept" or "reject", how the case came about, the instruction. The choice depends on
nothing but the inventory of forms, so the table changes only with the inventory, this script or ptxas."""
import collections, itertools, pathlib, random, re, subprocess, tempfile, zlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
FORMS_AN_OPCODE, CHUNK = 70, 2000
TYPES = "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 pred e4m3 u16x2".split()
MODIFIERS = ("ftz sat rn rz rm rp rni approx full hi lo wide cc sync aligned relaxed acquire release volatile weak cta gpu sys global "
             "shared local const v2 v4 noftz relu nan uni L2::128B L1::evict_last trans a1d 2d x2 to clamp wrap").split()
# The least target, and versions on both sides of what introduced things.
SETTINGS = [("9.0", "sm_90a"), ("9.0", "sm_90"), ("9.0", "sm_80"), ("9.0", "sm_75"), ("8.0", "sm_90a"), ("7.8", "sm_90"), ("7.0", "sm_80"),
            ("6.3", "sm_75"), ("8.5", "sm_90a")]
# For what came after sm_90a: how many forms of an opcode and its first word are mutated.
NEWER_FORMS = 40
NEWER_SETTINGS = [("9.0", "sm_90a"), ("9.0", "sm_100"), ("9.0", "sm_100f"), ("9.0", "sm_100a"), ("9.0", "sm_103"), ("9.0", "sm_103f"),
                  ("9.0", "sm_103a"), ("9.0", "sm_110"), ("9.0", "sm_110f"), ("9.0", "sm_110a"), ("9.0", "sm_120"), ("9.0", "sm_120f"),
                  ("9.0", "sm_120a"), ("9.0", "sm_121a"), ("8.8", "sm_100a"), ("8.8", "sm_103f"), ("8.8", "sm_120a"), ("8.7", "sm_100a"),
                  ("8.7", "sm_120a"), ("8.6", "sm_100a")]
POOLS = [("b8", "b", 24), ("b16", "h", 64), ("b32", "r", 700), ("b64", "l", 64), ("pred", "p", 24)]
NAMED = {"b32": "memlo sm smat mbar taddr cadr32 ladr32 padr32 zero one nt mask sz four meta c32 ldm stk32 rank", "pred": "ptrue", "b16": "mask1",
         "b64": "mem memg mem0 memg0 smx gensm gensmat genmbar tmapp texh surfh pol cadr ladr padr szx mbst dA dB stk64 rankx op"}


def head(version, target, independent):
    """As emulator/fidelity/kernel_text.cpp writes it, with every register at once."""
    text = f".version {version}\n.target {target}{', texmode_independent' if independent else ''}\n.address_size 64\n"
    text += ".global .align 128 .b32 gvar[64]; .const .align 16 .b32 carr[64]; .const .align 4 .b32 cvar = 7;\n.global .texref texr; .global .surfref sfr;"
    text += " .global .samplerref smpr;\n" if independent else "\n"
    text += ".func (.param .b32 rv) func (.param .b32 a0) { ret; }\n.visible .entry kself() { ret; }\n"
    text += ".visible .entry k(.param .align 128 .b8 pin[256], .param .align 128 .b8 ptmap[128]) {\n"
    for kind, letter, count in POOLS + ([("b128", "q", 32)] if tuple(map(int, version.split("."))) >= (8, 3) else []):
        text += f".reg .{kind} %{letter}<{count}>; "
    for kind, names in NAMED.items():
        text += " ".join(f".reg .{kind} %{name};" for name in names.split())
    return text + "\n.param .align 128 .b8 fpar[256]; .local .align 128 .b8 larr[256]; .local .align 4 .b32 lvar; .shared .align 128 .b8 sbuf[32768]; " \
        ".shared .align 8 .b64 mbarv; .shared .align 8 .b64 svar;\nTGTS: .branchtargets LBL;\n"


def run(lines, version, target, independent, folder):
    """The lines ptxas complains about; None: it crashed, hung or complained without a place."""
    before = head(version, target, independent)
    file = pathlib.Path(folder) / "cases.ptx"
    # Some errors are found at the next token: that of a line of its own.
    file.write_text(before + "".join(f"{line}\nmov.b32 %r0, %r0;\n" for line in lines) + "LBL: ret;\n}\n")
    first = before.count("\n") + 1
    try:
        answer = subprocess.run(["ptxas", "-arch=" + target.replace("sm_", "compute_"), str(file), "-o", "/dev/null"], capture_output=True, text=True,
                                errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return None
    bad = {(int(m.group(1)) - first) // 2 for m in re.finditer(r"ptxas (?!<builtin>)\S+, line (\d+); (?:error|fatal) ", answer.stderr)}
    if any(n < 0 or n >= len(lines) for n in bad):
        raise RuntimeError(answer.stderr[:400])
    return bad if answer.returncode == 0 or (bad and answer.returncode > 0) else None


def ask(lines, version, target, independent, folder):
    """One verdict a line. Errors may hide later ones: what is accepted is asked again without the rejected."""
    accepted, open_ranges = [False] * len(lines), [list(range(i, min(i + CHUNK, len(lines)))) for i in range(0, len(lines), CHUNK)]
    while open_ranges:
        chosen = open_ranges.pop()
        bad = run([lines[i] for i in chosen], version, target, independent, folder)
        if bad is None:
            if len(chosen) > 1:
                open_ranges += [chosen[:len(chosen) // 2], chosen[len(chosen) // 2:]]
        elif bad:
            open_ranges.append([i for n, i in enumerate(chosen) if n not in bad])
        else:
            for i in chosen:
                accepted[i] = True
    return accepted


def operands_of(text):
    """'{%r0, %r1}, [%sm]' -> its operands."""
    return re.findall(r"(?:\{[^}]*\}|\[[^\]]*\]|[^,{\[])+", text)


def mutations(mnemonic, operands, vocabulary, chance):
    words, types = mnemonic.split("."), [i for i, w in enumerate(mnemonic.split(".")) if w in TYPES]
    join = lambda w, o: ".".join(w) + (" " + ", ".join(x.strip() for x in o) if o else "") + ";"
    if types:
        at = chance.choice(types)
        yield "type", join(words[:at] + [chance.choice([t for t in TYPES if t != words[at]])] + words[at + 1:], operands)
    at = chance.randrange(1, len(words) + 1)
    yield "modifier added", join(words[:at] + [chance.choice(MODIFIERS)] + words[at:], operands)
    if len(words) > 1:
        at = chance.randrange(1, len(words))
        yield "modifier removed", join(words[:at] + words[at + 1:], operands)
        yield "modifier replaced", join(words[:at] + [chance.choice(vocabulary)] + words[at + 1:], operands)
    if len(words) > 2:
        at = chance.randrange(1, len(words) - 1)
        yield "order", join(words[:at] + [words[at + 1], words[at]] + words[at + 2:], operands)
    if operands:
        yield "operand missing", join(words, operands[:-1])
        yield "operand added", join(words, operands + [chance.choice(operands)])
        at = chance.randrange(len(operands))
        if re.fullmatch(r"\s*%[hrlp]\d+", operands[at]):
            other = chance.choice([x for x in ("%h60", "%r60", "%l60", "%p20", "1", "0f3f800000", "0d3ff0000000000000", "_", "-3")])
            yield "operand replaced", join(words, operands[:at] + [other] + operands[at + 1:])


def inventory():
    table = subprocess.run(["zstd", "-dc", str(ROOT / "semantics/inventory/forms.tsv.zst")], capture_output=True, check=True).stdout.decode()
    return [line.split("\t") for line in table.splitlines()[1:]]


def cases():
    by_opcode = collections.defaultdict(list)
    for row in inventory():
        if row[7] and not row[8] and "." in row[5] + ".":
            by_opcode[row[5].split(".")[0]].append(row)
    for opcode, mine in sorted(by_opcode.items()):
        mine.sort(key=lambda row: zlib.crc32((row[5] + row[6]).encode()))
        vocabulary = sorted({word for row in mine for word in row[5].split(".")[1:]}) or ["sync"]
        for row in mine[:FORMS_AN_OPCODE]:
            chance = random.Random(zlib.crc32(row[7].encode()))
            operands = operands_of(row[7][len(row[5]):-1])
            yield *SETTINGS[0], "form", row[7]
            yield *chance.choice(SETTINGS[1:]), "form elsewhere", row[7]
            if row[1] == "yes":
                for how, text in mutations(row[5], operands, vocabulary, chance):
                    yield *(SETTINGS[0] if chance.random() < 0.8 else chance.choice(SETTINGS[1:])), how, text


def newer_cases():
    """Of forms that need more than sm_90a; and whether newer targets have what sm_90a has."""
    by_name, older = collections.defaultdict(list), collections.defaultdict(list)
    for row in inventory():
        if not row[7] or row[8]:
            continue
        if row[1] == "no" and int(re.sub(r"\D", "", row[2])) > 90:
            by_name[tuple(row[5].split(".")[:2])].append(row)
        elif row[1] == "yes":
            older[tuple(row[5].split(".")[:3])].append(row)
    by_hash = lambda row: zlib.crc32((row[5] + row[6]).encode())
    for _, mine in sorted(by_name.items()):
        mine.sort(key=by_hash)
        vocabulary = sorted({word for row in mine for word in row[5].split(".")[1:]})
        for i, row in enumerate(mine):
            chance = random.Random(zlib.crc32(row[7].encode()))
            for setting in chance.sample(NEWER_SETTINGS, 4 if i < NEWER_FORMS else 2):
                yield *setting, "newer form elsewhere", row[7]
            if i >= NEWER_FORMS:
                continue
            yield "9.0", row[2], "newer form", row[7]
            for how, text in mutations(row[5], operands_of(row[7][len(row[5]):-1]), vocabulary, chance):
                yield "9.0", row[2], how, text
    for _, mine in sorted(older.items()):
        row = min(mine, key=by_hash)
        for setting in random.Random(zlib.crc32(row[7].encode())).sample(NEWER_SETTINGS[1:], 2):
            yield *setting, "form on a newer target", row[7]


def main():
    groups = collections.defaultdict(dict)
    for version, target, how, text in itertools.chain(cases(), newer_cases()):
        groups[(version, target, "smpr" in text)].setdefault(text, how)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for (version, target, independent), mine in sorted(groups.items()):
            texts = sorted(mine)
            for text, good in zip(texts, ask(texts, version, target, independent, folder)):
                lines.append(f"{version}\t{target}\t{'accept' if good else 'reject'}\t{mine[text]}\t{text}\n")
    file = pathlib.Path(__file__).with_name("cases.tsv.zst")
    content = "".join(lines).encode()
    subprocess.run(["zstd", "-q", "-f", "--ultra", "-22", f"--stream-size={len(content)}", "-o", str(file)], input=content, check=True)
    print(len(lines), "cases,", sum("\taccept\t" in line for line in lines), "accepted,", file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
