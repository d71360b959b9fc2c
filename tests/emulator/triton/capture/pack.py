"""Packs what capture.py saved into one file: every launch with its PTX, parameters and buffers before and after."""
import ast, glob, json, os, re, struct, subprocess, sys

SIZES = {"u8": 1, "b8": 1, "u16": 2, "b16": 2, "u32": 4, "b32": 4, "f32": 4, "s32": 4, "u64": 8, "b64": 8, "f64": 8, "s64": 8}
SCRATCH = 0x7E0000000000  # global and profile scratch: no kernel here uses them


def parameters(launch, ptx):
    """The parameter buffer, or None if an argument is no number or address."""
    entry = re.search(r"\.entry\s+(\w+)\s*\(([^)]*)\)", ptx)
    types = ast.literal_eval(launch["signature"]).values()
    given = [a for t, a in zip(types, launch["args"][4:]) if t != "constexpr"]
    data = b""
    for i, declared in enumerate(p.strip() for p in entry.group(2).split(",") if p.strip()):
        if "[" in declared:
            return entry.group(1), None
        size = next(SIZES[w[1:]] for w in declared.split() if w[1:] in SIZES)
        data = data.ljust((len(data) + size - 1) // size * size, b"\0")
        argument = given[i] if i < len(given) else {"int": SCRATCH}
        if "buf" in argument:
            argument = {"int": launch["addresses"][argument["buf"]] + argument["off"]}
        if "float" in argument:
            data += struct.pack("<f" if size == 4 else "<d", argument["float"])
        elif "int" in argument or "bool" in argument:
            number = int(argument.get("int", argument.get("bool")))
            data += (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        else:
            return entry.group(1), None
    return entry.group(1), data


def blob(data):
    return struct.pack("<Q", len(data)) + data


def record(folder, name):
    launch = json.load(open(folder + "/launch.json"))
    ptx = open(folder + "/kernel.ptx").read()
    ptx = re.sub(r"\n\s*\.section[\s\S]*?\n\s*}", "", ptx)  # debug information
    ptx = re.sub(r'(\.file\s+\d+\s+")[^"]*/', r"\1", ptx)  # where the sources lay says nothing
    entry, data = parameters(launch, ptx)
    # PyTorch's own templates are not ours to keep.
    if not launch["data"] or data is None or entry.startswith("triton_tem"):
        return b""
    number = lambda key: int(launch["metadata"][key])
    out = blob(name.encode()) + blob(ptx.encode()) + blob(entry.encode())
    x, y, z = launch["grid"]
    clusters = number("num_ctas")
    out += struct.pack("<6I", x * clusters, y, z, 32 * number("num_warps"), clusters, number("shared"))
    out += blob(data) + struct.pack("<I", len(launch["buffers"]))
    for i, address in enumerate(launch["addresses"]):
        before = open(f"{folder}/{i}.pre", "rb").read()
        path = f"{folder}/{i}.post"
        out += struct.pack("<Q", address) + blob(before) + blob(open(path, "rb").read() if os.path.exists(path) else b"")
    return out


def main(folder, output, left_out):
    records, seen = [], {}
    for path in sorted(glob.glob(folder + "/*/*/launch.json")):
        item = os.path.basename(os.path.dirname(path))
        name, group = item, item.rsplit(".", 1)[0]
        seen[group] = seen.get(group, 0) + 1
        large = sum(json.load(open(path))["buffers"]) > 100000
        if item in left_out or large or seen[group] > 6:
            continue
        one = record(os.path.dirname(path), name)
        if one:
            records.append(one)
    raw = b"wedjat launches 1\n" + struct.pack("<I", len(records)) + b"".join(records)
    subprocess.run(["zstd", "-19", "--ultra", "--long=27", "-f", "-q", "-o", output], input=raw, check=True)
    print(len(records), "launches,", len(raw), "bytes")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
