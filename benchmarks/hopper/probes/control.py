"""Branches, calls, special registers and what else moves no data."""

from probes import WARPS, Probe, body

SPECIAL = ("tid.x", "ntid.x", "ctaid.x", "nctaid.x", "laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid", "lanemask_lt", "clock", "clock_hi", "clock64", "globaltimer",
           "globaltimer_lo", "pm0", "envreg0", "total_smem_size", "dynamic_smem_size", "cluster_ctarank", "cluster_nctarank", "is_explicit_cluster",
           "current_graph_exec")
WIDE = ("gridid", "clock64", "globaltimer", "current_graph_exec")
CALLEE = ".func (.reg .b32 %r) callee(.reg .b32 %p) .noinline { add.u32 %r, %p, 1; ret; }\n"
REGISTERS = [("%v", "b32", "one"), ("%w", "b64", "one"), ("%p", "pred", "one"), ("%q", "pred", "zero")]
KEEP = [("%v", "b32"), ("%w", "b64")]


def special(name):
    register, size, kind = ("t", "b64", "u64") if name in WIDE else ("t", "b32", "u32")
    into = "add.u64 %w, %w, t;" if size == "b64" else "add.u32 %v, %v, t;"
    return f"{{ .reg .{size} {register}; mov.{kind} t, %{name}; {into} }}"


LINES = {
    "bra taken by all": "{ @%p bra NEXT; add.u32 %v, %v, %one; NEXT: add.u32 %v, %v, 3; }",
    "bra taken by none": "{ @%q bra NEXT; bar.warp.sync 0xffffffff; NEXT: add.u32 %v, %v, 3; }",
    "bra taken by half of the lanes": "{ .reg .pred h; .reg .b32 t; and.b32 t, %lane, %one; setp.ne.u32 h, t, 0; @h bra ELSE; mul.lo.u32 %v, %v, %v; mul.lo.u32 %v, %v, 5; "
                                      "bra NEXT; ELSE: mul.lo.u32 %v, %v, 7; mul.lo.u32 %v, %v, %v; NEXT: bar.warp.sync 0xffffffff; }",
    "nanosleep 20": "nanosleep.u32 20;",
    "nanosleep 1000": "nanosleep.u32 1000;",
}


def probes():
    for name in SPECIAL:
        yield Probe(f"control mov from %{name}", body("control", special(name), REGISTERS, keep=KEEP), WARPS, 0)
    for name, line in LINES.items():
        yield Probe(f"control {name}", body("control", line, REGISTERS, keep=KEEP), WARPS, 0)
    call = body("control", "call.uni (%v), callee, (%v);", REGISTERS, keep=KEEP, module=CALLEE)
    yield Probe("control call.uni + ret of a function with one add", call, WARPS, 0)
