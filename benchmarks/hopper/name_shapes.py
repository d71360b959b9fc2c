"""The shapes of machine instructions that indexes name: `name_shapes.py FOLDER`.

Writes shapes.tsv, the two words of every shape, and shapes.bin, of every shape an instruction that has it, in the same order, for nvdisasm to name."""

import glob
import json
import os
import struct
import sys

import machine_code


def rows(folder):
    """Module, kernel and shapes of every measured kernel."""
    for path in sorted(glob.glob(os.path.join(folder, "*", "index.tsv"))):
        for line in open(path):
            columns = line.rstrip("\n").split("\t")
            shapes = {(int(low, 16), int(high, 16)) for low, high, _ in json.loads(columns[8]) or ()}
            yield os.path.join(os.path.dirname(path), columns[2]), columns[3], shapes


def main():
    folder, found, wanted, opened = sys.argv[1], {}, set(), (None, {})
    for path, name, shapes in rows(folder):
        wanted |= shapes
        if shapes <= found.keys():
            continue
        if opened[0] != path:
            opened = path, machine_code.kernels(open(path, "rb").read())
        for part in machine_code.segments(opened[1][name]):
            for instruction in part:
                found.setdefault(machine_code.shape(instruction), instruction)
    with open(os.path.join(folder, "shapes.tsv"), "w") as table, open(os.path.join(folder, "shapes.bin"), "wb") as examples:
        for low, high in sorted(wanted & found.keys()):
            print(f"{low:x}", f"{high:x}", sep="\t", file=table)
            examples.write(struct.pack("<QQ", *found[low, high]))


if __name__ == "__main__":
    main()
