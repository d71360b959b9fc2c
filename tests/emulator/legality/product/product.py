#!/usr/bin/env python3
"""product.py: asks ptxas for the whole product of every family's words, types and operands, and prints what the inventory lacks.

    product.py words                     the modifier words that ptxas knows, from its own strings, into words.txt
    product.py ask [FAMILY …] > answers  per family: asked, accepted, and every accepted instruction that the inventory has no row for

Needs ptxas and zstd. How it goes about it: README.md."""
import itertools, math, multiprocessing, os, pathlib, re, subprocess, sys

from families import CACHE_WORDS, IGNORED, TYPES, families, identity, inventory, slots, split_words
from ptxas_answers import ACCEPTED, CRASH, NEEDS, NO_WORD, OPERANDS, TYPES as TYPES_WRONG, WORDS, ask
import ptxas_answers

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parents[3] / "semantics/inventory/forms.tsv.zst"
TARGETS = ["sm_90a", "sm_100a", "sm_103a", "sm_120a"]
REGISTER = re.compile(r"%([bhrlqp])(\d+)\b")
SLICE = 40000
# Shapes of matrices: each family has its own.
SHAPE = re.compile(r"(m?\d+n?x?\d+(b|bx2|k\d+)?|collector::.*)$")
# Whose hints to caches, which change nothing else, are left out of the product.
HINTED = {"ld", "ld.global.nc", "ldu", "st", "atom", "red"}


def answers(pool, lines, target):
    """Those of many lines, by all cores."""
    parts = [lines[i:i + SLICE] for i in range(0, len(lines), SLICE)]
    return list(itertools.chain.from_iterable(pool.starmap(ask, [(part, target) for part in parts])))


def written(name, words, types):
    return ".".join([name, *[w for w in words if w], *types])


