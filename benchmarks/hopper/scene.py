"""What the operands of a measured instruction find: values of every type, and memory that every lane has to itself."""

import struct

# What the record of every lane in the buffer `values` holds, eight bytes each. Chains over these stay where no slow path is: 1 / 1 is 1.
VALUES = {
    "zero": 0,
    "one": 1,
    "f32": 0x3F8000003F800000,
    "f16": 0x3C003C003C003C00,
    "bf16": 0x3F803F803F803F80,
    "f64": 0x3FF0000000000000,
    "ones": 0xFFFFFFFFFFFFFFFF,
    "guard0": 1,
    "guard1": 1,
    "guard2": 1,
    "never": 0,
    "order": 0x3210,
}
RECORD = 128
PLACE = {name: 8 * index for index, name in enumerate(VALUES)}
MEMBERS = ("shfl.sync", "vote.sync", "match.", "redux.", "bar.warp", "elect")
SIZES_OF_TYPES = {"f16": ("b16", "b32"), "bf16": ("b16", "b32"), "f32": ("b32",), "f64": ("b64",)}


def values_of_all_lanes():
    record = b"".join(struct.pack("<Q", value) for value in VALUES.values())
    return record.ljust(RECORD, b"\0") * 32


def kind_of_value(form, group):
    """Which value suits an operand: that of the type its instruction computes in, where its size is one of that type."""
    if form.opcode.startswith(MEMBERS) and form.sources and group == form.sources[-1]:
        return "ones"
    for word in reversed(form.opcode.split(".")):
        kind = {"f16x2": "f16", "bf16x2": "bf16", "tf32": "f32"}.get(word, word)
        if group.size in SIZES_OF_TYPES.get(kind, ()):
            return kind
    return "one"


# The names that texts of the inventory use for addresses: a space, and the register's size. Every chain of a thread has a place of its own; stores of
# one loop go to different places, or all but the last might be dropped.
ADDRESSES = {"%sm": ("shared", "b32"), "%memg": ("global", "b64"), "%mem": ("generic", "b64")}
BYTES_SHARED = 40960
STEP = 128


def address_setup(space, register, stride, chain):
    if space == "shared":  # threads beyond these meet those before them
        mask = min(512, 16384 // stride) - 1
        return (f"and.b32 %came, %thread, {mask}; mov.u32 {register}, sbuf; add.u32 {register}, {register}, {chain * STEP}; "
                f"mad.lo.u32 {register}, %came, {stride}, {register};")
    return f"add.u64 {register}, %memory, {chain * 65536}; mad.wide.u32 {register}, %thread, {stride}, {register};"


def address_of(form):
    """The name of the address in the text of a form, if it has just one that is known."""
    names = [name for name in ADDRESSES if f"[{name}]" in form.text]
    return names[0] if len(names) == 1 else None


def is_known(form):
    """Whether all that a text names is known here."""
    rest = form.text.split(" ", 1)[1] if " " in form.text else ""
    for name in ADDRESSES:
        rest = rest.replace(f"[{name}]", "")
    return "[" not in rest and "%" not in form.with_registers([""] * 64).split(" ", 1)[-1].replace(address_of(form) or "%none", "")
