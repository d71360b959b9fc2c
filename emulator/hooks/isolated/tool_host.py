"""tool_host.py CONFINE TOOL.py: one Python tool, apart from the run it watches. Started by Wedjat only.

A tool is a module with any of: options (dict, set before anything is called), kernel(k) -> list of probes, batch(events),
launch(launch, is_end), finish() -> {title: (columns, rows)}. A probe is dict(instruction=id, after=bool, needs="addresses rows").
batch gets NumPy arrays over events of one instruction: instruction, cta, warp, active, executed, and addresses (events x 32).
"""
import ctypes
import importlib.util
import json
import mmap
import os
import select
import struct
import sys

import numpy as np

PAGE, RING, WRAP = 4096, 1 << 22, 0xFFFFFFFF
RECORD = struct.Struct("<4IQ6I")
NEEDS = {"rows": 1, "addresses": 2}
ring = mmap.mmap(4, PAGE + RING, mmap.MAP_SHARED, mmap.PROT_READ)
tail = mmap.mmap(5, PAGE, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
kernels, watches, pending, position = {}, [], {}, 0


class Events:
    def __init__(self, instruction, records, addresses):
        self.instruction = instruction
        columns = np.array(records, dtype=np.uint64).T
        self.warp, self.cta = columns[0].astype(np.uint32), columns[1]
        self.active, self.executed = columns[2].astype(np.uint32), columns[3].astype(np.uint32)
        self.addresses = np.stack(addresses) if addresses else None

    def lanes(self):
        """events x 32 booleans: lanes whose guard holds."""
        return (self.executed[:, None] >> np.arange(32, dtype=np.uint32)) & 1 == 1


def read_all(count):
    data = b""
    while len(data) < count:
        part = os.read(3, count - len(data))
        if not part:
            os._exit(0)
        data += part
    return data


def send(answer):
    text = json.dumps(answer).encode()
    data = struct.pack("<I", len(text)) + text
    while data:
        data = data[os.write(3, data):]


def flush(tool):
    for (kernel, number), (records, addresses) in pending.items():
        tool.batch(Events(kernels[kernel]["instructions"][number], records, addresses))
    pending.clear()


def row_bytes(operand):
    return 256 if operand["kind"] == 2 else 8 if operand["value"] == 5 else 32 * max(1, operand["bits"] // 8)


def take(offset, kernel):
    """One event: where its addresses lie among its rows depends on what its probe needs."""
    size, watch, number, warp, cta, _, _, _, active, executed, _ = RECORD.unpack_from(ring, PAGE + offset)
    if watch == WRAP:
        return RING - offset
    at = kernels[kernel]["instructions"][number]
    records, addresses = pending.setdefault((kernel, number), ([], []))
    records.append((warp, cta, active, executed))
    if at["accesses"] and size > RECORD.size and watches[watch] & 3:
        first = at["accesses"][0]["operand"]
        skip = sum(row_bytes(o) * o["count"] for o in at["operands"][:first]) if watches[watch] & 1 else 0
        addresses.append(np.frombuffer(ring, np.uint64, 32, PAGE + offset + RECORD.size + skip).copy())
    return size


def drain(tool, end, kernel):
    global position
    while position != end:
        offset = position % RING
        position += RING - offset if RING - offset < RECORD.size else take(offset, kernel)
        if sum(len(r) for r, _ in pending.values()) >= 4096:
            flush(tool)
        struct.pack_into("<Q", tail, 0, position)


def plan(tool, kernel):
    kernels[kernel["id"]] = kernel
    probes = []
    for probe in tool.kernel(kernel) or [] if hasattr(tool, "kernel") else []:
        needs = sum(NEEDS[word] for word in probe.get("needs", "").split())
        probes.append([probe["instruction"], int(probe.get("after", False)), needs, len(watches), 0, 0, 0, 0, 1])
        watches.append(needs)
    return {"probes": probes, "counts": [], "counters": 0}


def cell(value):
    return value.item() if isinstance(value, np.generic) else value


def report(tool, name):
    flush(tool)
    tables = []
    for title, (columns, rows) in (tool.finish() if hasattr(tool, "finish") else {}).items():
        tables.append({"title": title, "columns": columns,
                       "rows": [dict(zip(columns, map(cell, row))) for row in rows]})
    return {"tool": name, "tables": tables, "findings": [], "errors": 0, "warnings": 0, "suppressed": 0}


def main():
    if ctypes.CDLL(sys.argv[1]).wedjat_confine() != 0:
        sys.exit("tool_host.py: seccomp is not to be had")
    tool, kernel, name = None, None, os.path.splitext(os.path.basename(sys.argv[2]))[0]
    while True:
        end = struct.unpack_from("<Q", ring, 0)[0]
        if tool is not None and end != position:
            drain(tool, end, kernel)
        if not select.select([3], [], [], 0.001)[0]:
            continue
        message = json.loads(read_all(struct.unpack("<I", read_all(4))[0]))
        if tool is not None:
            drain(tool, message["head"], kernel)
        what = message["do"]
        if what == "create":
            specification = importlib.util.spec_from_file_location(name, sys.argv[2])
            tool = importlib.util.module_from_spec(specification)
            specification.loader.exec_module(tool)
            tool.options = message["options"]
            send({"name": name, "refused": "", "counters": 0})
        elif what == "kernel":
            send(plan(tool, message["kernel"]))
        elif what in ("launch_begin", "launch_end"):
            flush(tool)
            kernel = message["launch"]["kernel"]
            watch = tool.launch(message["launch"], what == "launch_end") if hasattr(tool, "launch") else True
            send({"watch": kernel in kernels and watch is not False})
        elif what == "finish":
            send({"report": report(tool, name), "refused": ""})


main()
