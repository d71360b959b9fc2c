"""Makes the kernels that measure forms: `prepare.py FORMS FOLDER [--only FAMILY] [--doubted TIMES] [--sample N]`.

Writes into FOLDER: modules, plan.tsv and values.bin for `run`, and index.tsv, which says of every form which kernels measure it. Kernels of equal machine
code are measured once, and the throughput of forms that become the same machine instructions, too."""

import argparse
import copy
import hashlib
import json
import os
import random
import re
import sys
from collections import namedtuple

import assemble
import bodies
import expansions
import expected
import forms
import kernel
import machine_code
import scene

Result = namedtuple("Result", "module name digest counts")
LOOPS = {"lat": 16, "thr": 0}  # 0: as often as it takes for some ten thousand cycles
SHAPES = {"lat": "1x1", "thr": "1x1 1x2 1x4 1x8 1x16 1x32 2x32", "slow": "1x1 1x4 1x32"}
MOST_WIDENED = 6  # machine instructions of an instance: more would not stay in the instruction cache
MARKS = 8  # the column of a table
OF_GUARDS = {"folded", "joined", "selects"}  # marks of a table; README.md of the tables explains them
ORDERS = re.compile(r"\b(?:acquire|release|acq_rel|sc)\b")
SLOW = ("atom", "red.", "fence", "membar")  # one instruction may take a thousand cycles


def build(pending, folder, stem, report):
    """Assembles (form, body) pairs; returns of each a Result, or None."""
    named = [(f"k{number}", kernel.kernel(f"k{number}", body)) for number, (_, body) in enumerate(pending)]
    results = [None] * len(pending)
    for path, kept, refused in assemble.in_batches(named, folder, stem):
        codes = machine_code.kernels(open(path, "rb").read()) if path else {}
        for name in kept:
            number = int(name[1:])
            short, long = kernel.instances(pending[number][1])
            code = codes.get(name)
            if code is not None:
                digest = hashlib.sha1(code).hexdigest()[:16]
                results[number] = Result(os.path.basename(path), name, digest, machine_code.per_instance(code, long - short))
        for name, why in refused.items():
            report(pending[int(name[1:])], why)
        print(".", end="", file=sys.stderr, flush=True)
    return results


def choose(pending, folder, report, own=None):
    """Guarded instances, or those without guards where guards change more than they keep; or others that are what ptxas makes of the form by itself, `own`."""
    own = own or {}

    def doubt(item, result):
        return bodies.doubt(item[1], result.counts, own.get(item[0].id)) if result else 3

    results = build(pending, folder, "guarded", report)
    guarded = list(results)
    others = (("plain", lambda form, body: True, without_guards), ("apart", lambda form, body: bodies.is_pure(form), lambda form, body: like(form, body, apart=True)),
              ("alone", lambda form, body: bodies.is_pure(form) and body.name == "thr", lambda form, body: like(form, body, alone=True)))
    for stem, is_tried, other in others:
        again = [n for n, item in enumerate(pending) if guarded[n] and is_tried(*item) and (stem != "plain" or item[1].guarded) and doubt(item, results[n])]
        items = [(pending[n][0], other(*pending[n])) for n in again]
        for n, item, result in zip(again, items, build(items, folder, stem, report)):
            is_whole = result and (stem == "apart" or item[1].instances != "few" or bodies.keeps_sums(guarded[n].counts, result.counts))
            if is_whole and doubt(item, result) < doubt(pending[n], results[n]):
                pending[n], results[n] = item, result
    return results


def without_guards(_, body):
    return bodies.without_guards(copy.copy(body))


def like(form, body, **how):
    """The same body, made in another way."""
    return next(other for other in bodies.bodies(form, **how) if other.name == body.name)


def same_throughput(form, body, result):
    """What kernels for throughput have in common whose instances are the same machine instructions. That an acquiring load waits for what it reads
    stands in control bits, which do not make another shape."""
    return tuple(ORDERS.findall(form.opcode)), body.name, body.chains, body.way, tuple(sorted((shape, round(count, 1)) for shape, count in result.counts.items()))


