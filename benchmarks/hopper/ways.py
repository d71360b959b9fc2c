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


def words_of(names, size):
    """PTX that brings registers of one size into words of 32 bits, and the names of these."""
    if size == "b16":
        pairs = [(names[index], names[index + 1] if index + 1 < len(names) else "%hzero") for index in range(0, len(names), 2)]
        return [f"mov.b32 w{index}, {{{low}, {high}}};" for index, (low, high) in enumerate(pairs)], [f"w{index}" for index in range(len(pairs))]
    if size == "b128":
        halves = [f"q{index}" for index in range(2 * len(names))]
        split, words = words_of(halves, "b64")
        return [f".reg .b64 {', '.join(halves)};", *(f"mov.b128 {{q{2 * index}, q{2 * index + 1}}}, {name};" for index, name in enumerate(names)), *split], words
    if size == "b64":
        return [f"mov.b64 {{w{2 * index}, w{2 * index + 1}}}, {name};" for index, name in enumerate(names)], [f"w{index}" for index in range(2 * len(names))]
    return [], list(names)


def way_of_all(names, size, end):
    """The way of a load's whole result to an address, of which every register is needed: three at a time become one by `lop3`."""
    text, words = words_of(names, size)
    registers, joins = [word for word in words if word.startswith("w")], []
    while len(words) > 1:
        first, *rest = words[:3]
        word = f"x{len(joins)}"
        joins.append(f"lop3.b32 {word}, {first}, {rest[0]}, {rest[1]}, 0x96;" if len(rest) == 2 else f"xor.b32 {word}, {first}, {rest[0]};")
        registers.append(word)
        words = [word, *words[3:]]
    declared = f".reg .b32 {', '.join(registers)}; " if registers else ""
    to_address = TO_ADDRESS["b32", end].replace("{1}", words[0])
    return " ".join(["lop"] * len(joins) + ["imad"]), "{{ " + declared + " ".join(text + joins).replace("{", "{{").replace("}", "}}") + " " + to_address + " }}"
