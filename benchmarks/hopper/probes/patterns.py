"""Addresses of a warp: how strides, widths and levels change latency and throughput of loads and stores."""

from probes import WARPS, Probe, body

WIDTHS = {4: "b32", 8: "b64", 16: "v4.b32"}
STRIDES = [0, 4, 8, 12, 16, 20, 32, 64, 68, 128, 256]
CHAINS = 4


def registers_of(width, chain):
    return [(f"%d{chain}_{i}", "b64" if width == 8 else "b32", "zero") for i in range(4 if width == 16 else 1)]


def vector(width, chain):
    names = [name for name, _, _ in registers_of(width, chain)]
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"


def rest(width, chain):
    """Of a load all but its first word is read too: ptxas narrows a load of which only one word is."""
    words = ["u"] if width == 8 else [name for name, _, _ in registers_of(width, chain)[1:]]
    return " ".join(f"xor.b32 %x{chain}, %x{chain}, {word};" for word in words)


def load(width, space, cache, stride, chains):
    """Loads whose address depends on the load before it in its chain."""
    size, instances, registers, setup, keep = ("b32" if space == "shared" else "b64"), [], [], [], []
    for chain in range(chains):
        a, first = f"%a{chain}", f"%d{chain}_0"
        registers += [*registers_of(width, chain), (a, size, None), (f"%x{chain}", "b32", "zero")]
        keep += [(a, size), (f"%x{chain}", "b32")]
        if space == "shared":
            setup.append(f"mov.u32 {a}, sbuf; mad.lo.u32 {a}, %lane, {stride}, {a}; and.b32 %came, %warp, 3; mad.lo.u32 {a}, %came, 8192, {a};")
        else:
            setup.append(f"mad.wide.u32 {a}, %lane, {stride}, %memory; mad.wide.u32 {a}, %warp, 4096, {a}; add.u64 {a}, {a}, {chain * 1024};")
        low = first if width != 8 else "t"
        link = f"mad.{'lo' if size == 'b32' else 'wide'}.u32 {a}, {low}, %zero, {a};"
        open_, close = ("{ .reg .b32 t, u; ", " }") if width == 8 else ("", "")
        part = f"mov.b64 {{t, u}}, {first}; " if width == 8 else ""
        instances.append(f"{open_}ld.{space}{cache}.{WIDTHS[width]} {vector(width, chain)}, [{a}]; {part}{link} {rest(width, chain)}{close}")
    return body("pattern", instances, registers, setup, keep, shared=40960 if space == "shared" else 0)


def store(width, space, stride):
    a, size = "%a", "b32" if space == "shared" else "b64"
    registers = [*registers_of(width, 0), (a, size, None)]
    if space == "shared":
        setup = f"mov.u32 {a}, sbuf; mad.lo.u32 {a}, %lane, {stride}, {a}; and.b32 %came, %warp, 1; mad.lo.u32 {a}, %came, 8192, {a};"
    else:
        setup = f"mad.wide.u32 {a}, %lane, {stride}, %memory; mad.wide.u32 {a}, %warp, 65536, {a};"
    line = f"st.{space}.{WIDTHS[width]} [{a}+{{offset}}], {vector(width, 0)};"
    return body("pattern", line, registers, [setup], shared=45056 if space == "shared" else 0)


def following(width, space, stride):
    """Loads that do not wait for each other, each from a place of its own; where all of them lie is known anew in every turn."""
    instances = []
    a, size = "%a", "b32" if space == "shared" else "b64"
    registers = [*registers_of(width, 0), (a, size, None), ("%x0", "b32", "zero")]
    if space == "shared":
        setup = f"mov.u32 {a}, sbuf; mad.lo.u32 {a}, %lane, {stride}, {a};"
    else:
        setup = f"mad.wide.u32 {a}, %lane, {stride}, %memory; mad.wide.u32 {a}, %warp, 16384, {a};"
    for place in range(24):
        load_ = f"ld.{space}.{WIDTHS[width]} {vector(width, 0)}, [{a}+{place * 512}];"
        first = registers_of(width, 0)[0][0]
        part = f"mov.b64 {{t, u}}, {first}; " if width == 8 else ""
        instances.append(f"{{ .reg .b32 t, u; {load_} {part}{rest(width, 0)} xor.b32 %x0, %x0, {first if width != 8 else 't'}; }}")
    begins = f"add.u32 {a}, {a}, %zero;" if space == "shared" else f"mad.wide.u32 {a}, %zero, %zero, {a};"
    return body("pattern", instances, registers, [setup], [("%x0", "b32")], begins=begins, shared=40960 if space == "shared" else 0)


def probes():
    for width in WIDTHS:
        for space in ("shared", "global"):
            for stride in (0, width, 32):
                yield Probe(f"pattern ld.{space}.{WIDTHS[width]} stride={stride} following", following(width, space, stride), WARPS)
    for width in WIDTHS:
        for stride in STRIDES:
            if stride % width and stride:
                continue
            for space, cache in (("shared", ""), ("global", ""), ("global", ".cg")):
                what = f"ld.{space}{cache}.{WIDTHS[width]} stride={stride}"
                yield Probe(f"pattern {what} dependent", load(width, space, cache, stride, 1))
                yield Probe(f"pattern {what} independent", load(width, space, cache, stride, CHAINS), WARPS)
            for space in ("shared", "global"):
                yield Probe(f"pattern st.{space}.{WIDTHS[width]} stride={stride}", store(width, space, stride), WARPS)
