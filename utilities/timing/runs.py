"""Launches that no recording holds, each by `wedjat run`: those of held_out_later.cu, and those of Triton's kernels that tests/emulator/triton keeps and
benchmarks/hopper/launches/pick_launches.py picks."""

import concurrent.futures
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOM = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(ROOM))
sys.path.insert(0, os.path.join(ROOT, "benchmarks/hopper/launches"))
import pick_launches

TRITON, STEP = os.path.join(ROOT, "tests/emulator/triton/launches.zst"), 6
FLOATS = 1 << 20  # held_out_later.cu
KERNELS = """product_tiled 2s,2s 16,16 32*s; product_tensor 4s,s 32,4 64*s; softmax_rows 2q 128 512; scan_block 2q 256 0; scan_warp 3q 192 0; convolve s,4s 32,8 32*s+2;
options 3q 128 0; divisors 2q 128 0; powers q 96 0; collatz 2q 128 0; life 2s,16s 32,4 64*s; nearest 2q 256 0; dot_strided 2q 256 262144; walk 3q 128 1048576; polynomial 4q 64 0;
bits 3q 160 0; shortest 2s,2s 16,16 32*s; columns s 128 16384"""


def shape(text, size):
    """`2s,2q`: of a side, of its square."""
    return ",".join(str(eval(re.sub(r"(\d)([sq])", r"\1*\2", part), {"s": size, "q": size * size})) for part in text.split(","))


def later(folder):
    """In the order of the program: kernel, and what `wedjat run` needs."""
    ptx, values = os.path.join(folder, "later.ptx"), os.path.join(folder, "values.bin")
    with open(ptx, "wb") as out:
        subprocess.run(["zstd", "-dc", os.path.join(ROOM, "measured", "later.ptx.zst")], stdout=out, check=True)
    with open(values, "wb") as out:
        out.write(struct.pack(f"<{FLOATS}f", *((index * 2246822519 % (1 << 32) >> 8) % 9973 / 4986.5 for index in range(FLOATS))))
    for size in (1, 4, 12):
        for kernel, grid, block, n in (row.split() for row in KERNELS.split(";")):
            yield kernel, [ptx, "--entry", kernel, "--grid", shape(grid, size), "--block", block, "--arg", f"in:{values}", "--arg", f"zeros:{FLOATS * 4}", "--arg", f"s32:{shape(n, size)}"]


def sizes_of_parameters(ptx, entry):
    text = re.search(rf"\.entry\s+{re.escape(entry)}\s*\((.*?)\)", ptx, re.S)[1]
    return [int(bits) // 8 for bits in re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.[a-z](\d+)", text)]


def triton(folder):
    raw = subprocess.run(["zstd", "-dc", "--long=27", TRITON], capture_output=True, check=True).stdout
    for name, ptx, entry, (*grid, block, shared), parameters, buffers in list(pick_launches.launches(raw))[::STEP]:
        stem, place, arguments = os.path.join(folder, name.decode()), 0, []
        with open(stem + ".ptx", "wb") as out:
            out.write(ptx)
        for size in sizes_of_parameters(ptx.decode(), entry.decode()):
            place = (place + size - 1) // size * size
            value = int.from_bytes(parameters[place:place + size], "little")
            place += size
            number = next((number for number, (address, data) in enumerate(buffers) if data and size == 8 and address == value), None)
            file = f"{stem}.{number}.{len(arguments)}"  # two parameters may have one buffer; here each has its own
            if number is not None:
                with open(file, "wb") as out:
                    out.write(buffers[number][1])
            arguments += ["--arg", f"inout:{file}" if number is not None else f"b{size * 8}:{value:#x}"]
        yield name.decode(), [stem + ".ptx", "--entry", entry.decode(), "--grid", ",".join(map(str, grid)), "--block", str(block), "--shared", str(shared), *arguments]


def predicted(wedjat, launches):
    """Of each launch its row, as if its kernel had been launched before; None where it does not run."""
    def one(launch):
        done = subprocess.run([wedjat, "run", *launch[1], "--json", "--tool", "launch_time,warm=1"], capture_output=True, text=True, timeout=600)
        try:
            return next(table["rows"][0] for table in json.loads(done.stdout)["tools"][0]["tables"] if table["title"] == "predicted time")
        except (ValueError, LookupError):
            print(f"{launch[0]}: {done.stderr.strip()[:200]}", file=sys.stderr)
            return None
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, launches))


def compared(wedjat, launches_of, measured):
    """Rows as `accuracy.report` takes them; `measured`: every launch twice, of which the second counts."""
    with tempfile.TemporaryDirectory() as folder:
        launches = list(launches_of(folder))
        rows = predicted(wedjat, launches)
    if len(measured) != 2 * len(launches):
        raise SystemExit(f"{len(launches)} launches, but {len(measured)} were measured")
    found = []
    for (name, command), row, of in zip(launches, rows, measured[1::2]):
        if row is not None:
            label = f"{name} {of[3]} {of[4]}"
            found.append((label, int(of[6]), row["cycles"], row["bound"], int(of[5]), row["registers"]))
    return found
