"""Atomic instructions of a warp and of many, by how many lanes meet at one address."""

from probes import Probe, body

OPERATIONS = {
    "add.u32": "b32", "add.u64": "b64", "add.f32": "b32", "add.f64": "b64", "add.noftz.f16x2": "b32", "min.s32": "b32", "max.u64": "b64",
    "and.b32": "b32", "exch.b32": "b32", "exch.b64": "b64", "cas.b32": "b32", "cas.b64": "b64", "inc.u32": "b32",
}
LANES = [1, 2, 4, 8, 16, 32]
SHAPES = {"shared": "1x1 1x4 1x8 1x32", "global": "1x1 1x4 1x8 1x32 1*1 1*8"}


def one(what, space, operation, size, lanes, apart):
    """`lanes` lanes share an address; warps have addresses of their own, or (not `apart`) the same ones."""
    wide = 4 if size == "b32" else 8
    shift = lanes.bit_length() - 1
    a, address_size = "%a", "b32" if space == "shared" else "b64"
    index = f"shr.u32 %came, %lane, {shift}; " + ("mad.lo.u32 %came, %warp, 32, %came;" if apart else "")
    place = f"mov.u32 {a}, sbuf; mad.lo.u32 {a}, %came, {wide}, {a};" if space == "shared" else f"mad.wide.u32 {a}, %came, {wide}, %memory;"
    value = ", %v" if not operation.startswith("cas") else ", %v, %v"
    result = "%d, " if what == "atom" else ""
    line = f"{what}.{space}.{operation} {result}[{a}]{value};"
    if what == "atom":  # the next one waits for the result
        line += f" xor.b32 %v, %v, %d;" if size == "b32" else " xor.b64 %v, %v, %d;"
    registers = [(a, address_size, None), ("%v", size, "zero"), ("%d", size, "zero")]
    return body("contention", line, registers, [index, place], [("%v", size)], shared=16384 if space == "shared" else 0)


def probes():
    for space in ("shared", "global"):
        for operation, size in OPERATIONS.items():
            for what in ("atom", "red"):
                if what == "red" and operation.startswith(("exch", "cas")):
                    continue
                for lanes in LANES if operation in ("add.u32", "add.f32", "cas.b32") else (1, 32):
                    for apart in (True, False):
                        where = "own" if apart else "common"
                        name = f"contention {what}.{space}.{operation} lanes={lanes} warps={where}"
                        yield Probe(name, one(what, space, operation, size, lanes, apart), SHAPES[space], 4)
