#!/usr/bin/env python3
"""product.py: asks ptxas for the whole product of every family's words, types and operands, and prints what the inventory lacks.

    product.py words                     the modifier words that ptxas knows, from its own strings, into words.txt
    product.py ask [FAMILY …] [sm_… …]   per family: its numbers, and every accepted instruction that the inventory has no row for

Needs ptxas and zstd. How it goes about it: README.md."""
import collections, itertools, multiprocessing, os, pathlib, random, re, subprocess, sys, time

from families import CACHE_WORDS, IGNORED, ORDERED, TYPES, families, identity, inventory, skeleton, split_words
from operands import mutations, sized
from ptxas_answers import ACCEPTED, CLASH, CRASH, NEEDS, OPERANDS, OUT, TYPES as TYPES_WRONG, ask
import ptxas_answers

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parents[3] / "semantics/inventory/forms.tsv.zst"
TARGETS = ["sm_90a", "sm_100a", "sm_103a", "sm_120a"]
SLICE = 20000
# The most lines one step of one family may ask; what it leaves out is said.
LIMIT = int(float(os.environ.get("LIMIT", 4e6)))
# Whose hints to caches, which change nothing else, are left out of the product.
HINTED = {"ld", "ld.global.nc", "ldu", "st", "atom", "red"}


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


