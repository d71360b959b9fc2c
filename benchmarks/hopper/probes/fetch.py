"""Straight code that is longer than the caches of instructions: a loop of one KiB of machine code beside one of more."""

from probes import Probe, body

KIB = 1024 // 16  # instructions
CHAINS = 8
SIZES = (2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 160)
SHAPES = "1x1 1x4 1x8 1x32 1*8"


def probes():
    block = " ".join(f"fma.rn.f32 %f{index % CHAINS}, %f{index % CHAINS}, %s, %s;" for index in range(KIB))
    registers = [(f"%f{index}", "b32", "f32") for index in range(CHAINS)] + [("%s", "b32", "f32")]
    for size in SIZES:
        yield Probe(f"fetch fma.rn.f32 code={size}KiB", body("fetch", block, registers, keep=[(name, "b32") for name, _, _ in registers], instances=(1, size)), SHAPES)
