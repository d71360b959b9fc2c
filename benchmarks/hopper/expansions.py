"""What each form that computes becomes: `expansions.py FORMS FOLDER > FILE`. Needs ptxas, no GPU.

A line: the number of the form in the inventory, its name, its operands, and its machine instructions in their order: `NAME:reads` where reads are `s0` (a source, in the order
of the text; `s0h`: the upper half of one of 64 bits), `c` (the carry), `0` (the first of these instructions), `!0` (as guard); behind each `>d0` where it makes a result, `>d0h`
its upper half, `>c` the carry; `=:s0>d0`: a result is what a source is, and no instruction is needed."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import assemble
import forms
import lines_of_code
import machine_code
import operands

HEAD = '.version 9.0\n.target sm_90a\n.address_size 64\n.file 1 "form"\n'
BEFORE, FORM, BEHIND = 1, 2, 3  # lines of the table
RESULTS = 64 * 256  # bytes behind the sources
READS_CARRY = ("addc", "subc", "madc")
TYPES = {"b16": "u16", "b32": "u32", "b64": "u64"}
OFFSET = 40  # bit of the offset in a load or store
BATCH = 200


def is_known(form):
    sizes = {group.size for group in form.groups}
    rest = form.with_registers([""] * 64).split(" ", 1)[-1]
    return "[" not in form.text and "%" not in rest and sizes <= {*TYPES, "pred"} and all(group.count == 1 for group in form.groups) and form.destinations


def kernel(form, name):
    def line(number, text):
        return f".loc 1 {number} 0\n{text}"
    out = [f".visible .entry {name}(.param .u64 memory) .maxntid 32\n{{\n.reg .b64 %memory, %wide; .reg .b32 %t, %u, %lane; ld.param.u64 %memory, [memory]; mov.u32 %lane, %tid.x; mad.wide.u32 %memory, %lane, 8, %memory;"]
    names, loads, stores = [], [], []
    for group in form.groups:
        name_of = f"%v{len(names)}"
        names.append(name_of)
        out.append(f".reg .{group.size} {name_of};")
        place = 256 * (len(stores) if group.written else len(loads))
        if group.written:
            place += RESULTS
            stores.append(line(BEHIND, f"st.volatile.global.{TYPES[group.size]} [%memory+{place}], {name_of};") if group.size != "pred" else
                          line(BEHIND, f"selp.u32 %t, 1, 0, {name_of};") + "\n" + line(BEHIND, f"st.volatile.global.u32 [%memory+{place}], %t;"))
        elif group.size == "pred":
            loads.append(line(BEFORE, f"ld.volatile.global.u32 %t, [%memory+{place}];") + "\n" + line(BEFORE, f"setp.ne.u32 {name_of}, %t, 7;"))
        else:
            loads.append(line(BEFORE, f"ld.volatile.global.{TYPES[group.size]} {name_of}, [%memory+{place}];"))
    if form.opcode.startswith(READS_CARRY):
        place = 256 * len(loads)
        loads.append(line(BEFORE, f"ld.volatile.global.u32 %t, [%memory+{place}];") + "\n" + line(BEFORE, "add.cc.u32 %u, %t, -5;"))
    if ".cc" in form.opcode:
        stores.append(line(BEHIND, "addc.u32 %t, 0, 0;") + "\n" + line(BEHIND, f"st.volatile.global.u32 [%memory+{RESULTS + 256 * len(stores)}], %t;"))
    return "\n".join([*out, *loads, line(FORM, form.with_registers(names)), *stores, line(BEHIND, "ret;"), "}\n"])


def names_of(form):
    """What the loads and the stores of its kernel are called."""
    sources = [f"s{index}" for index in range(len(form.sources))] + ["c"] * form.opcode.startswith(READS_CARRY)
    return sources, [f"d{index}" for index in range(len(form.destinations))] + ["c"] * (".cc" in form.opcode)


def traced(form, code, line_of):
    """The instructions of the form as (name, what it reads, what it is part of); None where one of them is not known."""
    sources, results = names_of(form)
    holds, made, ends = {}, [], {}
    whole = {name for name, group in zip(sources, form.sources) if group.size != "pred"}
    for number, instruction in enumerate(machine_code.instructions(code)):
        found, line = operands.of(instruction), line_of.get(number)
        if found is None:
            if line == FORM:
                return None
            continue
        offset = instruction[0] >> OFFSET & 0xFFFFFF
        origin = set().union(*(holds.get(register, set()) for register in found.reads))
        if found.name == "LDG" and line != FORM:
            origin = {sources[offset // 256]} if offset // 256 < len(sources) else set()
            lower = min(number for _, number in found.writes)
            holds.update({("R", number): {one + "h" * (number - lower) for one in origin} for _, number in found.writes})
            continue
        elif found.name == "STG" and line != FORM:
            if offset >= RESULTS and (offset - RESULTS) // 256 < len(results):
                stored = instruction[0] >> 32 & 255
                for half in range(2 if ("R", stored + 1) in found.reads else 1):
                    for one in holds.get(("R", stored + half), ()):
                        ends.setdefault(one, set()).add(results[(offset - RESULTS) // 256] + "h" * half)
        elif line == FORM or (line == BEFORE and {one.rstrip('h') for one in origin} & whole):  # modifiers of a source are told of the line that loads it
            reads = {*origin, *(f"!{one}" for one in holds.get(found.guard, ()))}
            origin = {str(len(made))}
            if found.guard:
                for register in found.writes:
                    reads |= holds.get(register, set())
            made.append((found.name, reads))
        for register in found.writes:
            holds[register] = set(origin)
    passed = [("=", [one], sorted(parts)) for one, parts in sorted(ends.items()) if not one.isdigit()]
    return [(name, sorted(reads), sorted(ends.get(str(number), ()))) for number, (name, reads) in enumerate(made)] + passed


def text(made):
    return " ".join(f"{name}:{','.join(reads)}" + "".join(f">{result}" for result in parts) for name, reads, parts in made)


def expand(batch, path):
    """Rows of as many forms as ptxas takes: a batch that it refuses is halved."""
    source = HEAD + "".join(kernel(form, f"f{form.id}") for form in batch)
    status, _ = assemble.ptxas(source, path, options=("-lineinfo",))
    if status != 0:
        half = len(batch) // 2
        return [row for part in (batch[:half], batch[half:]) for row in expand(part, path)] if half else []
    cubin = open(path, "rb").read()
    codes, tables = machine_code.kernels(cubin), lines_of_code.lines(cubin)
    rows = []
    for form in batch:
        made = traced(form, codes[f"f{form.id}"], tables.get(f"f{form.id}", {}))
        if made is not None:
            rows.append((form.id, form.opcode, " ".join(f"{'d' if group.written else 's'}.{group.size}" for group in form.groups), text(made)))
    return rows


def rows(chosen, folder):
    """The head of the table, and its rows of those that can be told."""
    os.makedirs(folder, exist_ok=True)
    known = [form for form in chosen if is_known(form)]
    batches = [known[start:start + BATCH] for start in range(0, len(known), BATCH)]
    yield "form", "opcode", "operands", "code"
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda number: expand(batches[number], os.path.join(folder, f"{number}.cubin")), range(len(batches))):
            yield from found


def main():
    table, folder = sys.argv[1:]
    for row in rows(list(forms.read_forms(open(table))), folder):
        print(*row, sep="\t")


if __name__ == "__main__":
    main()