class Search:
    """One family on one target."""

    def __init__(self, pool, family, target, words):
        self.pool, self.family, self.target, self.name = pool, family, target, family.name
        self.words = [w for w in words if w not in TYPES and w not in ("row", "col", *self.name.split("."))] + ORDERED
        self.asked, self.crashed, self.notes = 0, set(), []
        self.rank = {w: sum(places) / len(places) for w, places in family.places.items()}
        self.shapes = [shape for shape, _ in family.shapes.most_common()]

    def ask(self, lines):
        self.asked += len(lines)
        parts = [lines[i:i + SLICE] for i in range(0, len(lines), SLICE)]
        answers = "".join(self.pool.starmap(ask, [(part, self.target) for part in parts]))
        self.crashed |= set(line for line, answer in zip(lines, answers) if answer == CRASH) if len(self.crashed) < 1000 else set()
        return answers

    def written(self, words, types):
        """Some words have places, right behind the name: there the family's rows have them."""
        return ".".join([self.name, *sorted([w for w in words if w], key=lambda w: (self.rank.get(w, 99), w)), *types])

    def hint(self, word):
        return self.name in HINTED and CACHE_WORDS.match(word)

    def bases(self):
        """Rows that between them have every word, list of types and kind of operands, and that this target has."""
        chosen, seen = [], set()
        for words, types, shape in self.family.examples:
            new = {*words, types, re.sub(r"\d+", "", shape)}
            if not new <= seen:
                seen |= new
                chosen.append((words, types, shape))
        chosen = chosen[:60]
        answers = self.ask([self.written(w, t) + s for w, t, s in chosen])
        return [base for base, answer in zip(chosen, answers) if answer == ACCEPTED]

    def beside(self, base, word):
        """The word beside those of a row, and in the place of each."""
        words, types, shape = base
        return [] if word in words else [self.written(choice, types) + shape for choice in [words + (word,)] + [words[:i] + words[i + 1:] + (word,) for i in range(len(words))]]

    def vocabulary(self, bases):
        """The words that some row can stand: ptxas does not say beside each row that the instruction has no such word, or takes it in the place of one."""
        pairs = [(w, line, i) for base in bases for w in self.words for i, line in enumerate(self.beside(base, w))]
        answers = self.ask([line for _, line, _ in pairs])
        self.crashing = {w for (w, _, _), answer in zip(pairs, answers) if answer == CRASH}
        own = {w for words, _, _ in bases for w in words}
        return own | {w for (w, _, i), answer in zip(pairs, answers) if answer not in (OUT, CRASH) and (i == 0 or answer in (ACCEPTED, OPERANDS, NEEDS))}

    def two_unknown(self, bases, known):
        """Whether two words that are both out alone go together: beside the row of the fewest words, and beside the name alone."""
        out = [w for w in self.words if w not in known and w not in self.crashing and w not in ORDERED]
        words, types, shape = min(bases, key=lambda base: len(base[0]))
        lines = [self.written(words + pair, types) + shape for pair in itertools.combinations(out, 2)]
        return {w for pair, answer in zip(itertools.combinations(out, 2), self.ask(lines)) if answer not in (OUT, CRASH, CLASH) for w in pair}

    def clashes(self, bases, known):
        """Pairs of words that ptxas says never stand together, in each of up to 24 rows that have one of them."""
        together = {frozenset(pair) for words, _, _ in self.family.examples for pair in itertools.combinations(words, 2)}
        lines, of = [], []
        for word in sorted(known):
            mine = [base for base in bases if word in base[0]][:12]
            for base in mine or [(words + (word,), types, shape) for words, types, shape in bases[:12]]:
                for other in known - set(base[0]):
                    rest = tuple(w for w in base[0] if w != word)
                    for words in [rest + (word, other)] + [rest[:i] + rest[i + 1:] + (word, other) for i in range(len(rest))]:
                        lines.append(self.written(words, base[1]) + base[2])
                        of.append(frozenset((word, other)))
        together |= {pair for pair, answer in zip(of, self.ask(lines)) if answer not in (CLASH, OUT, CRASH)}
        return set(of) - together

    def choices(self, known, clash):
        """Every set of words of which no two clash."""
        order, against = sorted(known), collections.defaultdict(set)
        for a, b in map(tuple, clash):
            against[a].add(b)
            against[b].add(a)
        made, limit = [()], LIMIT
        for word in order:
            made += [one + (word,) for one in made if not against[word].intersection(one)]
            if len(made) > limit:
                return None
        return made

    def type_lists(self, bases):
        """All of one or two types; of more, all of the types that go in some place of a known list."""
        lists = set(self.family.type_lists)
        for count in sorted({len(one) for one in lists}):
            if count in (1, 2):
                lists |= set(itertools.product(TYPES, repeat=count))
            elif count > 2:
                mine = [base for base in bases if len(base[1]) == count]
                tried = [(t, self.written(w, ts[:i] + (t,) + ts[i + 1:]) + s) for w, ts, s in mine for i in range(count) for t in TYPES]
                good = {t for (t, _), answer in zip(tried, self.ask([line for _, line in tried])) if answer in (ACCEPTED, OPERANDS)}
                good |= {t for one in self.family.type_lists if len(one) == count for t in one}
                lists |= set(itertools.product(sorted(good), repeat=count)) if len(good) ** count <= 5000 else \
                    {one[:i] + (t,) + one[i + 1:] for one in lists if len(one) == count for i in range(count) for t in good}
        return sorted(lists)

    def run(self):
        bases = self.bases()
        if not bases:
            return {}, {}
        known = self.vocabulary(bases)
        if more := self.two_unknown(bases, known):
            self.notes.append("two that go only together: " + " ".join(sorted(more)))
        clash = self.clashes(bases, known)
        sets = self.choices(known, clash)
        if sets is None or self.name in HINTED:
            known = {w for w in known if not self.hint(w)}
            sets = self.choices(known, clash)
        if sets is None:
            own = {w for words, _, _ in bases for w in words}
            self.notes.append("too many; only with: " + " ".join(sorted(known - own)))
            known = {w for w in own if not self.hint(w)}
            sets = self.choices(known, clash)
        if sets is None:
            self.notes.append("not asked")
            return {}, {}
        common = [one for one, _ in self.family.type_lists.most_common()]
        # One shape of each kind.
        plain = list({skeleton("x" + shape): shape for shape in reversed(self.shapes)}.values())[::-1][:6]
        alive = {one for one in sets if frozenset(one) in {frozenset(words) for words, _, _ in self.family.examples}}
        todo = [one for one in sets if one not in alive]
        for types, shape in itertools.product(common if len(sets) * len(common) < LIMIT else common[:24], plain):
            answers = self.ask([self.written(c, types) + shape for c in todo]) if len(todo) < LIMIT // 4 else ""
            alive |= {c for c, answer in zip(todo, answers) if answer in (ACCEPTED, OPERANDS, TYPES_WRONG)}
            todo = [c for c, answer in zip(todo, answers) if answer in (OUT, NEEDS, CRASH)] if answers else todo
        lists = self.type_lists(bases)
        able, alive = set(), sorted(alive)
        if len(alive) * len(lists) > LIMIT * 4:
            self.notes.append(f"types: known lists only, not {len(lists)}")
            lists = sorted(self.family.type_lists)
        pairs = [(c, types) for c in alive for types in lists]
        for shape in plain:
            answers = self.ask([self.written(c, types) + shape for c, types in pairs])
            able |= {p for p, answer in zip(pairs, answers) if answer in (ACCEPTED, OPERANDS, CRASH)}
            pairs = [p for p in pairs if p not in able]
        accepted, left = {}, sorted(able)
        kinds = {skeleton("x" + shape): shape for shape in reversed(self.shapes)}
        others = [s for s in sorted({one for shape in kinds.values() for one in sized(shape)}) if s not in self.shapes]
        for stage in (self.shapes, others):
            if stage is others and len(left) * len(others) > LIMIT // 4:
                self.notes.append(f"{len(left)} of other operands not asked in {len(others)} shapes")
                continue
            for shape in stage:
                for p, answer in zip(left, self.ask([self.written(*p) + shape for p in left])):
                    if answer == ACCEPTED:
                        accepted[p] = self.written(*p) + shape
                left = [p for p in left if p not in accepted]
        self.numbers = f"words {len(known)}\tsets {len(sets)}\talive {len(alive)}\tlists {len(lists)}\table {len(able)}"
        return accepted, self.other_operands(accepted)

    def other_operands(self, accepted):
        """Accepted instructions with operands of another number or kind, where no row of the instruction has such."""
        rows = self.family.skeletons
        lines = sorted({line for text in accepted.values() for line in mutations(text)})
        if len(lines) > LIMIT:
            self.notes.append(f"operands: {LIMIT} of {len(lines)}")
            lines = random.Random(1).sample(lines, LIMIT)
        found = {}
        for line, answer in zip(lines, self.ask(lines)):
            key = (identity(line.split(" ")[0].rstrip(";"), False), skeleton(line))
            if answer == ACCEPTED and key not in rows:
                found.setdefault(key, line)
        return found


