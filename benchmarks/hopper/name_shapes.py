"""Shapes of machine code as instructions that nvdisasm can read: `name_shapes.py INDEX... > shapes.bin`, then `nvdisasm --binary SM90 shapes.bin`."""

import json
import struct
import sys


def main():
    shapes = set()
    for path in sys.argv[1:]:
        for line in open(path):
            for low, high, _ in json.loads(line.rstrip("\n").split("\t")[8]) or ():
                shapes.add((int(low, 16), int(high, 16)))
    for low, high in sorted(shapes):
        sys.stdout.buffer.write(struct.pack("<QQ", low | 0x7000, high))


if __name__ == "__main__":
    main()
