"""Runs `wedjat info` and `wedjat run` with tools over mutated PTX and keeps what ends them as it should not.

  run_mutations.py WEDJAT --files 1000 --first 0 --jobs 2 --out FOLDER SOURCES...

What a finding is, and what is kept of it: campaign.py.
"""
import pathlib
import random
import re
import sys

import campaign
from mutate import mutated

ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?")
PARAMETER = re.compile(r"\.param\s*(?:\.align\s+\d+\s*)?(?:\.(\w+)\s+)?(?:\.ptr\S*\s+|\.align\s+\d+\s+|\.(?:global|shared|const|local)\s+)*"
                       r"[\w$%]+\s*(?:\[\s*(\d+)\s*\])?")
HEADER = ".version 9.0 .target sm_90a .address_size 64\n"
HEAD = re.compile(r"^//\s*grid\s+(\d+)\s+(\d+)", re.M)
SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}
PYTHON = {"python_lines"}
ARGUMENTS = {1: "u8:3", 2: "u16:3", 4: "u32:64", 8: "zeros:65536"}


def arguments(text, scratch, random_):
    """An entry of the text with an argument for each of its parameters, as far as a glance can tell."""
    entries = ENTRY.findall(text)
    if not entries:
        return None
    name, parameters = random_.choice(entries)
    words = ["--entry", name]
    for kind, count in PARAMETER.findall(parameters or ""):
        size = SIZES.get((kind or "b8").lstrip("usbf"), 8)
        if count:
            size *= min(int(count), 1 << 16)
            file = scratch / f"zeros{size}"
            file.write_bytes(bytes(size))
            words += ["--arg", f"bytes:{file}"]
        else:
            words += ["--arg", ARGUMENTS.get(size, "zeros:65536")]
    return words


def commands(wedjat, tools, text, whole, file, scratch, seed):
    """What is run on the file: whether it is understood, and the kernel under tools: together, alone or apart; some in other commands, too."""
    random_ = random.Random(seed + 0.5)
    yield [wedjat, "info", "--check", str(file)]
    words = arguments(text, scratch, random_)
    if words is None:
        return
    head = HEAD.search(whole)
    grid, block = head.groups() if head else ("2", "64")
    files = {tool: f",file={scratch / tool}" for tool in ("memory_trace", "register_trace")}
    specs = [tool + files.get(tool, "") for tool in tools]
    way = random_.random()
    if way < 0.6:
        # Two thirds of the time would go into Python's start and the table of evidence.
        together = [spec for spec in specs if spec not in PYTHON or random_.random() < 0.2]
        chosen = ["--check"] + ["--fidelity"] * (random_.random() < 0.2) + [word for spec in together for word in ("--tool", spec)]
    elif way < 0.85:
        chosen = ["--tool", random_.choice(specs)]
    else:
        chosen = [word for spec in random_.sample(specs, 2) for word in ("--tool", spec + ",isolated")]
    if random_.random() < 0.1:
        chosen += ["--html", str(scratch / "page.html")]
    shape = [*words, "--grid", grid, "--block", block]
    threads = random_.choice(["1", "2"])
    if random_.random() < 0.15:
        chosen += ["--jit", "all", "--jit-cache", "off"]
    yield [wedjat, "run", str(file), *shape, "--threads", threads, "--step-limit", "50000", *chosen]
    if random_.random() < 0.05:
        original = scratch / "whole.ptx"
        original.write_text(whole, "latin-1")
        yield [wedjat, "compare", str(original), str(file), *shape, "--step-limit", "50000"]
    if "wedjat: launch" in text:
        yield [wedjat, "expect", str(file), "--step-limit", "50000"]


def whole_module(text):
    """Tests put the same first line before many texts."""
    return text if ".version" in text else HEADER + text


class Mutations(campaign.Campaign):
    # 2: what a glance took for a kernel is none.
    documented = {"info": {0, 3, 4}, "run": {0, 2, 3, 4, 5, 6}, "compare": {0, 1, 2, 3, 4, 5, 8}, "expect": {0, 1, 2, 3}}

    def __init__(self, options):
        super().__init__(options)
        paths = [path for source in options.sources for path in sorted(pathlib.Path(source).rglob("*.ptx")) if path.parent.name != "reject"]
        self.texts = [whole_module(path.read_text("latin-1")) for path in paths if 0 < path.stat().st_size <= options.longest]
        self.chosen = self.tools({"fault_injection", *options.without})
        self.what = f"files of {len(self.texts)} texts with {len(self.chosen)} tools"

    def begin(self, seed, scratch):
        text, whole = mutated(seed, self.texts)
        file = scratch / "k.ptx"
        file.write_text(text, "latin-1")
        return file, commands(self.options.wedjat, self.chosen, text, whole, file, scratch, seed)


def main():
    parser = campaign.parser(__doc__)
    parser.add_argument("sources", nargs="+", help="folders of PTX files")
    parser.add_argument("--longest", type=int, default=100000, help="characters of a text that is mutated")
    mutations = Mutations(parser.parse_args())
    mutations.run()
    return mutations.report()


if __name__ == "__main__":
    sys.exit(main())
