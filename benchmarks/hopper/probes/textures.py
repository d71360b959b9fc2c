"""Reads of a texture with four floats a texel, linear filter: one after the other, and several under way."""

from probes import WARPS, Probe, body

X = [("%x", "b32", "zero"), ("%y", "b32", "zero"), ("%z", "b32", "zero"), ("%h", "b64", None)]
D = [(f"%d{index}", "b32", "zero") for index in range(4)]
READS = {
    "tex.1d.v4.f32.f32": "{%x}", "tex.2d.v4.f32.f32": "{%x, %y}", "tex.level.2d.v4.f32.f32": "{%x, %y}], %z", "tex.2d.v4.f32.s32": "{%x, %y}",
    "tld4.r.2d.v4.f32.f32": "{%x, %y}",
}


def read(opcode, coordinates, stride, dependent, texture=0):
    place = f"cvt.rn.f32.u32 %x, %lane; mul.f32 %x, %x, 0f{float_bits(stride):08x};"
    setup = [f"ld.param.u64 %h, [textures+{8 * texture}];", place if not opcode.endswith("s32") else f"mul.lo.u32 %x, %lane, {stride};"]
    add = ("add.f32 %x, %x, %d0;" if not opcode.endswith("s32") else "add.u32 %x, %x, %d0;") if dependent else ""
    tail = "];" if "]" not in coordinates else ";"
    line = f"{opcode} {{%d0, %d1, %d2, %d3}}, [%h, {coordinates}{tail} {add}"
    return body("texture", line, X + D, setup, [(name, "b32") for name, _, _ in D] + [("%x", "b32")])


# As `run.cpp` makes them: an array of four floats a texel, read between texels; one of one float, read without a filter; linear memory of one float, of four; an array of one, read between texels; rows of one in
# linear memory, too.
# They are parameters: what a kernel loads from memory may differ from lane to lane, and is looked at lane by lane.
TEXTURES = ["filtered", "array", "linear", "linear of four", "filtered of one", "plane"]
KINDS = [("array", "tex.2d.v4.f32.s32", "{%x, %z}"), ("linear", "tex.1d.v4.f32.s32", "{%x}"), ("linear of four", "tex.1d.v4.f32.s32", "{%x}")]


def fetch(kind, opcode, coordinates, stride, dependent, read=1):
    """Texels by whole numbers: each waits for the one before, or none. ptxas has only those components read of a texel that somebody asks for: `read`."""
    setup = [f"ld.param.u64 %h, [textures+{8 * TEXTURES.index(kind)}];", f"mul.lo.u32 %x, %lane, {stride};"]
    line = f"{opcode} {{%d0, %d1, %d2, %d3}}, [%h, {coordinates}];"
    if dependent:
        return body("texture", line + " add.u32 %x, %x, %d0;", X + D, setup, [("%x", "b32")])
    asks = " ".join(f"xor.b32 %sum, %sum, %d{component};" for component in range(read))
    lines = [f"add.u32 %y, %x, {8 * at}; {line.replace('%x', '%y')} {asks}" for at in range(24)]
    return body("texture", lines, [*X, *D, ("%sum", "b32", "zero")], setup, [("%sum", "b32")], begins="add.u32 %x, %x, %zero;")


STEPS = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (4, 0), (8, 0), (0, 8), (0.8, 0.6))


def between(kind, across, down):
    """Texels of a picture of one float, between four of them: lanes lie so many apart, across and down."""
    setup = [f"ld.param.u64 %h, [textures+{8 * TEXTURES.index(kind)}];", "cvt.rn.f32.u32 %x, %lane;",
             f"mul.f32 %y, %x, 0f{float_bits(down):08x}; mul.f32 %x, %x, 0f{float_bits(across):08x};"]
    lines = [f"add.f32 %z, %x, 0f{float_bits(at):08x}; tex.2d.v4.f32.f32 {{%d0, %d1, %d2, %d3}}, [%h, {{%z, %y}}]; xor.b32 %sum, %sum, %d0;" for at in range(24)]
    return body("texture", lines, [*X, *D, ("%sum", "b32", "zero")], setup, [("%sum", "b32")], begins="add.f32 %x, %x, %zero;")


def float_bits(value):
    import struct
    return struct.unpack("<I", struct.pack("<f", value))[0]


def probes():
    for opcode, coordinates in READS.items():
        for stride in (0, 1, 8):
            yield Probe(f"texture {opcode} texels={stride} dependent", read(opcode, coordinates, stride, True), WARPS, 0)
    for stride in (0, 1, 8):
        yield Probe(f"texture tex.2d.v4.f32.f32 filtered of one texels={stride} dependent", read("tex.2d.v4.f32.f32", "{%x, %y}", stride, True, TEXTURES.index("filtered of one")), WARPS, 0)
    for kind, opcode, coordinates in KINDS:
        for stride in (0, 1, 8):
            for dependent in (True, False):
                how = "dependent" if dependent else "following"
                yield Probe(f"texture {opcode} {kind} texels={stride} {how}", fetch(kind, opcode, coordinates, stride, dependent), WARPS, 0)
        for stride in (0, 1, 8):
            yield Probe(f"texture {opcode} {kind} texels={stride} following, four components", fetch(kind, opcode, coordinates, stride, False, 4), WARPS, 0)
    for kind in ("filtered of one", "plane"):
        for across, down in STEPS:
            yield Probe(f"texture tex.2d.v4.f32.f32 {kind} across={across} down={down} following", between(kind, across, down), WARPS, 0)
