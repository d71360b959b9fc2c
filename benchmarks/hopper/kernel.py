"""PTX of a measuring kernel: two loops over instances of a body, the second with three times as many, between reads of the clock. What the second takes
longer is the time of the instances alone: the loop, the reads and the ends of chains are in both."""

import scene

# Instances of the two loops: what a body of one kind needs so that the end of the loop does not hide under them.
INSTANCES = {"few": (4, 12), "some": (8, 24), "many": (32, 96)}
HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"
PARAMETERS = "(.param .u64 times, .param .u64 values, .param .u64 memory, .param .u64 meeting, .param .u32 n, .param .u32 rounds, .param .align 8 .b8 textures[48])"
BEGIN = """
.reg .b64 %times, %values, %memory, %meeting, %t<4>, %at;
.reg .b32 %n, %rounds, %i, %round, %lane, %warp, %warps, %thread, %cta, %sm_id, %came, %wanted, %zero, %one, %order;
.reg .b16 %hzero; .reg .pred %more, %alone, %never, %g<3>;
ld.param.u64 %times, [times]; ld.param.u64 %values, [values]; ld.param.u64 %memory, [memory]; ld.param.u64 %meeting, [meeting];
ld.param.u32 %n, [n]; ld.param.u32 %rounds, [rounds];
mov.u32 %thread, %tid.x; and.b32 %lane, %thread, 31; shr.u32 %warp, %thread, 5; mov.u32 %warps, %ntid.x; shr.u32 %warps, %warps, 5;
mov.u32 %cta, %ctaid.x; mov.u32 %sm_id, %smid;
mad.wide.u32 %values, %lane, {record}, %values;
ld.global.u32 %zero, [%values+{zero}]; ld.global.u32 %one, [%values+{one}]; ld.global.u32 %order, [%values+{order}]; ld.global.u16 %hzero, [%values+{zero}+2];
add.u32 %n, %n, %zero;
"""
# The two CTAs of an SM meet before every loop, for a limited time: those of others do not matter. A warp that has arrived at a barrier goes on until it
# needs what the barrier gives: without the `exit`, which waits for the result, it would read the clock when it comes, not when the last one has come.
MEET = """
setp.eq.u64 %alone, %meeting, 0; @%alone bra MET{loop};
setp.ne.u32 %alone, %thread, 0; @%alone bra MET{loop};
mad.wide.u32 %at, %sm_id, 4, %meeting; atom.global.add.u32 %came, [%at], 1;
mad.lo.u32 %wanted, %round, 4, {wanted}; mov.u32 %i, 0;
WAIT{loop}: ld.acquire.gpu.global.u32 %came, [%at]; add.u32 %i, %i, 1;
setp.lt.u32 %more, %came, %wanted; setp.lt.and.u32 %more, %i, 2000, %more; @%more bra WAIT{loop};
MET{loop}: bar.red.and.pred %more, 0, %g0; @!%more exit;
"""
END = """
mad.lo.u32 %i, %cta, %rounds, %round; mad.lo.u32 %i, %i, %warps, %warp; mad.wide.u32 %at, %i, 64, %times;
st.global.v2.u64 [%at], {%t0, %t1}; st.global.v2.u64 [%at+16], {%t2, %t3}; st.global.u32 [%at+32], %sm_id;
add.u32 %round, %round, 1; setp.lt.u32 %more, %round, %rounds; @%more bra ROUND;
"""


def loop(label, body, count):
    lines = [body.text(index).replace("{offset}", str(index * scene.STEP)) for index in range(count)]
    return ["mov.u32 %i, 0;", f'{label}: .pragma "nounroll";', body.begins, *lines, body.ends, f"add.u32 %i, %i, 1; setp.lt.u32 %more, %i, %n; @%more bra {label};"]


def instances(body):
    return INSTANCES.get(body.instances, body.instances)


def load(name, size, kind):
    place = f"[%values+{scene.PLACE[kind]}]"
    if size == "pred":
        return f"{{ .reg .b32 t; ld.global.u32 t, {place}; setp.ne.u32 {name}, t, 0; }}"
    if size == "b128":
        return f"{{ .reg .b64 t; ld.global.b64 t, {place}; mov.b128 {name}, {{t, t}}; }}"
    return f"ld.global.{size} {name}, {place};"


def kernel(name, body):
    short, long = instances(body)
    cluster = f".explicitcluster .reqnctapercluster {body.cluster}" if body.cluster else ""
    lines = [f"{body.module}.visible .entry {name}{PARAMETERS}\n.maxntid {body.threads} {cluster}\n{{"]
    if body.shared:
        lines.append(f".shared .align 1024 .b8 sbuf[{body.shared}];")
    lines.append(BEGIN.format(record=scene.RECORD, zero=scene.PLACE["zero"], one=scene.PLACE["one"], order=scene.PLACE["order"]))
    lines += [load(f"%g{index}", "pred", f"guard{index}") for index in range(3)]
    lines.append(load("%never", "pred", "never"))
    for register, size, kind in body.registers:
        lines.append(f".reg .{size} {register};")
        if kind is not None:
            lines.append(load(register, size, kind))
    lines += body.setup
    lines += ["mov.u32 %round, 0;", "ROUND:", MEET.format(loop="A", wanted=2), "mov.u64 %t0, %clock64;", *loop("A", body, short), "mov.u64 %t1, %clock64;"]
    lines += [MEET.format(loop="B", wanted=4), "mov.u64 %t2, %clock64;", *loop("B", body, long), "mov.u64 %t3, %clock64;", END]
    lines.append(body.after)
    for register, size in body.keep:
        if size == "pred":
            lines.append(f"{{ .reg .b32 t; selp.b32 t, 1, 0, {register}; @%never st.global.u32 [%times], t; }}")
        else:
            lines.append(f"@%never st.global.{size} [%times], {register};")
    return "\n".join([*lines, "ret;", "}", ""])
