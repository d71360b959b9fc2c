#!/usr/bin/env python3
"""Evaluates the kernels of .ll files on the host, as code of its processor, made by lli-19.

    on_host.py FILE.ll…           says whether what the file expects is what the host computes
    on_host.py --write FILE.ll…   writes it there

Of each launch with lines `; host NAME TYPE`. Its threads run one after the other in lli-19, so kernels whose
threads wait for each other have no such line; their values were found by hand. The language of the directives
is read a second time here, independently of `wedjat expect`, as far as the files need it.
"""

import re
import struct
import subprocess
import sys
from pathlib import Path

MASK = (1 << 64) - 1
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}
REGISTERS = ["tid.x", "tid.y", "ntid.x", "ntid.y", "ctaid.x", "ctaid.y", "nctaid.x", "laneid"]


def size_of(kind):
    return SIZES.get(kind) or int(kind[1:]) // 8


def literal(kind, text):
    size = size_of(kind)
    if text.startswith("0x"):
        return int(text, 16).to_bytes(size, "little")
    if kind == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", float(text)))[0]
        assert bits & 0xFFFF == 0, f"{text} is no bf16"
        return (bits >> 16).to_bytes(2, "little")
    if kind in SIZES:
        return struct.pack({2: "<e", 4: "<f", 8: "<d"}[size], float(text))
    return (int(text) % (1 << 8 * size)).to_bytes(size, "little")


