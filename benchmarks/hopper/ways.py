"""The ways from a result back to an operand of another size. Each is one machine instruction or none; its own latency is known and taken off."""

# (from, to): (name, PTX with {0} for where to, {1} for where from). `%one` and `%zero` are registers whose value only the run knows.
WAYS = {
    ("pred", "b32"): ("selp", "selp.b32 {0}, %one, %zero, {1};"),
    ("pred", "b16"): ("selp", "{{ .reg .b32 t; selp.b32 t, %one, %zero, {1}; cvt.u16.u32 {0}, t; }}"),
    ("pred", "b64"): ("selp", "{{ .reg .b32 t; selp.b32 t, %one, %zero, {1}; mov.b64 {0}, {{t, %zero}}; }}"),
    ("b32", "pred"): ("setp", "setp.ne.u32 {0}, {1}, %zero;"),
    ("b16", "pred"): ("setp", "{{ .reg .b32 t; mov.b32 t, {{{1}, %hzero}}; setp.ne.u32 {0}, t, %zero; }}"),
    ("b64", "pred"): ("setp", "{{ .reg .b32 t, u; mov.b64 {{t, u}}, {1}; setp.ne.u32 {0}, t, %zero; }}"),
    ("b32", "b16"): ("none", "cvt.u16.u32 {0}, {1};"),
    ("b16", "b32"): ("mov", "mov.b32 {0}, {{{1}, %hzero}};"),
    ("b32", "b64"): ("none", "mov.b64 {0}, {{{1}, %zero}};"),
    ("b64", "b32"): ("none", "{{ .reg .b32 t; mov.b64 {{{0}, t}}, {1}; }}"),
    ("b16", "b64"): ("mov", "{{ .reg .b32 t; mov.b32 t, {{{1}, %hzero}}; mov.b64 {0}, {{t, %zero}}; }}"),
    ("b64", "b16"): ("none", "{{ .reg .b32 t, u; mov.b64 {{t, u}}, {1}; cvt.u16.u32 {0}, t; }}"),
}

# A result as an operand of the same size, through a permutation of its bytes whose order only the run knows: neighbours that have it between them are not joined.
APART = {
    "b32": "prmt.b32 {0}, {1}, %zero, %order;",
    "b16": "{{ .reg .b32 t; .reg .b16 any; mov.b32 t, {{{1}, any}}; prmt.b32 t, t, %zero, %order; cvt.u16.u32 {0}, t; }}",
    "b64": "{{ .reg .b32 t, u; mov.b64 {{t, u}}, {1}; prmt.b32 t, t, %zero, %order; prmt.b32 u, u, %zero, %order; mov.b64 {0}, {{t, u}}; }}",
}

# From a result to an address: times zero, onto the address.
TO_ADDRESS = {
    ("b32", "b32"): "mad.lo.u32 {0}, {1}, %zero, {0};",
    ("b32", "b64"): "mad.wide.u32 {0}, {1}, %zero, {0};",
}


def way(start, end):
    """The name and the PTX of the way from a register of one size to one of another; None where there is none."""
    return ("none", "") if start == end else WAYS.get((start, end))


def way_to_address(start, end):
    if start == "b64":
        inner = TO_ADDRESS["b32", end].format("{0}", "t")
        return "imad", "{{ .reg .b32 t, u; mov.b64 {{t, u}}, {1}; " + inner + " }}"
    if start == "b16":
        inner = TO_ADDRESS["b32", end].format("{0}", "t")
        return "mov imad", "{{ .reg .b32 t; mov.b32 t, {{{1}, %hzero}}; " + inner + " }}"
    return ("imad", TO_ADDRESS[start, end]) if (start, end) in TO_ADDRESS else None
