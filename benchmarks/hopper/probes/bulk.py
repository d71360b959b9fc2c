"""Bulk copies by size: until the data is there, several under way, and all SMs at once."""

from probes import Probe, body

SIZES = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
REGISTERS = [("%mbar", "b32", None), ("%to", "b32", None), ("%from", "b64", None), ("%phase", "b32", None), ("%first", "pred", None)]
# One thread copies; each CTA has a part of the memory of its own.
SETUP = ["mov.u32 %to, sbuf; add.u32 %to, %to, 1024; mov.u32 %mbar, sbuf; mad.wide.u32 %from, %cta, 131072, %memory; mov.u32 %phase, 0; setp.eq.u32 %first, %thread, 0; "
         "@%first mbarrier.init.shared.b64 [%mbar], 1; fence.proxy.async; bar.sync 0;"]


def wait(label):
    return (f"{{ .reg .pred done; {label}: mbarrier.try_wait.parity.shared.b64 done, [%mbar], %phase; @!done bra {label}; "
            "xor.b32 %phase, %phase, 1; }")


def load(size, under_way):
    copy = "@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%from], {0}, [%mbar];".format(size)
    line = f"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%mbar], {size * under_way}; {copy * under_way} {wait('AGAIN')}"
    return body("bulk", line.join("{}"), REGISTERS, SETUP, shared=40960, threads=32)


def store(size, under_way):
    copy = f"@%first cp.async.bulk.global.shared::cta.bulk_group [%from], [%to], {size};"
    line = f"{copy * under_way} cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
    return body("bulk", line, REGISTERS, SETUP, shared=40960, threads=32)


def reduce(size):
    line = f"@%first cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%from], [%to], {size}; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
    return body("bulk", line, REGISTERS, SETUP, shared=40960, threads=32)


def single(size):
    """Copies of a thread through the shared memory of its warp, without mbarriers."""
    registers = [("%to", "b32", None), ("%from", "b64", None)]
    setup = [f"mov.u32 %to, sbuf; mad.lo.u32 %to, %thread, {size}, %to; mad.wide.u32 %from, %thread, {size}, %memory;"]
    line = f"cp.async.ca.shared.global [%to], [%from], {size}; cp.async.wait_all;"
    return body("bulk", line, registers, setup, shared=40960)


def probes():
    for size in SIZES:
        for under_way in (1, 4):
            yield Probe(f"bulk cp.async.bulk.shared.global size={size} copies={under_way} + wait", load(size, under_way), "1x1 1*1", 0)
            yield Probe(f"bulk cp.async.bulk.global.shared size={size} copies={under_way} + wait", store(size, under_way), "1x1 1*1", 0)
        yield Probe(f"bulk cp.reduce.async.bulk.global.shared.add.u32 size={size} + wait", reduce(size), "1x1 1*1", 0)
    for size in (4, 8, 16):
        yield Probe(f"bulk cp.async.ca.shared.global size={size} + wait_all", single(size), "1x1 1x4 1x16 1x32", 0)