def main():
    if sys.argv[1] == "words":
        (HERE / "words.txt").write_text("\n".join(sorted(known_words() - IGNORED)) + "\n")
        return
    words = (HERE / "words.txt").read_text().split()
    rows = inventory(TABLE)
    found = families(rows)
    wanted = [a for a in sys.argv[2:] if a in found] or sorted(found, key=lambda name: (len(found[name].words), name))
    targets = [a for a in sys.argv[2:] if a.startswith("sm_")] or TARGETS
    have = {identity(row[5], False) for row in rows}
    with multiprocessing.Pool(int(os.environ.get("CORES", os.cpu_count()))) as pool:
        for name, target in itertools.product(wanted, targets):
            begin, search = time.time(), Search(pool, found[name], target, [w for w in words if w not in IGNORED])
            accepted, others = search.run()
            lack = {}
            for (choice, types), line in accepted.items():
                if (key := identity(search.written(choice, types), False)) not in have:
                    lack.setdefault(key, line)
            mine = {identity(search.written(*p), False) for p in accepted}
            missed = [row[7] for row in rows if split_words(row[5])[0] == name and row[2] == target and not row[8] and identity(row[5], False) not in mine] \
                if target != "sm_90a" else [row[7] for row in rows if split_words(row[5])[0] == name and row[1] == "yes" and not row[8] and identity(row[5], False) not in mine]
            print(f"{name}\t{target}\tasked {search.asked}\taccepted {len(accepted)}\tlacking {len(lack)}\tother operands {len(others)}\trows missed {len(missed)}\t"
                  f"crashes {len(search.crashed)}\t{getattr(search, 'numbers', '')}\t{time.time() - begin:.1f} s\t{'; '.join(search.notes)}")
            for mark, lines in (("", sorted(lack.values())), ("operands ", sorted(others.values())), ("missed ", missed[:20])):
                for line in lines[:3000]:
                    print(f"\t{mark}{line}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
