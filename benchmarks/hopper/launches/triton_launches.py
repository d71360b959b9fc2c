#!/usr/bin/env python3
"""Kernels of Triton, each launched twice, that the model of time was not made with: `wedjat record --time --keep-ptx -o FOLDER -- python3 triton_launches.py`, and the same under
`ncu`. Data comes from the host, so that no kernel but these is launched. Needs torch and triton."""

import torch
import triton
import triton.language as tl

ROUNDS = 2
NUMBERS = (torch.arange(1 << 20, dtype=torch.int32) * 7919 % 251 - 125).to(torch.float32) / 64


def given(*shape, kind=torch.float32):
    return NUMBERS[:torch.Size(shape).numel()].reshape(shape).to(kind).cuda()


def room(*shape, kind=torch.float32):
    return torch.empty(shape, dtype=kind, device="cuda")


@triton.jit
def axpy(x, y, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    inside = at < n
    tl.store(out + at, 3 * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def gelu(x, out, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at)
    tl.store(out + at, v / (1 + tl.exp(-1.702 * v)))


@triton.jit
def softmax(x, out, n, B: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, B)
    inside = tl.arange(0, B) < n
    v = tl.load(x + at, mask=inside, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + at, e / tl.sum(e, 0), mask=inside)


@triton.jit
def norm(x, w, out, n, B: tl.constexpr):
    row = tl.program_id(0) * n
    total = tl.zeros([B], tl.float32)
    for first in range(0, n, B):
        v = tl.load(x + row + first + tl.arange(0, B))
        total += v * v
    scale = 1 / tl.sqrt(tl.sum(total, 0) / n + 1e-5)
    for first in range(0, n, B):
        at = first + tl.arange(0, B)
        tl.store(out + row + at, tl.load(x + row + at) * scale * tl.load(w + at))


@triton.jit
def product(a, b, c, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner = tl.program_id(0) * M + tl.arange(0, M), tl.program_id(1) * N + tl.arange(0, N), tl.arange(0, K)
    a += rows[:, None] * k + inner[None, :]
    b += inner[:, None] * n + columns[None, :]
    total = tl.zeros([M, N], tl.float32)
    for _ in range(0, k, K):
        total = tl.dot(tl.load(a), tl.load(b), total)
        a += K
        b += K * n
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def attention(q, k, v, out, n, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rows, columns, depth = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, N), tl.arange(0, D)
    first = tl.program_id(1) * n * D
    query = tl.load(q + first + rows[:, None] * D + depth[None, :])
    most, total, sums = tl.full([M], -float("inf"), tl.float32), tl.zeros([M], tl.float32), tl.zeros([M, D], tl.float32)
    for start in range(0, n, N):
        place = first + (start + columns)[:, None] * D + depth[None, :]
        scores = tl.dot(query, tl.trans(tl.load(k + place))) * 0.18
        more = tl.maximum(most, tl.max(scores, 1))
        e, old = tl.exp2(scores - more[:, None]), tl.exp2(most - more)
        total = total * old + tl.sum(e, 1)
        sums = tl.dot(e.to(tl.float16), tl.load(v + place), sums * old[:, None])
        most = more
    tl.store(out + first + rows[:, None] * D + depth[None, :], (sums / total[:, None]).to(tl.float16))


@triton.jit
def transposed(x, out, rows, columns, B: tl.constexpr):
    r, c = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(tl.load(x + r[:, None] * columns + c[None, :])))


@triton.jit
def scan(x, out, n, B: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, B)
    tl.store(out + at, tl.cumsum(tl.load(x + at), 0))


@triton.jit
def counted(x, out, B: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * B + tl.arange(0, B))
    tl.atomic_add(out + (v.to(tl.int32) & 63), 1)


@triton.jit
def gathered(x, out, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + at, tl.load(x + (at * 7919 & 0x3FFFF)))


def launches():
    n = 1 << 18
    x, y, half = given(n), given(n), given(512, 512, kind=torch.float16)
    out, out_half = room(n), room(512, 512, kind=torch.float16)
    wide = given(256, 1024)
    for grid in (4, 64, 256):
        yield lambda: axpy[(grid,)](x, y, out, grid * 1024, B=1024)
        yield lambda: gelu[(grid,)](x, out, B=1024)
    for rows, width, warps in ((64, 781, 4), (256, 1000, 8), (32, 128, 1)):
        yield lambda: softmax[(rows,)](wide, out, width, B=triton.next_power_of_2(width), num_warps=warps)
    for rows in (16, 256):
        yield lambda: norm[(rows,)](wide, x, out, 1024, B=256)
    for M, N, K, warps in ((64, 64, 32, 4), (128, 128, 64, 4), (128, 128, 64, 8), (32, 32, 64, 2)):
        yield lambda: product[(512 // M, 512 // N)](half, half, out_half, 512, 512, M=M, N=N, K=K, num_warps=warps)
    single, single_out = given(256, 256), room(256, 256)
    yield lambda: product[(4, 4)](single, single, single_out, 256, 256, M=64, N=64, K=32)
    for heads in (1, 8):
        yield lambda: attention[(4, heads)](half, half, half, out_half, 256, M=64, N=64, D=64)
    for side in (4, 16):
        yield lambda: transposed[(side, side)](x, out, side * 32, side * 32, B=32)
    for rows in (8, 200):
        yield lambda: scan[(rows,)](wide, out, 1024, B=1024)
    counts = torch.zeros(64, dtype=torch.int32).cuda()
    for grid in (8, 128):
        yield lambda: counted[(grid,)](x, counts, B=1024)
        yield lambda: gathered[(grid,)](x, out, B=1024)
    out[:256].cpu(), out_half[:2].cpu(), single_out[:2].cpu(), counts.cpu()


def main():
    for launch in launches():
        for _ in range(ROUNDS):
            launch()
    torch.cuda.synchronize()


if __name__ == "__main__":
    main()
