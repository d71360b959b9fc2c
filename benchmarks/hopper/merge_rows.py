"""Rows that were measured again, in the table of before: `merge_rows.py TIMES NEW MACHINE_CODE > MERGED`.

A row of NEW takes the place of the one of the same form, unless there is more that speaks against it. All are compared with what ptxas makes of their form by
itself, as `tables.py` compares new ones. Says what changed."""

import sys

import doubts
import expected

SPOILED = {"failed", "folded", "joined", "narrowed", "uncounted"}  # marks of rows that are of less than a form
MARKS = 8  # the column


def rows(lines):
    next(lines)
    return {int(columns[0]): columns for columns in (line.rstrip("\n").split("\t") for line in lines)}


def doubt(columns):
    """How much speaks against a row: first whether it is of less than a form."""
    marks = set(columns[MARKS].split())
    return bool(SPOILED & marks), len(marks)


def counts(text):
    words = (word.partition("*")[::2] for word in text.split())
    return [(name, float(count or 1)) for name, count in words]


def looked_at_again(columns, own):
    """An old row, with the mark `unlike` where its instructions are others than its form's, and `narrowed` where its loads read less."""
    marks = set(columns[MARKS].split()) - {"unlike"}
    if not marks & {"calls"} and doubts.is_narrowed(counts(columns[3])):
        marks.add("narrowed")
    if own is not None and "folded" not in marks and columns[3] and expected.is_unlike(counts(columns[3]), columns[5], own):
        marks.add("unlike")
    return [*columns[:MARKS], " ".join(sorted(marks)), *columns[MARKS + 1:]]


def merged(old, new, own):
    old = {form: looked_at_again(columns, own.get(form)) for form, columns in old.items()}
    taken = {form for form, columns in new.items() if form not in old or doubt(columns) <= doubt(old[form])}
    return {form: new[form] if form in taken else old[form] for form in sorted({*old, *new})}, taken


def changes(old, found, taken):
    """How many rows were replaced, and how many of them say something else."""
    different = [form for form in taken if form in old and old[form][3] != found[form][3]]
    intervals = [(float(old[form][6]), float(found[form][6])) for form in taken if form in old and old[form][6] and found[form][6]]
    far = sum(abs(after / before - 1) > 0.1 for before, after in intervals)
    return f"{len(taken)} rows are new; of these {len(different)} have other machine instructions, {far} of {len(intervals)} intervals differ by more than a tenth"


def main():
    times, again, machine_code = sys.argv[1:]
    head = open(times).readline().rstrip("\n")
    old, new = rows(open(times)), rows(open(again))
    found, taken = merged(old, new, expected.read(open(machine_code)))
    print(head, *("\t".join(columns) for columns in found.values()), sep="\n")
    print(changes(old, found, taken), file=sys.stderr)


if __name__ == "__main__":
    main()