def known_words():
    """A word ptxas does not know is an unknown modifier; one that is no modifier is an error of syntax, which ends the run."""
    text = pathlib.Path(subprocess.run(["which", "ptxas"], capture_output=True, text=True).stdout.strip()).read_bytes()
    found = {w.decode() for w in re.findall(rb"[A-Za-z0-9_]+(?:::[A-Za-z0-9_]+)*", text) if 1 <= len(w) <= 28}
    inside = {w for row in inventory(TABLE) for w in row[5].split(".")[1:]}
    known, rest = set(), [sorted(found | inside)]
    while rest:
        some = rest.pop()
        codes = ptxas_answers.run([f"add.s32.{w} %r0, %r1, %r2;" for w in some], "9.0", "sm_100a", False, HERE / "words.ptx")
        if codes[2] is not None or len(codes[1]) < len(some) - sum(w in IGNORED for w in some):
            if len(some) > 1:
                rest += [some[:len(some) // 2], some[len(some) // 2:]]
            continue
        known |= {w for i, w in enumerate(some) if not any(m.startswith("Unknown modifier") for m in codes[1].get(i, []))}
    return known | inside


def more_words(pool, family, target, words):
    """The words of ptxas's that go with some form of the family: beside its own, or in one's place."""
    bases, seen = [], set()
    for mnemonic, text in family.examples:
        new = set(split_words(mnemonic)[1]) | set(split_words(mnemonic)[2])
        if not new <= seen or not bases:
            seen |= new
            bases.append((mnemonic, text))
    lines, of = [], []
    for mnemonic, text in bases[:40]:
        name, own, types = split_words(mnemonic)
        for word in words:
            for choice in [] if word in own else [own + [word]] + [own[:i] + [word] + own[i + 1:] for i in range(len(own))]:
                lines.append(written(name, choice, types) + text)
                of.append(word)
    found = {w for w, code in zip(of, answers(pool, lines, target)) if code in (ACCEPTED, OPERANDS) or (code in (TYPES_WRONG, NEEDS) and not SHAPE.match(w))}
    return found - {"row", "col"} - set(family.name.split(".")), len(lines)


def type_lists(family):
    """All of one or two types; of more, the known ones with any one of them replaced."""
    lists = set(family.type_lists)
    for count in {len(one) for one in lists}:
        if count <= 2:
            lists |= set(itertools.product(TYPES, repeat=count))
    for one in [one for one in lists if len(one) > 2]:
        lists |= {one[:i] + (t,) + one[i + 1:] for i in range(len(one)) for t in TYPES}
    return sorted(lists)


def sized(shape):
    """The shape with registers of all sizes in every place: with up to four of them, all ways; the registers of a vector are alike."""
    vectors = re.findall(r"\{[^}]*\}|%[bhrlqp]\d+\b", shape)
    places = [v for v in vectors if REGISTER.search(v)]
    if len(places) > 4:
        return [shape]
    made = []
    for sizes in itertools.product("bhrlqp" if len(places) < 4 else "bhrl", repeat=len(places)):
        choice = iter(sizes)
        made.append(re.sub(r"\{[^}]*\}|%[bhrlqp]\d+\b", lambda m: REGISTER.sub(lambda r, s=next(choice): f"%{s}{r.group(2) if int(r.group(2)) < 24 else 3}", m.group(0))
                           if REGISTER.search(m.group(0)) else m.group(0), shape))
    return made


def ask_family(pool, family, target, words):
    """-> how many instructions were asked, and those accepted."""
    found, asked = more_words(pool, family, target, words)
    own, family.words = family.words, family.words | {w for w in found if w not in TYPES}
    if math.prod(len(slot) for slot in slots({w for w in family.words if family.name not in HINTED or not CACHE_WORDS.match(w)})) > 2_000_000:
        family.words = own
    common = [one for one, _ in family.type_lists.most_common(24)]
    shapes = [shape for shape, _ in family.shapes.most_common()]
    sets = list(itertools.product(*slots({w for w in family.words if family.name not in HINTED or not CACHE_WORDS.match(w)})))
    alive = set()
    for types in common if len(sets) < 100_000 else common[:3]:
        for shape in shapes[:2] if len(sets) < 100_000 else shapes[:1]:
            lines = [written(family.name, c, types) + shape for c in sets]
            asked += len(lines)
            alive |= {c for c, code in zip(sets, answers(pool, lines, target)) if code not in (WORDS, NEEDS, NO_WORD)}
    lists = type_lists(family)
    pairs = [(c, types) for c in sorted(alive) for types in (lists if len(alive) * len(lists) < 8_000_000 else sorted(family.type_lists))]
    able = set()
    for shape in shapes[:2]:
        lines = [written(family.name, c, types) + shape for c, types in pairs]
        asked += len(lines)
        able |= {p for p, code in zip(pairs, answers(pool, lines, target)) if code in (ACCEPTED, OPERANDS, CRASH)}
    accepted, left = {}, sorted(able)
    for shape in shapes:
        lines = [written(family.name, *p) + shape for p in left]
        asked += len(lines)
        for p, line, code in zip(left, lines, answers(pool, lines, target)):
            if code == ACCEPTED:
                accepted.setdefault(p, line)
        left = [p for p in left if p not in accepted]
    others = sorted({one for shape in shapes[:40] for one in sized(shape)} - set(shapes))
    for shape in others if len(left) * len(others) < 300_000 else []:
        lines = [written(family.name, *p) + shape for p in left]
        asked += len(lines)
        for p, line, code in zip(left, lines, answers(pool, lines, target)):
            if code == ACCEPTED:
                accepted.setdefault(p, line)
    return asked, accepted


def main():
    if sys.argv[1] == "words":
        (HERE / "words.txt").write_text("\n".join(sorted(known_words() - IGNORED)) + "\n")
        return
    words = (HERE / "words.txt").read_text().split()
    rows = inventory(TABLE)
    found = families(rows)
    for family in found.values():
        family.examples = []
    for row in rows:
        name = split_words(row[5])[0]
        if name in found and not row[8]:
            found[name].examples.append((row[5], row[7][len(row[5]):]))
    wanted = [a for a in sys.argv[2:] if a in found] or sorted(found, key=lambda name: (len(found[name].words), name))
    targets = [a for a in sys.argv[2:] if a.startswith("sm_")] or TARGETS
    have = {identity(row[5], False) for row in rows}
    with multiprocessing.Pool(int(os.environ.get("CORES", os.cpu_count()))) as pool:
        for name in wanted:
            for target in targets:
                asked, accepted = ask_family(pool, found[name], target, words)
                lack = {}
                for (choice, types), line in accepted.items():
                    mnemonic = written(name, choice, types)
                    if identity(mnemonic, False) not in have:
                        lack.setdefault(identity(mnemonic, False), line)
                print(f"{name}\t{target}\tasked {asked}\taccepted {len(accepted)}\tlacking {len(lack)}")
                for line in sorted(lack.values()):
                    print(f"\t{line}")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
