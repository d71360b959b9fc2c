"""Barriers, mbarriers, fences, votes and what else makes threads meet."""

from probes import WARPS, Probe, body

PARITY = [("%phase", "b32", None), ("%mbar", "b32", None), ("%count", "b32", None)]
INIT = ["mov.u32 %mbar, sbuf; mov.u32 %count, %ntid.x; setp.eq.u32 %more, %thread, 0; @%more mbarrier.init.shared.b64 [%mbar], %count; bar.sync 0; mov.u32 %phase, 0;"]
ROUND_TRIP = ("{ .reg .pred done; mbarrier.arrive.shared.b64 _, [%mbar]; "
              "AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%mbar], %phase; @!done bra AGAIN; xor.b32 %phase, %phase, 1; }")
INIT_MANY = ["mov.u32 %mbar, sbuf; mov.u32 %count, 1048575; setp.eq.u32 %more, %thread, 0; @%more mbarrier.init.shared.b64 [%mbar], %count; bar.sync 0;"]


def simple():
    """Instructions that every warp of the CTA carries out."""
    yield "bar.sync 0", "bar.sync 0;"
    yield "barrier.cta.sync 0", "barrier.cta.sync 0;"
    yield "bar.red.popc.u32", "bar.red.popc.u32 %v, 0, %p; setp.ne.u32 %p, %v, 12345;"
    yield "bar.red.or.pred", "bar.red.or.pred %p, 0, %p;"
    yield "bar.warp.sync", "bar.warp.sync 0xffffffff;"
    yield "barrier.cluster.arrive + wait", "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
    yield "barrier.cluster.arrive.relaxed + wait", "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;"
    yield "nanosleep 0", "nanosleep.u32 0;"
    for scope in ("cta", "gl", "sys"):
        yield f"membar.{scope}", f"membar.{scope};"
    for fence in ("fence.proxy.async", "fence.proxy.async.shared::cta", "fence.acq_rel.cta", "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.sc.gpu"):
        yield fence, f"{fence};"


def probes():
    registers = [("%v", "b32", "one"), ("%p", "pred", "one")]
    for name, line in simple():
        yield Probe(f"waiting {name}", body("waiting", line, registers, keep=[("%v", "b32"), ("%p", "pred")]), WARPS, 8)
    for cluster in (2, 4):
        line = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
        yield Probe(f"waiting barrier.cluster.arrive + wait ctas={cluster}", body("waiting", line, cluster=cluster), "1*1 1*4 1*32", 8)
    trip = body("waiting", ROUND_TRIP, PARITY, INIT, shared=1024)
    yield Probe("waiting mbarrier.arrive + try_wait of all threads", trip, WARPS, 8)
    arrive = body("waiting", "mbarrier.arrive.shared.b64 %s, [%mbar];", [*PARITY, ("%s", "b64", "zero")], INIT_MANY, [("%s", "b64")], shared=1024)
    yield Probe("waiting mbarrier.arrive", arrive, WARPS, 4)
    test = "mbarrier.test_wait.shared.b64 %p, [%mbar], %s; selp.b32 %count, %count, %mbar, %p; mad.lo.u32 %mbar, %count, %zero, %mbar;"
    start = [*INIT_MANY, "mbarrier.arrive.shared.b64 %s, [%mbar];"]
    registers = [*PARITY, ("%s", "b64", "zero"), ("%p", "pred", "one")]
    yield Probe("waiting mbarrier.test_wait + selp + mad", body("waiting", test, registers, start, [("%mbar", "b32")], shared=1024), WARPS, 8)
