"""Runs `semcc check`, `print`, `emit` and `eval` over changed semantics files and keeps what ends them as it should not.

  run_semantics.py SEMCC SEMANTICS --files 1000 --first 0 --jobs 2 --out FOLDER

What a finding is, and what is kept of it: tests/utilities/mutations/campaign.py.
"""
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "utilities" / "mutations"))
import campaign

TOKEN = re.compile(r'"[^"\n]*"|//.*|0x[0-9a-fA-F]+|\d+|\w+|\.\.|->|[<>=!&|]{1,2}|\S')
EXAMPLE = re.compile(r'example "([^"\n]*)"')
ODD = ["0", "1", "-1", "64", "65", "128", "129", "4294967296", "18446744073709551616", "1 << 200", "(", ")", "{", "}", ";", ",", ".", "..", "\"", "->", ":", "=",
       "form", "for i in 0 .. 1000000 {", "if", "else", "let", "thread", "import core;", "types t = { u8, u16, u32, u64 };", "part(int)", "wrap.u128(", "%", "/ 0", "<<"]


def changed(text, random_):
    """One to three tokens become others of the file, odd ones or nothing; or lines go, come twice or change places."""
    for _ in range(random_.choice([1, 1, 2, 3])):
        tokens = [match for match in TOKEN.finditer(text) if not match.group().startswith("//")]
        if not tokens:
            return text
        one, way = random_.choice(tokens), random_.random()
        if way < 0.45:
            text = text[:one.start()] + random_.choice(tokens).group() + text[one.end():]
        elif way < 0.6:
            text = text[:one.start()] + random_.choice(ODD) + text[one.end():]
        elif way < 0.7:
            text = text[:one.start()] + text[one.end():]
        elif way < 0.8:
            text = text[:one.start()] + random_.choice(ODD) + " " + text[one.start():]
        elif way < 0.83:
            text = text[:one.start()]
        elif way < 0.86:
            text = text[:one.start()] + chr(random_.randrange(1, 256)) + text[one.start():]
        elif way < 0.88:
            text = text[:one.start()] + random_.choice("({-!~") * 20000 + text[one.start():]
        else:
            lines = text.split("\n")
            at, to = random_.randrange(len(lines)), random_.randrange(len(lines))
            line = lines.pop(at) if random_.random() < 0.6 else lines[at]
            if random_.random() < 0.7:
                lines.insert(to, line)
            text = "\n".join(lines)
    return text


class Semantics(campaign.Campaign):
    # 2: examples of other files, which a manual shows, use instructions that are not there.
    documented = {"check": {0, 1}, "print": {0, 1}, "emit": {0, 1, 2}, "eval": {0, 1, 2}}

    def __init__(self, options):
        super().__init__(options)
        self.folder = options.semantics.resolve()
        self.files = sorted(path.relative_to(self.folder) for path in self.folder.rglob("*.psem") if path.stat().st_size < 20000)
        self.what = f"semantics files made of {len(self.files)}"

    def begin(self, seed, scratch):
        """Beside the changed file lies what it may import: links to what lies beside it otherwise."""
        random_ = random.Random(seed)
        chosen = random_.choice(self.files)
        root = scratch / "semantics"
        made = root / chosen
        made.parent.mkdir(parents=True)
        for folder in {pathlib.Path(), chosen.parent}:
            for entry in (self.folder / folder).iterdir():
                if not (root / folder / entry.name).exists() and entry.name != made.name:
                    (root / folder / entry.name).symlink_to(entry)
        text = (self.folder / chosen).read_text()
        made.write_text(changed(text, random_), "utf-8")
        return made, self.commands(made, EXAMPLE.findall(text), scratch, random_)

    def commands(self, made, examples, scratch, random_):
        checked = yield [self.options.wedjat, "check", made]
        if checked.code == 0 or random_.random() < 0.1:
            yield [self.options.wedjat, "print", made, *random_.choice([[], ["--forms"]])]
            for kind in random_.sample(["executors", "forms", "lanes", "manual", "smt", "tests"], 2):
                yield [self.options.wedjat, "emit", kind, "-o", scratch / kind, made]
            if examples:
                yield [self.options.wedjat, "eval", random_.choice(examples), "--semantics", made]


def main():
    parser = campaign.parser(__doc__)
    parser.add_argument("semantics", type=pathlib.Path, help="folder of semantics files")
    semantics = Semantics(parser.parse_args())
    semantics.run()
    return semantics.report()


if __name__ == "__main__":
    sys.exit(main())
