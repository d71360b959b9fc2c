"""cache lines per warp access of global memory, in Python"""
import numpy as np
from wedjat_tool import GENERIC, GLOBAL

requests = {}
lines = {}


def kernel(k):
    sites = [i for i in k["instructions"] if i["accesses"] and i["accesses"][0]["space"] in (GENERIC, GLOBAL)]
    return [dict(instruction=i["id"], needs="addresses") for i in sites]


def batch(events):
    line = np.sort(np.where(events.lanes(), events.address() >> np.uint64(7), np.uint64(0)), axis=1)
    distinct = 1 + (np.diff(line, axis=1) != 0).sum(axis=1) - (line[:, 0] == 0)
    text = events.instruction["text"]
    requests[text] = requests.get(text, 0) + len(line)
    lines[text] = lines.get(text, 0) + int(distinct.sum())


def finish():
    rows = [(text, requests[text], lines[text]) for text in requests]
    return {"global memory": (["instruction", "requests", "lines"], rows)}
