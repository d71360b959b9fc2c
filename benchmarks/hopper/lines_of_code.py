"""Which line of a PTX module each machine instruction comes from, by the line table of a cubin (`.loc` in the PTX; `ptxas -lineinfo` leaves the code as it is)."""

import struct

EXTENDED_END, EXTENDED_ADDRESS = 1, 2
COPY, ADVANCE_ADDRESS, ADVANCE_LINE, CONST_ADD, FIXED_ADVANCE = 1, 2, 3, 8, 9
INSTRUCTION = 16  # bytes


def section_table(cubin):
    start, = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    rows = [struct.unpack_from("<IIQQQQ", cubin, start + size * index) for index in range(count)]
    strings = rows[names][4]
    return [(cubin[strings + row[0]:cubin.index(b"\0", strings + row[0])].decode(), row[4], row[5]) for row in rows]


def relocated(cubin, sections):
    """By the place of an address in the line table, the kernel that it lies in."""
    places = {name: (place, size) for name, place, size in sections}
    symbols, strings, (begin, size) = places[".symtab"][0], places[".strtab"][0], places[".rela.debug_line"]
    found = {}
    for entry in range(begin, begin + size, 24):
        offset, info = struct.unpack_from("<QQ", cubin, entry)
        name, _, _, section = struct.unpack_from("<IBBH", cubin, symbols + 24 * (info >> 32))
        text = cubin[strings + name:cubin.index(b"\0", strings + name)].decode() if name else sections[section][0]
        found[offset] = text.removeprefix(".text.")
    return found


class Bytes:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def take(self, kind):
        value, = struct.unpack_from("<" + kind, self.data, self.at)
        self.at += struct.calcsize(kind)
        return value

    def leb(self, signed=False):
        value, shift = 0, 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value


def sequences(data, names):
    """Kernels with (address, line) in the order of the table; a line of None ends one."""
    start = 0
    while start < len(data):
        source = Bytes(data, start)
        end = start + 4 + source.take("I")
        source.take("H")
        program = start + 10 + source.take("I")
        least, _, base, width, first = (source.take(kind) for kind in "BBbBB")
        lengths = [source.take("B") for _ in range(first - 1)]
        source.at, address, line, kernel = program, 0, 1, None
        while source.at < end:
            code = source.take("B")
            if code >= first:
                address, line = address + (code - first) // width * least, line + base + (code - first) % width
                yield kernel, address, line
            elif code == 0:
                size = source.leb()
                after = source.at + size
                kind = source.take("B")
                if kind == EXTENDED_ADDRESS:
                    kernel, address = names.get(source.at, kernel), source.take("Q")
                elif kind == EXTENDED_END:
                    yield kernel, address, None
                    address, line = 0, 1
                source.at = after
            elif code == COPY:
                yield kernel, address, line
            elif code == ADVANCE_ADDRESS:
                address += source.leb() * least
            elif code == ADVANCE_LINE:
                line += source.leb(signed=True)
            elif code == CONST_ADD:
                address += (255 - first) // width * least
            elif code == FIXED_ADVANCE:
                address += source.take("H")
            else:
                for _ in range(lengths[code - 1]):
                    source.leb()
        start = end


def lines(cubin):
    """Of every kernel the line of each machine instruction, by its number."""
    sections = section_table(cubin)
    _, place, size = next(section for section in sections if section[0] == ".debug_line")
    found, before = {}, None
    for row in sequences(cubin[place:place + size], relocated(cubin, sections)):
        if before and before[2] is not None and before[0] == row[0]:
            of_kernel = found.setdefault(row[0], {})
            of_kernel.update({number: before[2] for number in range(before[1] // INSTRUCTION, row[1] // INSTRUCTION)})
        before = row
    return found
