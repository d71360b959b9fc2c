"""Results of `run` beside what the index says of each kernel: cycles of one instance."""

import glob
import json
import os
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class Time:
    least: float
    cycles: float  # the median of all rounds and SMs
    most: float


@dataclass
class Form:
    id: int
    opcode: str
    operands: str
    text: str


@dataclass
class Kernel:
    form: str  # the number of a form, or the name of a probe
    body: str
    module: str
    name: str
    chains: int
    difference: int  # instances that the second loop has more
    way: str
    guarded: bool
    counts: dict  # of machine instructions in one instance, by shape; None where they are not to be told
    times: dict = field(default_factory=dict)  # of one instance, by shape of the launch
    again: dict = field(default_factory=dict)

    def time(self, shape):
        return self.times.get(shape)


def times(words, difference):
    """Of the words of one line: `SHAPE LEAST MEDIAN MOST`, `SHAPE -` where that many warps do not fit."""
    found = {}
    for word in words:
        shape, *numbers = word.split(" ")
        found[shape] = Time(*(float(number) / difference for number in numbers)) if len(numbers) == 3 else None
    return found


def read(folder, name):
    """The words of every kernel that a file of results holds."""
    path, plan = os.path.join(folder, name), [tuple(line.split("\t")[:2]) for line in open(os.path.join(folder, "plan.tsv"))]
    if not os.path.exists(path):
        return {}
    lines = (line.rstrip("\n").split("\t") for line in open(path))
    return {plan[int(words[0])]: words[2:] for words in lines if words[0].isdigit() and words[1] == plan[int(words[0])][1]}


def counts(text):
    shapes = json.loads(text)
    return None if shapes is None else {(low, high): count for low, high, count in shapes}


def kernels(folder):
    first, second = read(folder, "results.tsv"), read(folder, "again.tsv")
    for line in open(os.path.join(folder, "index.tsv")):
        form, body, module, name, chains, difference, way, guarded, shapes = line.rstrip("\n").split("\t")
        kernel = Kernel(form, body, f"{folder}/{module}", name, int(chains), int(difference), way, guarded == "1", counts(shapes))
        kernel.times = times(first.get((module, name), ()), kernel.difference)
        kernel.again = times(second.get((module, name), ()), kernel.difference)
        if kernel.times:
            yield kernel


def measured(folder):
    """The kernels of every form that has results, by its number."""
    found = defaultdict(list)
    for path in sorted(glob.glob(os.path.join(folder, "*", "index.tsv"))):
        if os.path.basename(os.path.dirname(path)) != "probes":
            for kernel in kernels(os.path.dirname(path)):
                found[int(kernel.form)].append(kernel)
    return found


def probes(folder):
    return list(kernels(os.path.join(folder, "probes")))


def forms(path):
    rows = (line.rstrip("\n").split("\t") for line in open(path))
    next(rows)
    return {int(row[0]): Form(int(row[0]), row[7].rstrip(";").split(" ", 1)[0], row[6], row[7]) for row in rows}