def mixed(seed, index):
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def values(kind, words, count):
    if words[0] == "range":
        step = int(words[3]) if len(words) > 2 else 1
        return b"".join(literal(kind, str(int(words[1]) + i * step)) for i in range(count))
    if words[0] == "fill":
        return literal(kind, words[1]) * count
    if words[0] == "pattern":
        return b"".join(literal(kind, words[1 + i % (len(words) - 1)]) for i in range(count))
    if words[0] == "random":
        seed, whole = int(words[1]), -(-size_of(kind) // 8)
        return b"".join(b"".join(mixed(seed, i * whole + w).to_bytes(8, "little") for w in range(whole))[: size_of(kind)]
                        for i in range(count))
    out = b""
    for word in words:
        value, _, times = word.partition("*")
        out += literal(kind, value) * int(times or 1)
    return out


# What the host's code generator calls to round to bfloat16, and lli-19 lacks: to nearest even.
TO_BF16 = """define bfloat @__truncsfbf2(float %f) {
  %b = bitcast float %f to i32
  %h = lshr i32 %b, 16
  %odd = and i32 %h, 1
  %half = add i32 %odd, 32767
  %up = add i32 %b, %half
  %r = lshr i32 %up, 16
  %nan = fcmp uno float %f, %f
  %q = or i32 %h, 64
  %v = select i1 %nan, i32 %q, i32 %r
  %t = trunc i32 %v to i16
  %o = bitcast i16 %t to bfloat
  ret bfloat %o
}"""

HEAD = re.compile(r"(\w+): (\w+)(?:\[(\d+)\])?(?: = (.*))?$")


class Launch:
    def __init__(self, words):
        self.kernel, self.grid, self.block = words[0], (1, 1), (1, 1)
        for word in words[1:]:
            name, _, value = word.partition("=")
            shape = [int(v) for v in value.split(",")] if name in ("grid", "block") else []
            if shape:
                setattr(self, name, (shape + [1])[:2])
        self.things, self.host = [], []

    def take(self, name, rest):
        if name == "args":
            raise SystemExit("args is not read here")
        found = HEAD.match(rest)
        if name in ("in", "inout", "out", "scalar") and found:
            what, kind, count, given = found.groups()
            words = given.split() if given else None
            if count is None:
                count = 1 if name == "scalar" else sum(int(w.partition("*")[2] or 1) for w in words)
            data = values(kind, words, int(count)) if words else b"\xa5" * (int(count) * size_of(kind))
            self.things.append((name, what, kind, data))


def launches_of(text):
    launches = []
    for line in text.splitlines():
        if line.startswith("; wedjat+:"):
            raise SystemExit("wedjat+: is not read here")
        if line.startswith("; host "):
            launches[-1].host.append(line.split()[2:])  # [NAME TYPE]
        if not line.startswith("; wedjat: "):
            continue
        name, _, rest = line[len("; wedjat: "):].partition(" ")
        if name in ("launch", "then"):
            launches.append(Launch(rest.split()))
        else:
            launches[-1].take(name, rest)
    return launches


def constant(data):
    return 'c"' + "".join(f"\\{byte:02X}" for byte in data) + '"'


def program(text, launch):
    """The .ll as a program of the host, which writes its buffers to standard output."""
    body = "\n".join(l for l in text.splitlines() if not l.startswith(("target ", ";", "!nvvm", "declare i32 @llvm.nvvm.read")))
    body = body.replace("ptx_kernel ", "")
    for register in REGISTERS:
        body = body.replace(f"@llvm.nvvm.read.ptx.sreg.{register}(", f"@host.{register}(")
    out = [body] + ([TO_BF16] if "bfloat" in body else [])
    for register in REGISTERS:
        out.append(f"@host.value.{register} = internal global i32 0")
        out.append(f"define internal i32 @host.{register}() {{ %v = load i32, ptr @host.value.{register}\n ret i32 %v }}")
    for _, name, _, data in launch.things:
        out.append(f"@host.buffer.{name} = internal global [{len(data)} x i8] {constant(data)}, align 16")
    signature = re.search(rf"define [^@]*void @{launch.kernel}\((.*?)\)", text, re.S).group(1)
    kinds = [re.match(r"\s*(ptr addrspace\(1\)|<[^>]*>|\w+)", p).group(1) for p in signature.split(",")] if signature.strip() else []
    out += ["declare i64 @write(i32, ptr, i64)", "define i32 @main() {"]
    arguments = []
    for i, (use, name, _, data) in enumerate(launch.things):
        if use == "scalar":
            out.append(f"  %a{i} = load {kinds[i]}, ptr @host.buffer.{name}")
            arguments.append(f"{kinds[i]} %a{i}")
        elif kinds[i] == "ptr":
            arguments.append(f"ptr @host.buffer.{name}")
        else:
            arguments.append(f"{kinds[i]} addrspacecast (ptr @host.buffer.{name} to {kinds[i]})")
    (gx, gy), (bx, by) = launch.grid, launch.block
    fixed = {"ntid.x": bx, "ntid.y": by, "nctaid.x": gx}
    for register, value in fixed.items():
        out.append(f"  store i32 {value}, ptr @host.value.{register}")
    for cy in range(gy):
        for cx in range(gx):
            for ty in range(by):
                for tx in range(bx):
                    now = {"ctaid.x": cx, "ctaid.y": cy, "tid.x": tx, "tid.y": ty, "laneid": (ty * bx + tx) % 32}
                    out += [f"  store i32 {v}, ptr @host.value.{r}" for r, v in now.items()]
                    out.append(f"  call void @{launch.kernel}({', '.join(arguments)})")
    for use, name, _, data in launch.things:
        if use != "scalar":
            out.append(f"  call i64 @write(i32 1, ptr @host.buffer.{name}, i64 {len(data)})")
    return "\n".join(out + ["  ret i32 0", "}"])


def evaluated(text, launch):
    # Without the instructions that some processors have for bfloat16: they take small numbers for zero.
    run = subprocess.run(["lli-19", "--mattr=-avx512bf16,-avxneconvert", "-"], input=program(text, launch).encode(), capture_output=True)
    if run.returncode != 0:
        raise SystemExit(f"{launch.kernel}: lli-19: {run.stderr.decode()}")
    data, at = {}, 0
    for use, name, kind, given in launch.things:
        if use != "scalar":
            data[name] = run.stdout[at: at + len(given)]
            at += len(given)
    return data


def number(kind, data):
    """The bits, or where that is as good a number."""
    bits = int.from_bytes(data, "little")
    if kind in SIZES or kind[0] == "b":
        return f"0x{bits:0{2 * len(data)}x}"
    if kind[0] in "si" and bits >> (8 * len(data) - 1):
        bits -= 1 << 8 * len(data)
    return str(bits)


def lines_of(text, launch):
    data, out = evaluated(text, launch), []
    for name, kind in launch.host:
        size = size_of(kind)
        for at in range(0, len(data[name]), size * 8):
            piece = data[name][at: at + size * 8]
            last = (at + len(piece)) // size - 1
            numbers = " ".join(number(kind, piece[i: i + size]) for i in range(0, len(piece), size))
            out.append(f"; wedjat: expect {name}[{at // size}..{last}]: {kind} = {numbers}")
    return out


def renewed(text):
    """The text with what the host computes behind each group of `; host` lines."""
    launches, out, at, pending, dropping = launches_of(text), [], -1, False, False
    for line in text.splitlines():
        if line.startswith(("; wedjat: launch", "; wedjat: then")):
            at += 1
        if dropping and line.startswith("; wedjat: expect"):
            continue
        if pending and not line.startswith("; host "):
            out += lines_of(text, launches[at])
            pending, dropping = False, True
            if line.startswith("; wedjat: expect"):
                continue
        dropping = dropping and line.startswith("; wedjat: expect")
        if line.startswith("; host "):
            pending, dropping = True, False
        out.append(line)
    return "\n".join(out) + "\n"


def main(arguments):
    write, wrong, seen = arguments[:1] == ["--write"], 0, 0
    for name in arguments[write:]:
        path = Path(name)
        text = path.read_text()
        if "\n; host " not in text:
            continue
        new = renewed(text)
        seen += 1
        if new != text and write:
            path.write_text(new)
        elif new != text:
            wrong += 1
            for old, right in zip(text.splitlines(), new.splitlines()):
                if old != right:
                    print(f"{name}: the host computes\n  {right}\nwhich stands there as\n  {old}")
                    break
    print(f"{seen} files were computed on the host, {wrong} differ")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
