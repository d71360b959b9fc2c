"""Constant memory at addresses that only the run knows, by how many words the lanes of a warp read."""

from probes import WARPS, Probe, body

MODULE = ".const .align 64 .b32 words{number}[1024];\n"
APART = [4, 64]  # bytes from one word to the next


def read(number, words, apart, dependent):
    shift = 5 - (words.bit_length() - 1)
    setup = [f"mov.u64 %b, words{number}; shr.u32 %o, %lane, {shift}; mul.lo.u32 %o, %o, {apart}; cvt.u64.u32 %a, %o; add.u64 %a, %a, %b;"]
    registers = [("%a", "b64", None), ("%b", "b64", None), ("%o", "b32", None), ("%d", "b32", "zero")]
    module = MODULE.format(number=number)
    if dependent:
        return body("constants", "ld.const.u32 %d, [%a]; mad.wide.u32 %a, %d, 4, %a;", registers, setup, [("%a", "b64")], module=module)
    lines = [f"ld.const.u32 %d, [%a+{place * 64}]; xor.b32 %o, %o, %d;" for place in range(24)]
    return body("constants", lines, registers, setup, [("%o", "b32")], begins="mad.wide.u32 %a, %zero, %zero, %a;", module=module)


def probes():
    number = 0
    for apart in APART:
        for words in (1, 2, 4, 8, 16, 32):
            for dependent in (True, False):
                number += 1
                how = "dependent" if dependent else "following"
                yield Probe(f"constants ld.const.u32 words={words} apart={apart} {how}", read(number, words, apart, dependent), WARPS if words in (1, 8, 32) else "1x1 1x8", 0)
