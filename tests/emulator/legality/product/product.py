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
CORES = int(os.environ.get("CORES", os.cpu_count()))
# So many slices are asked between two looks at the clock.
AT_ONCE = 32
# The most lines one step of one family may ask; what it leaves out is said.
LIMIT = int(float(os.environ.get("LIMIT", 4e6)))
# After so many seconds a family ends with what it has found, and says at which step.
SECONDS = float(os.environ.get("SECONDS_EACH", 1e9))
# More sets of words than these are made for each list of types by itself, of the words that may stand beside it.
MANY = int(os.environ.get("MANY", 50000))
SHAPE = re.compile(r"m(\d+)n\d+k(\d+)$")
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


def thinned(words):
    """Of the shapes of matrices that differ in n alone, and are many, the two smallest and the largest; -> which are left, and for each the others it stands for."""
    alike = collections.defaultdict(list)
    for word in words:
        if found := SHAPE.match(word):
            alike[found.groups()].append(word)
    kept, others = set(words), {}
    for some in alike.values():
        some.sort(key=lambda w: int(re.search(r"n(\d+)", w).group(1)))
        if len(some) > 6:
            kept -= set(some[2:-1])
            others |= {w: some[2:-1] for w in some[:2] + some[-1:]}
    return kept, others


class TooLong(Exception):
    pass


