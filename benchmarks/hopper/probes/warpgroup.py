"""Matrices of warpgroups by shape, types and where the first matrix lies: until the result is there, and how many follow each other."""

import re

from probes import Probe, body

N = (8, 16, 32, 64, 96, 128, 192, 256)
TEXT = re.compile(r"wgmma\.mma_async\.(?:sp\.)?sync\.aligned\.m64n(\d+)k")
# Tiles with rows of 128 bytes, swizzled: strides of 1024 bytes, in units of 16, and kind 1.
DESCRIPTOR = (1 << 62) | (64 << 32) | (1 << 16)
SETUP = [f"mov.u32 %came, sbuf; and.b32 %came, %came, 0x3ffff; shr.u32 %came, %came, 4; cvt.u64.u32 %dA, %came; or.b64 %dA, %dA, {DESCRIPTOR}; "
         "add.s64 %dB, %dA, 512; setp.ne.u32 %ptrue, %one, %zero; mov.u32 %meta, 0x44444444;"]
EXTRA = [("%dA", "b64", None), ("%dB", "b64", None), ("%ptrue", "pred", None), ("%meta", "b32", None)]
WAIT = "wgmma.wait_group.sync.aligned 0;"


def texts(forms):
    for line in forms:
        text = line.rstrip("\n").split("\t")[7]
        match = TEXT.match(text)
        if match and int(match[1]) in N and "satfinite" not in text and " -1" not in text:
            yield text


def wgmma(text, waits):
    names = list(dict.fromkeys(re.findall(r"%r\d+", text)))
    registers = [(name, "b32", "zero") for name in names] + EXTRA
    line = f"{text} wgmma.commit_group.sync.aligned;"
    keep = [(name, "b32") for name in names[:4]]
    if waits:
        return body("wgmma", f"wgmma.fence.sync.aligned; {line} {WAIT}", registers, SETUP, keep, shared=49152, threads=128)
    return body("wgmma", line, registers, SETUP, keep, shared=49152, threads=256, ends=WAIT, begins="wgmma.fence.sync.aligned;")


def probes(forms):
    for text in texts(forms):
        opcode, first = text.split(" ", 1)[0], "descriptor" if "%dA" in text else "registers"
        immediates = text.rsplit("%ptrue", 1)[1].strip(" ,;").replace(" ", "")
        name = f"{opcode} first={first}" + (f" immediates={immediates}" if immediates else "")
        yield Probe(f"wgmma {name} waiting", wgmma(text, True), "1x4", 0)
        yield Probe(f"wgmma {name} following", wgmma(text, False), "1x4 1x8", 0)