def widen(pending, results, folder, report):
    """Kernels for throughput with more instances in their loops, one for all forms that become the same few machine instructions."""
    classes = {}
    for n, ((form, body), result) in enumerate(zip(pending, results)):
        few = result and result.counts and 0.5 < sum(count for count in result.counts.values() if count > 0) <= MOST_WIDENED
        if few and body.name == "thr" and not form.text.startswith(SLOW) and body.instances == "some":
            classes.setdefault(same_throughput(form, body, result), []).append(n)
    chosen = list(classes.values())
    for members in chosen:
        pending[members[0]][1].instances = "many"
    for members, result in zip(chosen, build([pending[members[0]] for members in chosen], folder, "wide", report)):
        for n in members:
            pending[n][1].instances = "many" if result else "some"
            results[n] = result or results[n]
    return results


def doubted(lines):
    """The marks of forms that a table marks as changed by their guards, joined or narrowed, by their numbers."""
    rows = (line.rstrip("\n").split("\t") for line in lines)
    next(rows)
    marks = ((int(row[0]), set(row[MARKS].split())) for row in rows)
    return {form: found for form, found in marks if found & {*OF_GUARDS, "narrowed"}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("forms")
    parser.add_argument("folder")
    parser.add_argument("--only", default="", help="a part of the name of a family")
    parser.add_argument("--doubted", metavar="TIMES", help="only forms whose guards or neighbours this table doubts")
    parser.add_argument("--sample", type=int)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    chosen = [form for form in forms.read_forms(open(arguments.forms)) if bodies.is_measured(form) and arguments.only in form.family]
    if arguments.doubted:
        marks = doubted(open(arguments.doubted))
        chosen = [form for form in chosen if "narrowed" in marks.get(form.id, ()) or (form.id in marks and bodies.is_pure(form))]
    if arguments.sample:
        chosen = random.Random(0).sample(chosen, min(arguments.sample, len(chosen)))
    pending = [(form, body) for form in chosen for body in bodies.bodies(form)]
    refusals = open(os.path.join(arguments.folder, "refused.tsv"), "w")
    with open(os.path.join(arguments.folder, "machine_code.tsv"), "w") as table:
        for row in expansions.rows(chosen, os.path.join(arguments.folder, "alone")):
            print(*row, sep="\t", file=table)
    own = expected.read(open(os.path.join(arguments.folder, "machine_code.tsv")))
    results = choose(pending, arguments.folder, lambda item, why: print(item[0].id, item[1].name, item[0].text, why, sep="\t", file=refusals), own)
    write(arguments.folder, pending, widen(pending, results, arguments.folder, lambda *_: None))


def write(folder, pending, results):
    """Writes the index, and the plan with one kernel of each machine code."""
    first = {}
    with open(os.path.join(folder, "index.tsv"), "w") as index:
        for (form, body), result in zip(pending, results):
            if result is None:
                continue
            kind, (short, long) = body.name[:3], kernel.instances(body)
            same = first.setdefault((kind, result.digest, form.text.startswith(SLOW)), result)
            shapes = sorted([f"{low:x}", f"{high:x}", round(count, 3)] for (low, high), count in result.counts.items()) if result.counts else None
            row = form.id, body.name, same.module, same.name, body.chains, long - short, body.way, int(body.guarded), json.dumps(shapes)
            print(*row, sep="\t", file=index)
    with open(os.path.join(folder, "plan.tsv"), "w") as plan:
        for (kind, _, slow), result in sorted(first.items(), key=lambda item: item[1].module):
            loops, shapes = (0, SHAPES["slow" if kind == "thr" else kind]) if slow else (LOOPS[kind], SHAPES[kind])
            print(result.module, result.name, loops, shapes, sep="\t", file=plan)
    with open(os.path.join(folder, "values.bin"), "wb") as values:
        values.write(scene.values_of_all_lanes())
    print(f"\n{len(pending)} kernels, {len(first)} of them different", file=sys.stderr)


if __name__ == "__main__":
    main()