class Search:
    """One family on one target."""

    def __init__(self, pool, family, target, words):
        self.pool, self.family, self.target, self.name = pool, family, target, family.name
        self.words = [w for w in words if w not in TYPES and w not in ("row", "col", *self.name.split("."))] + ORDERED
        self.asked, self.crashed, self.notes, self.step, self.end = 0, set(), [], "", time.time() + SECONDS
        self.accepted, self.numbers = {}, ""
        self.rank = {w: sum(places) / len(places) for w, places in family.places.items()}
        self.shapes = [shape for shape, _ in family.shapes.most_common()]

    def ask(self, lines):
        self.asked += len(lines)
        size = min(SLICE, max(1000, len(lines) // (4 * CORES) + 1))
        parts = [lines[i:i + size] for i in range(0, len(lines), size)]
        answers = ""
        for i in range(0, len(parts), AT_ONCE):
            if time.time() > self.end:
                raise TooLong
            answers += "".join(self.pool.starmap(ask, [(part, self.target) for part in parts[i:i + AT_ONCE]]))
        if os.environ.get("PROGRESS"):
            print(f"{self.name} {self.target} {self.step} asked {self.asked}", file=sys.stderr, flush=True)
        self.crashed |= set(line for line, answer in zip(lines, answers) if answer == CRASH) if len(self.crashed) < 1000 else set()
        return answers

    def written(self, words, types):
        """Some words have places, right behind the name: there the family's rows have them."""
        return ".".join([self.name, *sorted([w for w in words if w], key=lambda w: (self.rank.get(w, 99), w)), *types])

    def hint(self, word):
        return self.name in HINTED and CACHE_WORDS.match(word)

    def bases(self):
        """Rows that this target has, and that between them have every word, list of types and kind of operands."""
        chosen, seen = [], set()
        answers = self.ask([self.written(w, t) + s for w, t, s in self.family.examples])
        self.every = [one for one, answer in zip(self.family.examples, answers) if answer == ACCEPTED]
        kept = thinned(self.family.words)[0]
        self.mine = [one for one in self.every if kept.issuperset(one[0])]
        mine = {shape for _, _, shape in self.mine}
        self.shapes = [shape for shape in self.shapes if shape in mine]
        for words, types, shape in self.mine:
            new = {*words, types, re.sub(r"\d+", "", shape)}
            if not new <= seen:
                seen |= new
                chosen.append((words, types, shape))
        return chosen[:60]

    def beside(self, base, word):
        """The word beside those of a row, and in the place of each."""
        words, types, shape = base
        return [] if word in words else [self.written(choice, types) + shape for choice in [words + (word,)] + [words[:i] + words[i + 1:] + (word,) for i in range(len(words))]]

    def vocabulary(self, bases):
        """The words that some row can stand: ptxas does not say beside each row that the instruction has no such word, or takes it in the place of one.
        A place where most words get one answer tells nothing: what the row lacks there hides them. Of two that clash, the place of the other tells.
        Two state spaces that clash wherever they are tried clash with each other."""
        pairs = [(b, w, line, i) for b, base in enumerate(bases) for w in self.words for i, line in enumerate(self.beside(base, w))]
        answers = self.ask([line for _, _, line, _ in pairs])
        self.crashing = {w for (_, w, _, _), answer in zip(pairs, answers) if answer == CRASH}
        places, of_word = collections.defaultdict(collections.Counter), collections.defaultdict(dict)
        for (b, w, _, i), answer in zip(pairs, answers):
            places[b, i][answer] += 1
            of_word[b, w][i] = answer
        found = {w for words, _, _ in bases for w in words}
        never = {w for w in ORDERED if all(answer in (CLASH, OUT) for b in range(len(bases)) for answer in of_word.get((b, w), {}).values())}
        for (b, w), mine in of_word.items():
            told = {answer for i, answer in mine.items() if answer == ACCEPTED or i and answer in (OPERANDS, NEEDS) and 2 * places[b, i][answer] < len(self.words)}
            if told or mine[0] in (NEEDS, TYPES_WRONG, OPERANDS, ACCEPTED) or mine[0] == CLASH and OUT not in mine.values() and w not in never:
                found.add(w)
        return found

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

    def choices(self, known, clash, strange=frozenset()):
        """Every set of words of which no two clash, with at most two of the strange ones."""
        order, against = sorted(known), collections.defaultdict(set)
        for a, b in map(tuple, clash):
            against[a].add(b)
            against[b].add(a)
        made, limit = [()], LIMIT
        for word in order:
            made += [one + (word,) for one in made if not against[word].intersection(one) and (word not in strange or len(strange.intersection(one)) < 2)]
            if len(made) > limit:
                return None
        return made

    def by_lists(self, known, clash):
        """The sets for each list of types of a row: of the words that, beside up to six of its rows or in place of a word there, are not refused as words or for the types;
        of words that no row of these types has, two at most."""
        alive, asked = set(), 0
        for types in sorted({types for _, types, _ in self.mine}):
            rows = [base for base in self.mine if base[1] == types]
            rows = list({re.sub(r"\d+", "", str(base)): base for base in rows}.values())[:6]
            tried = [(w, line) for base in rows for w in sorted(known) for line in self.beside(base, w)]
            fit = {w for (w, _), answer in zip(tried, self.ask([line for _, line in tried])) if answer in (ACCEPTED, OPERANDS, NEEDS)}
            own = {w for words, of, _ in self.mine if of == types for w in words if w in known}
            sets = self.choices(fit | own, clash, frozenset(fit - own)) or []
            shapes = list({skeleton("x" + shape): shape for _, of, shape in self.mine if of == types}.values())[:4]
            asked += len(sets)
            for shape in shapes:
                alive |= {one for one, answer in zip(sets, self.ask([self.written(one, types) + shape for one in sets])) if answer in (ACCEPTED, OPERANDS)}
        self.notes.append(f"{asked} sets, made for each list of types")
        return alive

    def other_shapes(self, others):
        """What was accepted with a shape of a matrix, with those that it stands for."""
        shapes = collections.defaultdict(set)
        for words, _, shape in self.every:
            for word in words:
                if SHAPE.match(word):
                    shapes[word].add(shape)
        tried = [((tuple(other if w == of else w for w in words), types), shape) for words, types in self.accepted for of in words if of in others
                 for other in others[of] for shape in sorted(shapes[other])]
        tried = sorted(set(tried))
        for (pair, shape), answer in zip(tried, self.ask([self.written(*pair) + shape for pair, shape in tried])):
            if answer == ACCEPTED:
                self.accepted[pair] = self.written(*pair) + shape

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
        """-> what is accepted, and with other operands; the notes say what was left out."""
        try:
            others = self.search()
        except TooLong:
            self.notes.append(f"not done, ended at: {self.step}")
            return self.accepted, {}
        return self.accepted, others

    def word_sets(self, bases):
        """The sets of words that ptxas takes as words with some list of types."""
        self.step = "words"
        known = self.vocabulary(bases)
        if more := self.two_unknown(bases, known):
            self.notes.append("two that go only together: " + " ".join(sorted(more)))
        known, self.others = thinned(known)
        self.step = "pairs"
        clash = self.clashes([base for base in bases if known.issuperset(base[0])], known)
        self.step = "sets"
        sets = self.choices(known, clash)
        if sets is None or self.name in HINTED:
            known = {w for w in known if not self.hint(w)}
            sets = self.choices(known, clash)
        self.numbers = f"words {len(known)}\tsets {len(sets) if sets else 'too many'}"
        if sets is None or len(sets) > MANY and self.name not in HINTED:
            return self.by_lists(known, clash)
        common = [one for one, _ in self.family.type_lists.most_common()]
        alive = {one for one in sets if frozenset(one) in {frozenset(words) for words, _, _ in self.family.examples}}
        todo = [one for one in sets if one not in alive]
        for types, shape in itertools.product(common if len(sets) * len(common) < LIMIT else common[:24], self.plain):
            answers = self.ask([self.written(c, types) + shape for c in todo]) if len(todo) < LIMIT // 4 else ""
            alive |= {c for c, answer in zip(todo, answers) if answer in (ACCEPTED, OPERANDS, TYPES_WRONG)}
            todo = [c for c, answer in zip(todo, answers) if answer in (OUT, NEEDS, CRASH)] if answers else todo
        return alive

    def search(self):
        bases = self.bases()
        if not bases:
            return {}
        # One shape of each kind; the commonest, or of many the shortest.
        plain = list({skeleton("x" + shape): shape for shape in reversed(self.shapes)}.values())[::-1]
        self.plain = (plain if len(plain) <= 12 else sorted(plain, key=len))[:6]
        alive = sorted(self.word_sets(bases))
        self.step = "types"
        lists, able = self.type_lists(bases), set()
        if len(alive) * len(lists) > LIMIT * 4:
            self.notes.append(f"types: known lists only, not {len(lists)}")
            lists = sorted(self.family.type_lists)
        pairs = [(c, types) for c in alive for types in lists]
        for shape in self.plain:
            answers = self.ask([self.written(c, types) + shape for c, types in pairs])
            able |= {p for p, answer in zip(pairs, answers) if answer in (ACCEPTED, OPERANDS, CRASH)}
            pairs = [p for p in pairs if p not in able]
        self.numbers += f"\talive {len(alive)}\tlists {len(lists)}\table {len(able)}"
        self.step, left = "operands", sorted(able)
        kinds = {skeleton("x" + shape): shape for shape in reversed(self.shapes)}
        others = [s for s in sorted({one for shape in kinds.values() for one in sized(shape)}) if s not in self.shapes]
        for stage in (self.shapes, others):
            if stage is others and len(left) * len(others) > LIMIT // 4:
                self.notes.append(f"{len(left)} of other operands not asked in {len(others)} shapes")
                continue
            for shape in stage:
                for p, answer in zip(left, self.ask([self.written(*p) + shape for p in left])):
                    if answer == ACCEPTED:
                        self.accepted[p] = self.written(*p) + shape
                left = [p for p in left if p not in self.accepted]
        self.step = "operands of other kinds"
        found = self.other_operands(self.accepted)
        if self.others:
            self.step = "other shapes of matrices"
            self.other_shapes(self.others)
        return found

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
    with multiprocessing.Pool(CORES) as pool:
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
                  f"crashes {len(search.crashed)}\t{search.numbers}\t{time.time() - begin:.1f} s\t{'; '.join(search.notes)}")
            for mark, lines in (("", sorted(lack.values())), ("operands ", sorted(others.values())), ("missed ", missed[:20])):
                for line in lines[:3000]:
                    print(f"\t{mark}{line}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
