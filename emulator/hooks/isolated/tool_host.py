"""tool_host.py CONFINE TOOL.py: one Python tool, apart from the run it watches. Started by Wedjat only.

What a tool is, and the shapes of what it gets and gives: utilities/PYTHON.md.
"""
import ctypes
import importlib.util
import json
import math
import mmap
import os
import select
import struct
import sys

import numpy as np

sys.dont_write_bytecode = True  # nothing lies beside an installation but what was installed
from wedjat_tool import ADDRESS, ADDRESSES, FLOAT, HAS_PIECES, HAS_ROWS, PIECES, PRED, ROWS, SIGNED  # noqa: E402

PAGE, RING, WRAP = 4096, 1 << 22, 0xFFFFFFFF
MOST_EVENTS, MOST_BYTES = 4096, 1 << 25  # kept before tools get them
RECORD = struct.Struct("<4IQ8I")
FUNCTIONS = ("kernel", "launch", "batch", "finish")
NEEDS = {"rows": ROWS, "addresses": ADDRESSES, "pieces": PIECES}
PIECE = np.dtype([("address", "u8"), ("bytes", "u4"), ("part", "u4"), ("lane", "u1"), ("space", "u1"), ("reads", "u1"),
                  ("writes", "u1"), ("atomic", "u1")], align=True)
