"""bytes read and written in pieces, and events that had any, by opcode"""
from wedjat_tool import HAS_PIECES

READS, WRITES = "reads", "writes"
sums = {}


def kernel(k):
    return [dict(instruction=i["id"], after=True, needs="pieces") for i in k["instructions"] if i["what"] & HAS_PIECES]


def batch(events):
    for way in (READS, WRITES):
        key = f"{events.instruction['opcode']} {way}"
        sums[key] = sums.get(key, 0) + int(events.pieces["bytes"][events.pieces[way] == 1].sum())
    sums["events"] = sums.get("events", 0) + len(set(events.event_of_piece))


def finish():
    return {"sums": (["what", "number"], list(sums.items()))}
