"""Makes kernels for one form of each class of equal machine instructions: `prepare_classes.py FORMS TIMES FOLDER [MARK]`.

TIMES is the table that an earlier measurement of all forms has left. What takes all forms an hour of ptxas takes classes some minutes, so another GPU, or rates
alone, can be measured again on a machine that is lent for minutes. Writes what `prepare.py` writes, with the latency over one pair of operands of each form. With MARK
only forms that the table marks so."""

import os
import sys

import bodies
import forms
import prepare

UNUSABLE = {"folded", "failed", "uncounted"}


def machine_instructions(text):
    """Whole machine instructions of one instance: `FADD MOV*0.156` is `FADD`."""
    words = (word.partition("*")[::2] for word in text.split())
    return tuple((name, number) for name, number in ((name, round(float(count or 1))) for name, count in words) if number)


def chosen(lines, mark):
    """The number of the first form of each class; with a mark, of those that have it."""
    next(lines)
    first = {}
    for line in lines:
        columns = line.rstrip("\n").split("\t")
        marks = set(columns[8].split())
        if not UNUSABLE & marks and columns[3] and (mark is None or mark in marks):
            first.setdefault(machine_instructions(columns[3]), int(columns[0]))
    return set(first.values())


def main():
    table, times, folder, *rest = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    numbers = chosen(open(times), rest[0] if rest else None)
    picked = [form for form in forms.read_forms(open(table)) if form.id in numbers and not form.family.startswith("video")]
    pending = [(form, body) for form in picked for body in bodies.bodies(form)[-2:]]
    with open(os.path.join(folder, "refused.tsv"), "w") as refusals:
        results = prepare.choose(pending, folder, lambda item, why: print(item[0].id, item[1].name, item[0].text, why, sep="\t", file=refusals))
    prepare.write(folder, pending, prepare.widen(pending, results, folder, lambda *_: None))


if __name__ == "__main__":
    main()
