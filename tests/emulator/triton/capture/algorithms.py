import sys, torch, triton, triton.language as tl
from triton.language.extra import libdevice
from capture import item, main
D = "cuda"
torch.manual_seed(11)
def R(*s, dtype=torch.float32, scale=1.0): return (torch.randn(*s, device=D) * scale).to(dtype)
Z = lambda *s, dtype=torch.float32: torch.zeros(*s, device=D, dtype=dtype)

@triton.jit
def persistent(A, B, C, M, N, K, sam, sak, sbk, sbn, scm, scn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr, NP: tl.constexpr, FL: tl.constexpr):
    pid = tl.program_id(0); npm = tl.cdiv(M, BM); npn = tl.cdiv(N, BN); nt = npm * npn
    for t in tl.range(pid, nt, NP, flatten=FL):
        w = G * npn; g = t // w; first = g * G; gs = min(npm - first, G)
        pm = first + (t % w) % gs; pn = (t % w) // gs
        rm = (pm * BM + tl.arange(0, BM)) % M; rn = (pn * BN + tl.arange(0, BN)) % N
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            kk = k * BK + tl.arange(0, BK)
            a = tl.load(A + rm[:, None] * sam + kk[None, :] * sak, mask=kk[None, :] < K, other=0.0)
            b = tl.load(B + kk[:, None] * sbk + rn[None, :] * sbn, mask=kk[:, None] < K, other=0.0)
            acc = tl.dot(a, b, acc)
        om = pm * BM + tl.arange(0, BM); on = pn * BN + tl.arange(0, BN)
        tl.store(C + om[:, None] * scm + on[None, :] * scn, acc.to(C.dtype.element_ty), mask=(om[:, None] < M) & (on[None, :] < N))
def pers(dt, BM, BN, BK, w, s, tb=False, fl=False, M=100, N=90, K=72, od=None):
    a = R(M, K).to(dt); b = (R(N, K).to(dt).t() if tb else R(K, N).to(dt)); c = Z(M, N, dtype=od or dt)
    persistent[(3,)](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride(), BM=BM, BN=BN, BK=BK, G=2, NP=3, FL=fl, num_warps=w, num_stages=s)
@item
def p_f16():
    pers(torch.float16, 64, 64, 32, 4, 3); pers(torch.float16, 64, 32, 64, 4, 2, tb=True, fl=True); pers(torch.float16, 128, 64, 16, 8, 4, tb=True); pers(torch.float16, 16, 16, 16, 1, 1); pers(torch.float16, 64, 128, 64, 4, 3, M=128, N=128, K=256)
@item
def p_bf16():
    pers(torch.bfloat16, 64, 64, 64, 4, 3, tb=True, od=torch.float32); pers(torch.bfloat16, 32, 64, 32, 2, 2); pers(torch.bfloat16, 64, 256, 32, 8, 3, M=64, N=256, K=64)
@item
def p_f32():
    pers(torch.float32, 64, 64, 32, 4, 3); pers(torch.float32, 64, 32, 32, 4, 2, tb=True); pers(torch.float32, 32, 32, 32, 4, 2)
@item
def p_fp8():
    pers(torch.float8_e4m3fn, 64, 64, 64, 4, 3, tb=True, od=torch.float16); pers(torch.float8_e5m2, 64, 32, 128, 4, 2, tb=True, od=torch.float32, K=256); pers(torch.float8_e4m3fn, 64, 64, 32, 4, 2, od=torch.float32)

@triton.jit
def precise(A, B, C, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, P: tl.constexpr, AC: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N); k = tl.arange(0, K)
    a = tl.load(A + m[:, None] * K + k[None, :]); b = tl.load(B + k[:, None] * N + n[None, :])
    tl.store(C + m[:, None] * N + n[None, :], tl.dot(a, b, input_precision=P, out_dtype=AC))
