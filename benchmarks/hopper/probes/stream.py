"""Bandwidth of all SMs together: every thread reads or writes its own part of a footprint, over and over."""

from probes import Probe, body

MEBI = 1 << 20
ALL = "1*4 1*8 1*16 1*32 2*32"


PLACES = 4  # of a warp, one after the other
STRIDES = (4, 8, 16, 32, 64, 128)


def address(mebi):
    """Sets %a to the thread's next 16 bytes."""
    return f"add.u32 %o, %o, %s; and.b32 %o, %o, {mebi * MEBI - 1}; cvt.u64.u32 %a, %o; add.u64 %a, %a, %memory;"

REGISTERS = [("%o", "b32", None), ("%s", "b32", None), ("%a", "b64", None), ("%d0", "b32", "zero"), ("%d1", "b32", "zero"),
             ("%d2", "b32", "zero"), ("%d3", "b32", "zero"), ("%x", "b32", "zero")]
SETUP = ["mov.u32 %o, %ntid.x; mov.u32 %s, %nctaid.x; mul.lo.u32 %s, %s, %o; shl.b32 %s, %s, 4; mad.lo.u32 %o, %cta, %o, %thread; shl.b32 %o, %o, 4;"]


def spread(instruction, stride):
    """Accesses of 4 bytes a lane, `stride` apart, of warps that have a MiB of each CTA's own."""
    place = f"mad.wide.u32 %a, %cta, {MEBI}, %memory; mad.wide.u32 %a, %warp, {32 * PLACES * 128}, %a; mad.wide.u32 %a, %lane, {stride}, %a;"
    keep = [("%x", "b32")] if instruction.startswith("ld") else []
    lines = [f"{instruction} %d0, [%a+{at * 32 * stride}]; xor.b32 %x, %x, %d0;" if keep else f"st.global.u32 [%a+{at * 32 * stride}], %d0;" for at in range(PLACES)]
    begins = "mad.wide.u32 %a, %zero, %zero, %a;"
    return body("stream", lines, REGISTERS, [place], keep, begins=begins)


def probes():
    for stride in STRIDES:
        for instruction in ("ld.relaxed.gpu.global.u32", "st.global.u32"):
            yield Probe(f"stream {instruction} stride={stride}", spread(instruction, stride), "1x8 1x32 1*8 1*32", 16)
    for mebi in (4, 16, 32, 256):
        read = address(mebi) + " ld.global.cg.v4.u32 {%d0, %d1, %d2, %d3}, [%a]; xor.b32 %x, %x, %d0; xor.b32 %x, %x, %d1; xor.b32 %x, %x, %d2; xor.b32 %x, %x, %d3;"
        write = address(mebi) + " st.global.v4.u32 [%a], {%d0, %d1, %d2, %d3};"
        yield Probe(f"stream ld.global.cg.v4.u32 footprint={mebi}MiB", body("stream", read, REGISTERS, SETUP, [("%x", "b32")]), ALL, 16)
        yield Probe(f"stream st.global.v4.u32 footprint={mebi}MiB", body("stream", write, REGISTERS, SETUP), ALL, 16)
