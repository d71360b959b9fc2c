"""Loads whose result is the address of the next one, through rings of different sizes: the latency of every level of memory."""

import kernel
from probes import Probe, body

LINE = 128
KIBI = 1024
MOST_TURNS = 24576  # a second and a half of a kernel
GLOBAL = [8, 32, 64, 128, 160, 192, 208, 224, 256, 320, 512, 1024, 4096, 8192, 16384, 24576, 32768, 49152, 65536, 131072, 262144]
LOADS = ["ld.global", "ld.global.nc", "ld.global.cg", "ld", "ld.relaxed.gpu.global", "ld.acquire.gpu.global", "ld.volatile.global"]

# Every element names the one an odd number of lines further on, so that neighbours do not follow each other.
RING = """
{{ .reg .b32 i, next; .reg .b64 at, to; .reg .pred more; mov.u32 i, %zero;
FILL: add.u32 next, i, {step}; rem.u32 next, next, {count};
mad.wide.u32 at, i, {line}, {base}; mad.wide.u32 to, next, {line}, {base}; {store}
add.u32 i, i, 1; setp.lt.u32 more, i, {count}; @more bra FILL; }}
"""


def step_of(count):
    """An odd part of the ring, a golden one, that has no divisor in common with it."""
    from math import gcd
    step = max(1, int(count * 0.381966)) | 1
    while gcd(step, count) != 1:
        step += 2
    return step


def turns(count):
    """How often the loops run so that a round goes through the whole ring: the first round then warms every level that is to hold it."""
    return min(MOST_TURNS, max(64, count // sum(kernel.INSTANCES["some"])))


def global_ring(load, kibi):
    count = kibi * KIBI // LINE
    fill = RING.format(step=step_of(count), count=count, line=LINE, base="%memory", store="st.global.b64 [at], to;")
    chase = body("chase", f"{load}.b64 %a, [%a];", [("%a", "b64", None)], [fill, "mov.b64 %a, %memory;"], [("%a", "b64")])
    return Probe(f"chase {load}.b64 ring={kibi}KiB", chase, n=turns(count))


def shared_ring(size):
    count = 64
    at = "cvt.u32.u64 %o, at; cvt.u32.u64 %v, to;"
    fill = RING.format(step=5, count=count, line=64, base="%b", store=f"{at} st.shared.u32 [%o], %v;" if size == "b32" else "st.shared.b64 [at], to;")
    registers = [("%b", "b64", None), ("%o", "b32", None), ("%v", "b32", None), ("%a", size, None)]
    start = "cvt.u32.u64 %a, %b;" if size == "b32" else "mov.b64 %a, %b;"
    setup = ["mov.u64 %b, sbuf;", fill, start]
    return Probe(f"chase ld.shared.{size}", body("chase", f"ld.shared.{size} %a, [%a];", registers, setup, [("%a", size)], shared=8192))


def local_ring(kibi):
    count = kibi * KIBI // 8
    fill = RING.format(step=step_of(count), count=count, line=8, base="%b", store="st.local.b64 [at], to;")
    setup = [f".local .align 8 .b8 lbuf[{kibi * KIBI}];", "mov.u64 %b, lbuf;", fill, "mov.b64 %a, %b;"]
    chase = body("chase", "ld.local.b64 %a, [%a];", [("%b", "b64", None), ("%a", "b64", None)], setup, [("%a", "b64")])
    return Probe(f"chase ld.local.b64 ring={kibi}KiB", chase, n=64)


def constant_ring(kibi):
    """Constant memory is filled by the module: with distances from its beginning, to which the base is added."""
    count = kibi * KIBI // 64
    step = step_of(count)
    words = ", ".join(f"{(index + step) % count * 64}" + ", 0" * 7 for index in range(count))
    ring = f".const .align 64 .b64 ring{kibi}[{count * 8}] = {{{words}}};\n"
    setup = [f"mov.u64 %b, ring{kibi}; cvt.u64.u32 %a, %zero; add.u64 %a, %a, %b;"]
    registers = [("%a", "b64", None), ("%b", "b64", None)]
    chase = body("chase", "ld.const.u64 %a, [%a]; add.u64 %a, %a, %b;", registers, setup, [("%a", "b64")], module=ring)
    return Probe(f"chase ld.const.u64 + add ring={kibi}KiB", chase, n=64)


def probes():
    for load in LOADS:
        for kibi in GLOBAL if load in ("ld.global", "ld.global.cg") else (32, 4096, 131072):
            yield global_ring(load, kibi)
    yield from (shared_ring(size) for size in ("b32", "b64"))
    yield from (local_ring(kibi) for kibi in (1, 16, 64, 256))
    yield from (constant_ring(kibi) for kibi in (1, 2, 4, 8, 16, 32))