@item
def precision():
    for p in ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6"):
        for m, n, k, w in ((64, 64, 32, 4), (16, 32, 64, 2)):
            try: precise[(1,)](R(m, k), R(k, n), Z(m, n), m, n, k, p, tl.float32, num_warps=w)
            except Exception as e: print("no", p, str(e)[:80])
    precise[(1,)](R(64, 64).half(), R(64, 64).half(), Z(64, 64).half(), 64, 64, 64, "ieee", tl.float16, num_warps=4)
    precise[(1,)](R(32, 32).half(), R(32, 16).half(), Z(32, 16).half(), 32, 16, 32, "ieee", tl.float16, num_warps=1)
    i8 = lambda *s: torch.randint(-128, 127, s, device=D).to(torch.int8)
    precise[(1,)](i8(64, 64), i8(64, 32), Z(64, 32, dtype=torch.int32), 64, 32, 64, "ieee", tl.int32, num_warps=4)
    precise[(1,)](R(64, 32).double(), R(32, 32).double(), Z(64, 32, dtype=torch.float64), 64, 32, 32, "ieee", tl.float64, num_warps=4)

@triton.jit
def dot3(A, B, C, NB: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    z = tl.arange(0, NB)[:, None, None]; m = tl.arange(0, M); n = tl.arange(0, N); k = tl.arange(0, K)
    a = tl.load(A + z * M * K + m[None, :, None] * K + k[None, None, :]); b = tl.load(B + z * N * K + k[None, :, None] * N + n[None, None, :])
    tl.store(C + z * M * N + m[None, :, None] * N + n[None, None, :], tl.dot(a, b))
@item
def batched():
    for dt in (torch.float16, torch.float32): dot3[(1,)](R(4, 16, 32).to(dt), R(4, 32, 16).to(dt), Z(4, 16, 16), 4, 16, 16, 32, num_warps=4)

@triton.jit
def fa_bwd(Q, K, V, DO, L, DL, DQ, DK, DV, sm, N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, HD: tl.constexpr, CA: tl.constexpr):
    b = tl.program_id(1); j = tl.program_id(0); base = b * N * HD; d = tl.arange(0, HD); n = j * BN + tl.arange(0, BN)
    k = tl.load(K + base + n[:, None] * HD + d[None, :]); v = tl.load(V + base + n[:, None] * HD + d[None, :])
    dk = tl.zeros([BN, HD], tl.float32); dv = tl.zeros([BN, HD], tl.float32)
    for i in range(0, N // BM):
        m = i * BM + tl.arange(0, BM); q = tl.load(Q + base + m[:, None] * HD + d[None, :]); do = tl.load(DO + base + m[:, None] * HD + d[None, :])
        s = tl.dot(k, tl.trans(q)) * sm; p = tl.math.exp2(s - tl.load(L + b * N + m)[None, :])
        if CA: p = tl.where(m[None, :] >= n[:, None], p, 0.0)
        dv += tl.dot(p.to(do.dtype), do); dp = tl.dot(v, tl.trans(do)).to(tl.float32); ds = p * (dp - tl.load(DL + b * N + m)[None, :]); dk += tl.dot(ds.to(q.dtype), q)
    tl.store(DK + base + n[:, None] * HD + d[None, :], (dk * sm).to(DK.dtype.element_ty)); tl.store(DV + base + n[:, None] * HD + d[None, :], dv.to(DV.dtype.element_ty))
@item
def attention_backward():
    for dt, BM, BN, HD, w, s, ca in ((torch.float16, 32, 64, 64, 4, 2, True), (torch.bfloat16, 64, 64, 32, 4, 3, False), (torch.float16, 16, 128, 64, 8, 1, True)):
        q, k, v, do = (R(2, 128, HD).to(dt) for _ in range(4)); fa_bwd[(128 // BN, 2)](q, k, v, do, R(2, 128) + 5, R(2, 128), q, torch.zeros_like(k), torch.zeros_like(v), 0.2, 128, BM, BN, HD, ca, num_warps=w, num_stages=s)

@triton.jit
def fmax2(a, ai, b, bi):
    g = (a > b) | ((a == b) & (ai < bi)); return tl.where(g, a, b), tl.where(g, ai, bi)
@triton.jit
def seg(a, fa, b, fb): return tl.where(fb, b, a + b), fa | fb
@triton.jit
def fxor(a, b): return a ^ b
@triton.jit
def red(x, o, oi, N: tl.constexpr, M: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N); v = tl.load(x + m[:, None] * N + n[None, :])
    idx = tl.broadcast_to(n[None, :], (M, N)); a, i = tl.reduce((v, idx), 1, fmax2)
    tl.store(o + m, a); tl.store(oi + m, i); tl.store(oi + M + m, tl.argmin(v, 1)); tl.store(oi + 2 * M + m, tl.argmax(v, 1, tie_break_left=False))
    tl.store(o + M + m, tl.sum(v, 1)); tl.store(o + 2 * M + n % M, tl.max(v, 0), mask=n < M); f = (n[None, :] % 7 == 3) & (m[:, None] >= 0)
    s, _ = tl.associative_scan((v, f), 1, seg); tl.store(o + 4 * M + m[:, None] * N + n[None, :], s)
    tl.store(oi + 3 * M + m, tl.reduce(idx * 77 ^ (v.to(tl.int32)), 1, fxor)); tl.store(o + 4 * M + M * N + m[:, None] * N + n[None, :], tl.cumsum(v, 0, reverse=True))
@item
def reductions():
    for N, M, w, dt in ((128, 16, 4, torch.float32), (32, 64, 8, torch.float32), (512, 2, 2, torch.float16), (64, 8, 1, torch.bfloat16), (256, 4, 4, torch.float64)): red[(1,)](R(M, N, scale=7).to(dt), Z(4 * M + 2 * M * N, dtype=dt), Z(4 * M, dtype=torch.int32), N, M, num_warps=w)

@triton.jit
def shuffle(x, ix, o, h, N: tl.constexpr, M: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N); p = m[:, None] * N + n[None, :]; v = tl.load(x + p)
    tl.store(o + p, tl.gather(v, tl.load(ix + p), 1)); o += M * N
    tl.store(o + n[:, None] * M + m[None, :], tl.trans(v)); o += M * N
    a, b = tl.split(tl.reshape(v, (M, N // 2, 2))); tl.store(o + m[:, None] * (N // 2) + tl.arange(0, N // 2)[None, :], a - b); o += M * N
    c = tl.join(a, b); tl.store(o + p, tl.reshape(tl.permute(c, (0, 2, 1)), (M, N))); o += M * N
    tl.store(o + p, tl.flip(v, 1)); o += M * N
    tl.store(o + tl.arange(0, 2 * M * N), tl.cat(tl.reshape(v, (M * N,)), tl.reshape(v * 2, (M * N,)), can_reorder=True) * 0 + 1)
    tl.store(h + tl.arange(0, 32), tl.histogram(tl.reshape(tl.load(ix + p), (M * N,)), 32)); tl.store(o + 2 * M * N + p, tl.interleave(a, b))
@item
def shapes2():
    for N, M, w, dt in ((64, 16, 4, torch.float32), (32, 32, 2, torch.float16), (128, 8, 8, torch.int8), (32, 16, 1, torch.int64)): shuffle[(1,)](R(M, N, scale=9).to(dt), torch.randint(0, 32, (M, N), device=D, dtype=torch.int32), Z(8 * M * N, dtype=dt), Z(32, dtype=torch.int32), N, M, num_warps=w)

@triton.jit
def sorts(x, o, N: tl.constexpr, M: tl.constexpr, DE: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N); p = m[:, None] * N + n[None, :]; v = tl.load(x + p); tl.store(o + p, tl.sort(v, 1, descending=DE)); tl.store(o + M * N + m[:, None] * 4 + tl.arange(0, 4)[None, :], tl.topk(v, 4, 1))
@item
def sort2():
    for dt in (torch.float32, torch.int16, torch.uint8, torch.float64, torch.bfloat16):
        for N, M, w, de in ((128, 4, 4, True), (32, 8, 1, False)):
            try: sorts[(1,)](R(M, N, scale=90).to(dt), Z(2 * M * N, dtype=dt), N, M, de, num_warps=w)
            except Exception as e: print("no", dt, str(e)[:80])

@triton.jit
def rnd(o, f, seed, B: tl.constexpr, RO: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); a, b, c, d = tl.randint4x(seed, i, RO); tl.store(o + i, a ^ b); tl.store(o + 2 * B + i, c + d)
    u, v, w, x = tl.rand4x(seed + 1, i); tl.store(f + i, u * v); tl.store(f + 2 * B + i, w - x); tl.store(f + 4 * B + i, tl.randn(seed, i, RO)); p, q, r, s = tl.randn4x(seed, i); tl.store(f + 6 * B + i, p * q + r * s)
@item
def random2():
    for w, ro, seed in ((1, 10, 5), (4, 7, 123456789)): rnd[(2,)](Z(8 * 512, dtype=torch.int32), Z(16 * 512), seed, 512, ro, num_warps=w)

@triton.jit
def elem(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; a = tl.load(x + i, mask=m); b = tl.load(y + i, mask=m, other=1.0)
    tl.store(o + i, tl.sigmoid(a), mask=m); o += n
    tl.store(o + i, a * tl.sigmoid(a) * b, mask=m); o += n
    tl.store(o + i, 0.5 * a * (1 + tl.math.erf(a * 0.7071067811865476)), mask=m); o += n
    tl.store(o + i, tl.fdiv(a, b), mask=m); o += n
    tl.store(o + i, tl.div_rn(a, b), mask=m); o += n
    tl.store(o + i, tl.sqrt_rn(tl.abs(b)), mask=m); o += n
    tl.store(o + i, tl.math.rsqrt(tl.abs(b)), mask=m); o += n
    tl.store(o + i, tl.fma(a, b, a), mask=m); o += n
    tl.store(o + i, tl.clamp(a, -0.5, 0.75), mask=m); o += n
    tl.store(o + i, tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL), mask=m); o += n
    tl.store(o + i, tl.floor(a) + tl.ceil(b), mask=m); o += n
    tl.store(o + i, tl.cos(a) * tl.sin(b), mask=m); o += n
    tl.store(o + i, tl.log(tl.abs(a)) + tl.log2(tl.abs(b)), mask=m); o += n
    tl.store(o + i, tl.exp(a) + tl.exp2(b), mask=m); o += n
    tl.store(o + i, tl.softmax(tl.reshape(a, (1, B)), 1).reshape(B), mask=m); o += n
    tl.store(o + i, libdevice.pow(tl.abs(a), b) + libdevice.tanh(a), mask=m); o += n
    tl.store(o + i, libdevice.fast_expf(a) + libdevice.fast_dividef(a, b) + libdevice.fast_powf(tl.abs(a), b), mask=m); o += n
    tl.store(o + i, libdevice.atan2(a, b) + libdevice.cbrt(a) + libdevice.log1p(tl.abs(b)) + libdevice.expm1(a), mask=m); o += n
    tl.store(o + i, libdevice.lgamma(a) + libdevice.erfinv(a * 0.1) + libdevice.j0(b) + libdevice.fmod(a, b), mask=m)
@item
def pointwise(): elem[(2,)](R(1000, scale=3), R(1000, scale=2), Z(19 * 1000 + 1024), 1000, B=512, num_warps=4)

@triton.jit
def atom(p, q, f, o, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.atomic_add(p + i % 16, i, sem="relaxed"); tl.atomic_max(p + 16 + i % 8, i ^ 77); tl.atomic_min(p + 24 + i % 8, -i); tl.atomic_and(p + 32 + i % 4, ~i); tl.atomic_or(p + 36 + i % 4, i); tl.atomic_xor(p + 40 + i % 4, i * 3, scope="cta"); tl.atomic_xchg(q + i, i * 5); tl.store(o + i, tl.atomic_cas(q + 4 * N + i, i * 0, i + 3)); tl.atomic_add(f + i, 1.5, mask=i % 3 == 0); tl.atomic_max(f + 2 * N + i % 32, (i * 1.25) - 50)
@item
def atomics2(): atom[(2,)](Z(64, dtype=torch.int32), torch.arange(6 * 256, device=D, dtype=torch.int32), Z(2048), Z(512, dtype=torch.int32), 256, num_warps=4)
@triton.jit
def atomh(p, h, N: tl.constexpr):
    i = tl.arange(0, N); tl.atomic_add(p + i, (i * 0.37).to(tl.float16)); tl.atomic_add(h + i, (i * 0.37).to(tl.bfloat16), mask=i % 5 != 0)
@item
def atomics_half(): atomh[(1,)](R(256).half(), R(256).bfloat16(), 256, num_warps=2)

@triton.jit
def tmak(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN]); c = tl.make_tensor_descriptor(o, [M, N], [N, 1], [BM, BN]); i = tl.program_id(0) * BM
    for j in range(0, N, BN): c.store([i, j], a.load([i, j]) * 2)
@triton.jit
def tma_red(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN]); c = tl.make_tensor_descriptor(o, [M, N], [N, 1], [BM, BN]); i = tl.program_id(0) * BM
    for j in range(0, N, BN): v = a.load([i, j]); c.atomic_add([i, j], v); c.atomic_max([i, j], v)
@item
def tma2():
    triton.set_allocator(lambda n, a, s: torch.empty(n, device=D, dtype=torch.int8))
    for dt, M, N, BM, BN in ((torch.float32, 50, 72, 16, 32), (torch.float16, 40, 136, 32, 64), (torch.int8, 33, 208, 8, 128), (torch.float32, 20, 8, 8, 8), (torch.bfloat16, 65, 24, 64, 16)): tmak[(triton.cdiv(M, BM),)](R(M, N, scale=9).to(dt), Z(M, N, dtype=dt), M, N, BM, BN, num_warps=4)
    for dt in (torch.int32, torch.float16):
        try: tma_red[(2,)](R(32, 64, scale=9).to(dt), R(32, 64, scale=9).to(dt), 32, 64, 16, 32, num_warps=4)
        except Exception as e: print("no red", str(e)[:80])

@triton.jit
def ws(A, B, C, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, W: tl.constexpr):
    a = tl.make_tensor_descriptor(A, [M, K], [K, 1], [BM, BK]); b = tl.make_tensor_descriptor(B, [N, K], [K, 1], [BN, BK]); c = tl.make_tensor_descriptor(C, [M, N], [N, 1], [BM, BN])
    nn = tl.cdiv(N, BN)
    for t in tl.range(tl.program_id(0), tl.cdiv(M, BM) * nn, tl.num_programs(0), flatten=not W, warp_specialize=W):
        om = t // nn * BM; on = t % nn * BN; acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK): acc = tl.dot(a.load([om, k]), b.load([on, k]).T, acc)
        c.store([om, on], acc.to(C.dtype.element_ty))
@item
def tma_persistent():
    triton.set_allocator(lambda n, a, s: torch.empty(n, device=D, dtype=torch.int8))
    for W in (False, True):
        for dt, BM, BN, BK, w, s in ((torch.float16, 64, 64, 64, 4, 3), (torch.bfloat16, 128, 64, 32, 8, 2), (torch.float8_e4m3fn, 64, 64, 128, 4, 3)):
            try: ws[(2,)](R(128, 128).to(dt), R(128, 128).to(dt), Z(128, 128, dtype=torch.float16), 128, 128, 128, BM, BN, BK, W, num_warps=w, num_stages=s)
            except Exception as e: print("no ws", W, dt, str(e)[:100])

@triton.jit
def cluster_mm(A, B, C, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0); pn = tl.program_id(1); N = tl.num_programs(1) * BN; m = pm * BM + tl.arange(0, BM); n = pn * BN + tl.arange(0, BN); k = tl.arange(0, BK); acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, K, BK): acc = tl.dot(tl.load(A + m[:, None] * K + (i + k)[None, :]), tl.load(B + (i + k)[:, None] * N + n[None, :]), acc)
    tl.store(C + m[:, None] * N + n[None, :], acc)
@item
def clusters():
    for ctas in (2, 4):
        try: cluster_mm[(2, 2)](R(256, 64).half(), R(64, 256).half(), Z(256, 256), 64, 128, 128, 32, num_warps=4, num_stages=3, num_ctas=ctas)
        except Exception as e: print("no clusters", str(e)[:100])

@triton.jit
def wkv(k, v, w, u, o, s0, T, C: tl.constexpr):
    b = tl.program_id(0); i = tl.arange(0, C); n = tl.load(s0 + b * C + i); d = tl.zeros([C], tl.float32); p = tl.full([C], -1e30, tl.float32); W = tl.load(w + i); U = tl.load(u + i)
    for t in range(T):
        kk = tl.load(k + (b * T + t) * C + i); vv = tl.load(v + (b * T + t) * C + i); q = tl.maximum(p, U + kk); e1 = tl.exp(p - q); e2 = tl.exp(U + kk - q)
        tl.store(o + (b * T + t) * C + i, (e1 * n + e2 * vv) / (e1 * d + e2)); q = tl.maximum(p - W, kk); e1 = tl.exp(p - W - q); e2 = tl.exp(kk - q); n = e1 * n + e2 * vv; d = e1 * d + e2; p = q
@item
def recurrence(): wkv[(2,)](R(2, 20, 64), R(2, 20, 64), R(64).abs(), R(64), Z(2, 20, 64), R(2, 64), 20, 64, num_warps=2)
@triton.jit
def ssm(x, dt, A, B, C, o, T, N: tl.constexpr, Dm: tl.constexpr):
    d = tl.arange(0, Dm); n = tl.arange(0, N); h = tl.zeros((Dm, N), tl.float32); a = tl.load(A + d[:, None] * N + n[None, :])
    for t in range(T):
        xx = tl.load(x + t * Dm + d); de = tl.load(dt + t * Dm + d); de = tl.where(de > 20, de, tl.log(1 + tl.exp(de))); h = h * tl.exp(de[:, None] * a) + (de * xx)[:, None] * tl.load(B + t * N + n)[None, :]; tl.store(o + t * Dm + d, tl.sum(h * tl.load(C + t * N + n)[None, :], 1))
@item
def state_space(): ssm[(1,)](R(16, 32), R(16, 32), -R(32, 16).abs(), R(16, 16), R(16, 16), Z(16, 32), 16, 16, 32, num_warps=4)
@triton.jit
def quant4(w, s, x, o, K: tl.constexpr, N: tl.constexpr, M: tl.constexpr, BK: tl.constexpr):
    n = tl.arange(0, N); m = tl.arange(0, M); acc = tl.zeros((M, N), tl.float32)
    for k in range(0, K, BK):
        kk = k + tl.arange(0, BK); q = tl.load(w + (kk // 8)[:, None] * N + n[None, :]); q = (q >> ((kk % 8) * 4)[:, None]) & 15; b = ((q - 8) * tl.load(s + (kk // 32)[:, None] * N + n[None, :])).to(tl.float16); acc = tl.dot(tl.load(x + m[:, None] * K + kk[None, :]), b, acc)
    tl.store(o + m[:, None] * N + n[None, :], acc)
@item
def int4():
    for M, w in ((16, 4), (64, 4)): quant4[(1,)](torch.randint(-2**31, 2**31 - 1, (16, 64), device=D, dtype=torch.int32), R(4, 64).half(), R(M, 128).half(), Z(M, 64), 128, 64, M, 32, num_warps=w)
@triton.jit
def asm2(x, o, N: tl.constexpr):
    i = tl.arange(0, N); v = tl.load(x + i); a, b = tl.inline_asm_elementwise("{ .reg .b8 a<4>; mov.b32 {a0,a1,a2,a3}, $2; cvt.u32.u8 $0, a1; prmt.b32 $1, $2, $0, 0x4123; }", "=r,=r,r", [v], dtype=(tl.int32, tl.int32), is_pure=True, pack=1); tl.store(o + i, a); tl.store(o + N + i, b)
    tl.store(o + 2 * N + i, libdevice.popc(v) + libdevice.clz(v) + libdevice.ffs(v) + libdevice.brev(v) + libdevice.mulhi(v, v) + libdevice.byte_perm(v, v, 0x3021) + libdevice.sad(v, v * 3, v.to(tl.uint32)) + libdevice.mul24(v, v))
@item
def inline(): asm2[(1,)](torch.randint(-2**31, 2**31 - 1, (256,), device=D, dtype=torch.int32), Z(768, dtype=torch.int32), 256, num_warps=2)
@triton.jit
def casts(x, o, N: tl.constexpr):
    i = tl.arange(0, N); v = tl.load(x + i); tl.store(o + i, v.to(tl.float8e4nv).to(tl.float32)); tl.store(o + N + i, v.to(tl.float8e5).to(tl.float16).to(tl.float32)); tl.store(o + 2 * N + i, v.to(tl.bfloat16).to(tl.float32)); tl.store(o + 3 * N + i, v.to(tl.int8).to(tl.float32)); tl.store(o + 4 * N + i, v.to(tl.uint16).to(tl.float32)); tl.store(o + 5 * N + i, v.to(tl.float16, fp_downcast_rounding="rtz").to(tl.float32)); tl.store(o + 6 * N + i, v.to(tl.int64).to(tl.float64).to(tl.float32)); tl.store(o + 7 * N + i, v.to(tl.float16).to(tl.float8e4nv).to(tl.bfloat16).to(tl.float32)); tl.store(o + 8 * N + i, v.to(tl.int32, bitcast=True).to(tl.float32)); tl.store(o + 9 * N + i, (v > 0).to(tl.float32) + v.to(tl.uint8).to(tl.float32))
@item
def casts2(): casts[(1,)](R(512, scale=100), Z(5120), 512, num_warps=4)
if __name__ == "__main__": main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
