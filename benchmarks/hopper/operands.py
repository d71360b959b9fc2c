"""Which registers a machine instruction of sm_90 reads and writes, as far as forms that compute become it. Checked against ptxas: what it lets pass between a write and a read
(the stall counts of the machine code) is never less than the latency."""

from collections import namedtuple

import machine_code

Kind = namedtuple("Kind", "name reads")  # reads: which of the register fields a, b, c
Registers = namedtuple("Registers", "name reads writes guard")  # of ("R", number), ("P", number), ("U", number)

OPCODES = {  # the low nine bits; those above say where a constant stands in for a register
    0x02: "MOV b", 0x03: "P2R a", 0x05: "CS2R -", 0x07: "SEL ab", 0x08: "FSEL ab", 0x09: "FMNMX ab", 0x0a: "FSET ab", 0x0b: "FSETP ab", 0x0c: "ISETP ab", 0x0f: "VIMNMX3 abc",
    0x10: "IADD3 abc", 0x11: "LEA abc", 0x12: "LOP3 abc", 0x13: "IABS b", 0x14: "VABSDIFF abc", 0x15: "VABSDIFF4 abc", 0x16: "PRMT abc", 0x19: "SHF abc", 0x1a: "SGXT ab",
    0x1b: "BMSK ab", 0x1c: "PLOP3 -", 0x1f: "PLOP3 abc", 0x20: "FMUL ab", 0x21: "FADD ab", 0x23: "FFMA abc", 0x24: "IMAD abc", 0x25: "IMAD.WIDE abc", 0x26: "IDP abc",
    0x27: "IMAD.HI abc", 0x28: "DMUL ab", 0x29: "DADD ab", 0x2a: "DSETP ab", 0x2b: "DFMA abc", 0x30: "HADD2 ab", 0x31: "HFMA2 abc", 0x32: "HMUL2 ab", 0x33: "HSET2 ab",
    0x34: "HSETP2 ab", 0x35: "HFMA2.MMA abc", 0x36: "VIADD ab", 0x38: "I2I b", 0x39: "I2IP abc", 0x3e: "F2FP abc", 0x40: "HMNMX2 ab", 0x43: "F2IP b", 0x45: "I2FP b",
    0x46: "VIADDMNMX abc", 0x48: "VIMNMX ab", 0x82: "UMOV -", 0x90: "UIADD3 -", 0x92: "ULOP3 -", 0x100: "FLO b", 0x101: "BREV b", 0x104: "F2F b", 0x105: "F2I b", 0x106: "I2F b",
    0x107: "FRND b", 0x108: "MUFU b", 0x109: "POPC b", 0x110: "F2F.64 b", 0x111: "F2I.64 b", 0x112: "I2F.64 b", 0x113: "FRND.64 b", 0x181: "LDG a", 0x186: "STG ab",
    0x189: "SHFL abc"}
KINDS = {code: Kind(*text.split()) for code, text in OPCODES.items()}
WITHOUT_RESULT = {"ISETP", "FSETP", "DSETP", "HSETP2", "PLOP3", "STG"}
UNIFORM = {"UMOV", "UIADD3", "ULOP3"}
READS_PREDICATE = {"SEL", "FSEL", "FMNMX", "FSET", "FSETP", "ISETP", "IADD3", "LEA", "LOP3", "IMAD", "IMAD.WIDE", "IMAD.HI", "DSETP", "HSET2", "HSETP2", "HMNMX2", "VIMNMX", "PLOP3"}
WRITES_PREDICATE = {"FSETP", "ISETP", "IADD3", "LEA", "LOP3", "IMAD", "IMAD.WIDE", "IMAD.HI", "DSETP", "HSETP2", "PLOP3", "FLO"}
WRITES_TWO_PREDICATES = {"FSETP", "ISETP", "IADD3", "LEA", "DSETP", "HSETP2", "PLOP3"}
PAIRS = {"DMUL", "DADD", "DFMA", "FRND.64"}
ZERO, ALWAYS, NO_PREDICATE = 255, 7, 7
REGISTERS, UNIFORM_FORMS = 1, (6, 7)  # forms of the opcode: all fields are registers; b or c is a uniform one


def is_pair(word, place):
    return word >> place & 3 == 3  # a size of 64 bits


def widths(name, low, high):
    """Registers of the result and of a, b, c."""
    if name == "IMAD.WIDE":
        return 2, 1, 1, 2
    if name in PAIRS:
        return 2, 2, 2, 2
    if name == "DSETP":
        return 1, 2, 2, 2
    if name == "CS2R":
        return 2, 1, 1, 1
    if name in ("F2F.64", "F2I.64", "I2F.64"):
        return 2 if is_pair(high, 11) else 1, 1, 2 if is_pair(high, 20) else 1, 1
    if name in ("LDG", "STG"):
        count = {4: 1, 5: 2, 6: 4}.get(high >> 9 & 7, 1)
        return (count, 2, 1, 1) if name == "LDG" else (1, 2, count, 1)
    return 1, 1, 1, 1


def of(instruction):
    """None where the opcode is not known here."""
    low, high = instruction
    full = machine_code.opcode(instruction)
    kind, form = KINDS.get(full & 0x1FF), full >> 9
    if kind is None:
        return None
    width = widths(kind.name, low, high)
    fields = {"a": low >> 24 & 255, "b": low >> 32 & 255, "c": high & 255}
    if kind.name == "SHFL":
        kept = ["a"] + ["b"] * (form in (1, 4)) + ["c"] * (form in (1, 2))
    elif form != REGISTERS and kind.name != "STG" and "b" in kind.reads:  # a constant is in the place of b; what b was stands in that of c, or c is the constant
        kept = {"abc": ["a", "c"], "ab": ["a"], "b": []}[kind.reads]
    else:
        kept = [letter for letter in kind.reads if letter in fields]
    reads, writes = set(), set()
    for letter in kept:
        if fields[letter] != ZERO:
            reads |= {("R", fields[letter] + part) for part in range(width["abc".index(letter) + 1])}
    if kind.name in READS_PREDICATE:
        places = [23] + [13] * (kind.name == "IADD3") + [4] * (kind.name == "ISETP" and high >> 8 & 1) + [13, 4] * (kind.name == "PLOP3")
        reads |= {("P", high >> place & 7) for place in places}
    if kind.name == "P2R":
        reads |= {("P", number) for number in range(7)}
    if form in UNIFORM_FORMS:
        reads.add(("U", low >> 32 & 63))
    result = low >> 16 & 255
    if kind.name in UNIFORM:
        writes.add(("U", result & 63))
    elif kind.name not in WITHOUT_RESULT and result != ZERO:
        writes |= {("R", result + part) for part in range(width[0])}
    if kind.name in WRITES_PREDICATE:
        writes |= {("P", high >> place & 7) for place in ([17, 20] if kind.name in WRITES_TWO_PREDICATES else [17])}
    guard = low >> 12 & 7
    none = ("P", NO_PREDICATE)
    return Registers(kind.name, reads - {none}, writes - {none}, None if guard == ALWAYS else ("P", guard))