ring = mmap.mmap(4, PAGE + RING, mmap.MAP_SHARED, mmap.PROT_READ)
tail = mmap.mmap(5, PAGE, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
# Places as whole numbers: struct writes zeros first and moves bytes one by one, which the other side would see.
written, was_read = memoryview(ring)[:8].cast("Q"), memoryview(tail)[:8].cast("Q")
kernels, lists, watches, pending, position, kept = {}, {}, [], {}, 0, [0, 0]


WORDS = {1: np.uint8, 8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
INTEGERS = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}


class Events:
    def __init__(self, instruction, needs, records, payloads):
        self.instruction = instruction
        columns = np.array(records, dtype=np.uint64).T
        if needs & NEEDS["pieces"]:
            ends = [len(payload) - record[-1] * PIECE.itemsize for payload, record in zip(payloads, records)]
            self.pieces = np.concatenate([payload[end:].view(PIECE) for payload, end in zip(payloads, ends)])
            self.event_of_piece = np.repeat(np.arange(len(records)), columns[4].astype(np.int64))
            payloads = [payload[:end] for payload, end in zip(payloads, ends)]
        self._payload = np.array(payloads)
        self._places = {(o, e): at for o, e, at in carried(instruction, needs)}
        self.warp, self.cta = columns[0].astype(np.uint32), columns[1]
        self.active, self.executed = columns[2].astype(np.uint32), columns[3].astype(np.uint32)

    def __getattr__(self, name):
        if name in ("pieces", "event_of_piece"):
            raise AttributeError(f"{name}: a probe that needs 'pieces' shows them")
        raise AttributeError(f"events have no {name}")

    def lanes(self):
        """Booleans: lanes whose guard holds."""
        return bits(self.executed)

    def address(self, access=0):
        return self.row(self.instruction["accesses"][access]["operand"])

    def row(self, operand, element=0):
        """In the operand's own type where NumPy has it, else as unsigned integers; of a predicate booleans."""
        if (operand, element) not in self._places:
            raise LookupError(f"row({operand}, {element}): a probe that needs 'rows' shows it, if there is such an operand")
        what, place = self.instruction["operands"][operand], self._places[operand, element]
        words = self._payload[:, place:place + row_bytes(what)]
        if what["value"] == PRED:
            return bits(words.view(np.uint32)[:, 0])
        if what["kind"] == ADDRESS:
            return words.view(np.uint64)
        if what["bits"] > 64:
            return words.view(np.uint64).reshape(len(words), 32, -1)
        own = FLOATS.get(what["format"]) if what["value"] == FLOAT else None
        if what["value"] == SIGNED:
            own = INTEGERS.get(what["bits"])
        return words.view(own or WORDS.get(what["bits"], np.uint8))


def bits(masks):
    return (masks[:, None] >> np.arange(32, dtype=np.uint32)) & 1 == 1


def read_all(count):
    data = bytearray(count)
    rest = memoryview(data)
    while rest:
        done = os.readv(3, [rest])
        if not done:
            os._exit(0)
        rest = rest[done:]
    return data


def plain(value):
    """What JSON does not know by itself: NumPy's scalars and arrays."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be in an answer")


def send(answer):
    text = json.dumps(answer, default=plain, allow_nan=False).encode()
    rest = memoryview(struct.pack("<I", len(text)) + text)
    while rest:
        rest = rest[os.write(3, rest):]


def flush(tool):
    for (kernel, watch), (number, records, payloads) in pending.items():
        tool.batch(Events(kernels[kernel]["instructions"][number], watches[watch], records, payloads))
    pending.clear()
    kept[:] = 0, 0


def row_bytes(operand):
    if operand["kind"] == ADDRESS:
        return 256
    return 8 if operand["value"] == PRED else 32 * max(1, operand["bits"] // 8)


def carried(at, needs):
    """Rows an event of these needs carries (ring.h): operand, element, where it begins."""
    place, operands = 0, at["operands"]
    if needs & NEEDS["rows"]:
        wanted = [(o, e) for o, operand in enumerate(operands) for e in range(operand["count"])]
    elif needs & NEEDS["addresses"]:
        wanted = [(o, 0) for a in at["accesses"] for o in [a["operand"]] + [a["size"]] * (a["bytes"] == 0)]
    else:
        wanted = []
    for operand, element in wanted if at["what"] & HAS_ROWS else []:
        yield operand, element, place
        place += row_bytes(operands[operand])


def take(offset, kernel):
    size, watch, number, warp, cta, _, _, _, active, executed, _, pieces, _ = RECORD.unpack_from(ring, PAGE + offset)
    if watch == WRAP:
        return RING - offset
    _, records, payloads = pending.setdefault((kernel, watch), (number, [], []))
    records.append((warp, cta, active, executed, pieces))
    payloads.append(np.frombuffer(ring, np.uint8, size - RECORD.size, PAGE + offset + RECORD.size).copy())
    kept[0] += 1
    kept[1] += size
    return size


def drain(tool, end, kernel):
    global position
    while position != end:
        offset = position % RING
        position += RING - offset if RING - offset < RECORD.size else take(offset, kernel)
        if kept[0] >= MOST_EVENTS or kept[1] >= MOST_BYTES:
            flush(tool)
        was_read[0] = position


def plan(tool, kernel):
    kernels[kernel["id"]] = kernel
    probes = []
    wanted = tool.kernel(kernel) or [] if hasattr(tool, "kernel") else []
    if not isinstance(wanted, (list, tuple)) or not all(isinstance(probe, dict) for probe in wanted):
        raise TypeError(f"kernel(): {wanted!r} is no list of probes, dict(instruction=id, after=False, needs='')")
    for probe in wanted:
        misspelt = set(probe) - {"instruction", "after", "needs"} | set(probe.get("needs", "").split()) - set(NEEDS)
        if misspelt:
            raise ValueError(f"kernel(): a probe has no {', '.join(sorted(misspelt))}")
        needs = sum(NEEDS[word] for word in set(probe.get("needs", "").split()))
        if not 0 <= probe["instruction"] < len(kernel["instructions"]):
            raise ValueError(f"kernel(): {kernel['name']} has no instruction {probe['instruction']}")
        if needs & PIECES and not probe.get("after", False):
            raise ValueError("kernel(): 'pieces' are known after the instruction: after=True")
        what = kernel["instructions"][probe["instruction"]]["what"]
        if needs and not what & HAS_ROWS:
            continue  # folded away: it has no rows to show
        if needs & PIECES and not what & HAS_PIECES:
            continue
        probes.append([probe["instruction"], int(probe.get("after", False)), needs, len(watches), 0, 0, 0, 0, 1])
        watches.append(needs)
    return {"probes": probes, "counts": [], "counters": 0}


def cell(value):
    """A number or a text: what a table can hold."""
    if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0:
        value = value.item()
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, (bool, np.ndarray)) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None if math.isnan(value) else str(value)
    return value if -2**63 <= value < 2**64 else float(value)


def report(tool, name):
    flush(tool)
    tables = []
    found = (tool.finish() if hasattr(tool, "finish") else None) or {}
    if not isinstance(found, dict) or not all(isinstance(t, (list, tuple)) and len(t) == 2 for t in found.values()):
        raise TypeError("finish(): no dictionary of tables, {title: (columns, rows)}")
    for title, (columns, rows) in found.items():
        columns = [str(column) for column in columns]
        if len(set(columns)) != len(columns):
            raise ValueError(f"finish(): table {title!r}: two columns have one name")
        table = {"title": str(title), "columns": columns, "rows": []}
        for row in rows:
            if len(row) != len(columns):
                raise ValueError(f"finish(): table {title!r}: a row has {len(row)} cells, there are {len(columns)} columns")
            table["rows"].append(dict(zip(columns, map(cell, row))))
        tables.append(table)
    return {"tool": name, "tables": tables, "findings": [], "errors": 0, "warnings": 0, "suppressed": 0}


def load(name, given):
    """The module, with its options; or why they are refused."""
    specification = importlib.util.spec_from_file_location(name, sys.argv[2])
    tool = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(tool)
    if not any(callable(getattr(tool, one, None)) for one in FUNCTIONS):
        return tool, f"it defines none of {', '.join(one + '()' for one in FUNCTIONS)}: it would do nothing"
    known = getattr(tool, "options", {})
    for key in given:
        if key not in known:
            return tool, f"no option '{key}'; it has: {', '.join(known) or 'none'}"
    tool.options = {**known, **given}
    return tool, ""


def main():
    if ctypes.CDLL(sys.argv[1]).wedjat_confine() != 0:
        sys.exit("tool_host.py: seccomp is not to be had")
    tool, kernel, name = None, None, os.path.splitext(os.path.basename(sys.argv[2]))[0]
    while True:
        end = written[0]
        # A message that lies there now may be older than the last of these events.
        if not select.select([3], [], [], 0 if end != position else 0.001)[0]:
            if tool is not None:
                drain(tool, end, kernel)
            continue
        message = json.loads(read_all(struct.unpack("<I", read_all(4))[0]))
        if tool is not None:
            drain(tool, message["head"], kernel)
        what = message["do"]
        if what == "create":
            tool, refused = load(name, message["options"])
            send({"name": name, "refused": refused, "counters": 0})
        elif what == "part":  # of the lists of a kernel that is told next
            for key, more in message["part"].items():
                lists.setdefault(key, []).extend(more)
        elif what == "kernel":
            send(plan(tool, kernels.get(message["kernel"]["id"]) or message["kernel"] | lists))
            lists.clear()
        elif what in ("launch_begin", "launch_end"):
            flush(tool)
            kernel = message["launch"]["kernel"]
            watch = tool.launch(message["launch"], what == "launch_end") if hasattr(tool, "launch") else True
            send({"watch": kernel in kernels and (watch is None or bool(watch))})
        elif what == "finish":
            send({"report": report(tool, name), "refused": ""})


main()
