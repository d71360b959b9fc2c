"""Machine code of kernels in a cubin: where the clock is read, and what lies between."""

import struct
from collections import Counter

CS2R, SR_CLOCK = 0x805, 0x50
NOP = 0x918
BRANCH = 0x947


def sections(cubin):
    """Names and contents of the sections of an ELF file."""
    start, = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    rows = [struct.unpack_from("<IIQQQQ", cubin, start + size * index) for index in range(count)]
    strings = rows[names][4]
    for row in rows:
        end = cubin.index(b"\0", strings + row[0])
        yield cubin[strings + row[0]:end].decode(), cubin[row[4]:row[4] + row[5]] if row[1] != 8 else b""


def kernels(cubin):
    """The machine code of every kernel, by its name."""
    return {name[len(".text."):]: code for name, code in sections(cubin) if name.startswith(".text.")}


def instructions(code):
    return [struct.unpack_from("<QQ", code, place) for place in range(0, len(code), 16)]


def opcode(instruction):
    return instruction[0] & 0xFFF


def reads_clock(instruction):
    return opcode(instruction) == CS2R and (instruction[1] >> 8 & 0xFF) == SR_CLOCK


def target(instruction):
    """How many instructions a branch goes forward from the one behind it."""
    high = (instruction[0] >> 34 | instruction[1] << 30) & 0xFFFFFFFFFFFF
    words = (high - (high >> 47 << 48)) * 256 + (instruction[0] >> 16 & 0xFF)
    return words // 4


def loop(found, begin, end):
    """The instructions of the longest loop within a part of the machine code."""
    ends = [(index + 1 + target(found[index]), index + 1) for index in range(begin, end) if opcode(found[index]) == BRANCH]
    loops = [(end - start, start, end) for start, end in ends if begin <= start < end]
    _, start, end = max(loops, default=(0, begin, begin))
    return found[start:end]


def segments(code):
    """The instructions of the loops between the first and second, and between the third and fourth read of the clock."""
    found = instructions(code)
    reads = [index for index, instruction in enumerate(found) if reads_clock(instruction)]
    if len(reads) != 4:
        return None
    return loop(found, reads[0] + 1, reads[1]), loop(found, reads[2] + 1, reads[3])


# Control bits of an instruction: what it waits for and how long, and which registers are kept for the next one.
CONTROL = 0x3FFFFF << 41


def shape(instruction):
    """An instruction without its registers' numbers (bits 16 to 39, 64 to 71) and its control bits."""
    low, high = instruction
    return low & ~(0xFFFFFF << 16) & ~0xF000, high & ~CONTROL & ~0xFF


def count(instructions_of_segment):
    return Counter(shape(instruction) for instruction in instructions_of_segment if opcode(instruction) != NOP)


def per_instance(code, difference):
    """How often each shape occurs for one instance: the second loop has `difference` instances more. None if that is not to be told."""
    found = segments(code)
    if found is None:
        return None
    short, long = count(found[0]), count(found[1])
    more = Counter({key: long[key] - short[key] for key in {*long, *short} if long[key] != short[key]})
    return {key: value / difference for key, value in more.items()}
