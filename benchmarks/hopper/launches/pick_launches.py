"""Every STEP-th of the launches of Triton's kernels that tests/emulator/triton keeps, for `play`: `pick_launches.py LAUNCHES FILE [STEP]`.

Those with tensor maps or clusters are left out: `play` gives memory new addresses, which it finds in parameters only as they stand there."""

import struct
import subprocess
import sys

MAGIC = b"wedjat launches 1\n"


class Reader:
    def __init__(self, raw):
        self.raw, self.at = raw, 0

    def take(self, size):
        self.at += size
        return self.raw[self.at - size:self.at]

    def number(self, kind):
        return struct.unpack("<" + kind, self.take(struct.calcsize(kind)))[0]

    def blob(self):
        return self.take(self.number("Q"))


def launches(raw):
    source = Reader(raw)
    assert source.take(len(MAGIC)) == MAGIC
    for _ in range(source.number("I")):
        name, ptx, entry = (source.blob() for _ in range(3))
        grid, block, cluster, shared = [source.number("I") for _ in range(3)], *(source.number("I") for _ in range(3))
        parameters = source.blob()
        buffers = [(source.number("Q"), source.blob(), source.blob())[:2] for _ in range(source.number("I"))]
        if cluster == 1 and b"tensormap" not in ptx and b"bulk.tensor" not in ptx:
            yield name, ptx, entry, [*grid, block, shared], parameters, buffers


def blob(data):
    return struct.pack("<Q", len(data)) + data


def main():
    raw = subprocess.run(["zstd", "-dc", "--long=27", sys.argv[1]], capture_output=True, check=True).stdout
    chosen = list(launches(raw))[::int(sys.argv[3]) if len(sys.argv) > 3 else 6]
    with open(sys.argv[2], "wb") as out:
        out.write(struct.pack("<I", len(chosen)))
        for name, ptx, entry, shape, parameters, buffers in chosen:
            out.write(blob(name) + blob(ptx) + blob(entry) + struct.pack("<5I", *shape) + blob(parameters) + struct.pack("<I", len(buffers)))
            out.write(b"".join(struct.pack("<Q", address) + blob(data) for address, data in buffers))
            print(name.decode(), entry.decode(), *shape, sep="\t")


if __name__ == "__main__":
    main()
