import sys, torch, triton, triton.language as tl
from triton.language.extra import libdevice
from capture import item, main
D = "cuda"
torch.manual_seed(1)
def R(*s, dtype=torch.float32, scale=1.0): return (torch.randn(*s, device=D) * scale).to(dtype)

@triton.jit
def k_add(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)
@item
def add():
    for dt in (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int8):
        x, y = R(3001, scale=9).to(dt), R(3001, scale=9).to(dt); o = torch.zeros_like(x)
        k_add[(3,)](x, y, o, 3001, B=1024)

@triton.jit
def k_softmax(o, x, si, so, rows, n, B: tl.constexpr, S: tl.constexpr):
    for r in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=S):
        c = tl.arange(0, B); v = tl.load(x + r * si + c, mask=c < n, other=-float("inf"))
        v = v - tl.max(v, 0); e = tl.exp(v); tl.store(o + r * so + c, e / tl.sum(e, 0), mask=c < n)
@item
def softmax():
    for n, w, s, dt in ((781, 4, 2, torch.float32), (128, 1, 1, torch.float16), (2000, 8, 4, torch.bfloat16)):
        x = R(9, n, scale=4).to(dt); o = torch.zeros_like(x)
        k_softmax[(4,)](o, x, n, n, 9, n, B=triton.next_power_of_2(n), S=s, num_warps=w)

@triton.jit
def k_ln(X, Y, W, Bi, M, Rs, stride, N, eps, B: tl.constexpr):
    row = tl.program_id(0); Y += row * stride; X += row * stride
    a = tl.zeros([B], tl.float32)
    for off in range(0, N, B):
        c = off + tl.arange(0, B); a += tl.load(X + c, mask=c < N, other=0.).to(tl.float32)
    mean = tl.sum(a, 0) / N
    v = tl.zeros([B], tl.float32)
    for off in range(0, N, B):
        c = off + tl.arange(0, B); x = tl.load(X + c, mask=c < N, other=0.).to(tl.float32); x = tl.where(c < N, x - mean, 0.); v += x * x
    rstd = 1 / tl.sqrt(tl.sum(v, 0) / N + eps)
    tl.store(M + row, mean); tl.store(Rs + row, rstd)
    for off in range(0, N, B):
        c = off + tl.arange(0, B); m = c < N
        tl.store(Y + c, (tl.load(X + c, mask=m, other=0.).to(tl.float32) - mean) * rstd * tl.load(W + c, mask=m) + tl.load(Bi + c, mask=m), mask=m)
@triton.jit
def k_ln_dx(DX, DY, DW, DB, X, W, M, Rs, Lock, stride, N, G: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0); c = tl.arange(0, B); m = c < N
    X += row * stride; DY += row * stride; DX += row * stride
    g = row % G; Lock += g; Count = Lock + G; DW = DW + g * N + c; DB = DB + g * N + c
    x = tl.load(X + c, mask=m, other=0).to(tl.float32); dy = tl.load(DY + c, mask=m, other=0).to(tl.float32); w = tl.load(W + c, mask=m).to(tl.float32)
    mean = tl.load(M + row); rstd = tl.load(Rs + row)
    xh = (x - mean) * rstd; wdy = w * dy; xh = tl.where(m, xh, 0.); wdy = tl.where(m, wdy, 0.)
    c1 = tl.sum(xh * wdy, 0) / N; c2 = tl.sum(wdy, 0) / N
    tl.store(DX + c, (wdy - (xh * c1 + c2)) * rstd, mask=m)
    pw = (dy * xh).to(w.dtype); pb = dy.to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1: pass
    count = tl.load(Count)
    if count == 0: tl.atomic_xchg(Count, 1)
    else:
        pw += tl.load(DW, mask=m); pb += tl.load(DB, mask=m)
    tl.store(DW, pw, mask=m); tl.store(DB, pb, mask=m)
    tl.debug_barrier(); tl.atomic_xchg(Lock, 0)
@item
def layernorm():
    x, w, b = R(6, 1151).half(), R(1151).half(), R(1151).half(); y = torch.zeros_like(x); m = torch.zeros(6, device=D); r = torch.zeros(6, device=D)
    k_ln[(6,)](x, y, w, b, m, r, 1151, 1151, 1e-5, B=1024, num_warps=4)
    dy = R(6, 1151, scale=.1).half(); dx = torch.zeros_like(x); dw = torch.zeros(6, 1151, device=D).half(); db = dw.clone(); lock = torch.zeros(12, dtype=torch.int32, device=D)
    k_ln_dx[(6,)](dx, dy, dw, db, x, w, m, r, lock, 1151, 1151, G=6, B=2048, num_warps=8)

@triton.jit
def k_mm(A, Bp, C, M, N, K, am, ak, bk, bn, cm, cn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr, ACC: tl.constexpr, OUT: tl.constexpr, ACT: tl.constexpr, PREC: tl.constexpr):
    pid = tl.program_id(0); nm = tl.cdiv(M, BM); nn = tl.cdiv(N, BN); ng = G * nn; gi = pid // ng; first = gi * G; gs = min(nm - first, G)
    pm = first + ((pid % ng) % gs); pn = (pid % ng) // gs
    om = (pm * BM + tl.arange(0, BM)) % M; on = (pn * BN + tl.arange(0, BN)) % N; ok = tl.arange(0, BK)
    a = A + om[:, None] * am + ok[None, :] * ak; b = Bp + ok[:, None] * bk + on[None, :] * bn
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=ok[None, :] < K - k * BK, other=0.0); y = tl.load(b, mask=ok[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PREC, out_dtype=ACC); a += BK * ak; b += BK * bk
    if ACT: acc = tl.where(acc >= 0, acc, 0.01 * acc)
    c = acc.to(OUT); cmk = pm * BM + tl.arange(0, BM); cnk = pn * BN + tl.arange(0, BN)
    tl.store(C + cm * cmk[:, None] + cn * cnk[None, :], c, mask=(cmk[:, None] < M) & (cnk[None, :] < N))
def mm(dt, out, acc, BM, BN, BK, w, s, M=128, N=96, K=192, prec=None, act=False, trans=False, i8=False):
    if i8: a = torch.randint(-128, 128, (M, K), device=D).to(dt); b = torch.randint(-128, 128, (N, K) if trans else (K, N), device=D).to(dt)
    else: a = R(M, K).to(dt); b = R(*((N, K) if trans else (K, N))).to(dt)
    if trans: b = b.T
    c = torch.zeros(M, N, device=D).to({tl.float16: torch.float16, tl.float32: torch.float32, tl.bfloat16: torch.bfloat16, tl.int32: torch.int32, tl.float64: torch.float64}[out])
    g = (triton.cdiv(M, BM) * triton.cdiv(N, BN),)
    k_mm[g](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride(), BM=BM, BN=BN, BK=BK, G=4, ACC=acc, OUT=out, ACT=act, PREC=prec, num_warps=w, num_stages=s)
@item
def mm_f16():
    for c in ((64, 64, 32, 4, 3), (128, 128, 64, 8, 4), (128, 64, 64, 4, 2), (32, 32, 32, 2, 3), (16, 64, 128, 4, 1), (64, 32, 16, 4, 5)): mm(torch.float16, tl.float16, tl.float32, *c)
    mm(torch.float16, tl.float16, tl.float16, 64, 64, 32, 4, 3); mm(torch.float16, tl.float32, tl.float32, 64, 64, 64, 4, 3, trans=True, act=True)
@item
def mm_bf16():
    for c in ((64, 64, 32, 4, 3), (128, 128, 64, 8, 4), (32, 32, 32, 2, 3)): mm(torch.bfloat16, tl.bfloat16, tl.float32, *c)
    mm(torch.bfloat16, tl.float32, tl.float32, 64, 128, 64, 4, 3, trans=True, act=True)
@item
def mm_tf32():
    for c in ((64, 64, 32, 4, 3), (128, 64, 32, 8, 4), (32, 32, 16, 2, 3)): mm(torch.float32, tl.float32, tl.float32, *c, prec="tf32")
    mm(torch.float32, tl.float32, tl.float32, 64, 64, 32, 4, 3, prec="tf32x3"); mm(torch.float32, tl.float32, tl.float32, 32, 32, 16, 4, 2, prec="ieee", M=64, N=64, K=64)
    mm(torch.float32, tl.float32, tl.float32, 64, 64, 32, 4, 3, prec="tf32", trans=True)
@item
def mm_fp8():
    for dt in (torch.float8_e4m3fn, torch.float8_e5m2):
        mm(dt, tl.float32, tl.float32, 64, 64, 64, 4, 3, trans=True); mm(dt, tl.float16, tl.float32, 128, 64, 128, 8, 2, trans=True, K=256); mm(dt, tl.float16, tl.float32, 64, 64, 32, 4, 3)
        mm(dt, tl.float32, tl.float32, 32, 32, 32, 2, 2, trans=True)
@item
def mm_int8():
    for t in (True, False):
        for c in ((64, 64, 64, 4, 3), (128, 64, 128, 8, 2), (32, 32, 32, 2, 3)): mm(torch.int8, tl.int32, tl.int32, *c, trans=t, i8=True)
@item
def mm_f64():
    mm(torch.float64, tl.float64, tl.float64, 32, 32, 16, 4, 2, M=64, N=64, K=48)

@triton.jit
def k_fa(Q, K, V, O, L, sm, H, NC, CA: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, HD: tl.constexpr):
    s = tl.program_id(0); bh = tl.program_id(1); base = bh * NC * HD
    om = s * BM + tl.arange(0, BM); on = tl.arange(0, BN); od = tl.arange(0, HD)
    q = tl.load(Q + base + om[:, None] * HD + od[None, :]); mi = tl.full([BM], -float("inf"), tl.float32); li = tl.zeros([BM], tl.float32) + 1.0; acc = tl.zeros([BM, HD], tl.float32)
    qs = sm * 1.44269504
    hi = (s + 1) * BM if CA else NC
    for n in range(0, hi, BN):
        n = tl.multiple_of(n, BN)
        k = tl.load(K + base + (n + on)[None, :] * HD + od[:, None]); qk = tl.dot(q, k)
        if CA: qk = qk * qs + tl.where(om[:, None] >= (n + on[None, :]), 0, -1.0e6)
        else: qk = qk * qs
        mij = tl.maximum(mi, tl.max(qk, 1)); p = tl.math.exp2(qk - mij[:, None]); al = tl.math.exp2(mi - mij); li = li * al + tl.sum(p, 1); acc = acc * al[:, None]
        v = tl.load(V + base + (n + on)[:, None] * HD + od[None, :]); acc = tl.dot(p.to(v.dtype), v, acc); mi = mij
    mi += tl.math.log2(li); acc = acc / li[:, None]
    tl.store(L + bh * NC + om, mi); tl.store(O + base + om[:, None] * HD + od[None, :], acc.to(O.dtype.element_ty))
@item
def flash():
    for dt, ca, BM, BN, HD, w, st in ((torch.float16, True, 64, 64, 64, 4, 3), (torch.bfloat16, False, 128, 32, 64, 8, 2), (torch.float16, False, 16, 32, 32, 1, 2), (torch.bfloat16, True, 64, 64, 128, 4, 2)):
        q, k, v = (R(1, 2, 128, HD).to(dt) for _ in range(3)); o = torch.zeros_like(q); L = torch.zeros(2, 128, device=D)
        k_fa[(128 // BM, 2)](q, k, v, o, L, 0.125, 2, 128, CA=ca, BM=BM, BN=BN, HD=HD, num_warps=w, num_stages=st)

@triton.jit
def f_add(a, b): return a + b
@triton.jit
def f_lin(a1, b1, a2, b2): return a1 * a2, b1 * a2 + b2
@triton.jit
def k_scan(x, y, o, N: tl.constexpr, W: tl.constexpr):
    i = tl.program_id(0) * W + tl.arange(0, W); p = i[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + p); b = tl.load(y + p)
    T = W * N * tl.num_programs(0)
    tl.store(o + p, tl.cumsum(a, 1)); tl.store(o + T + p, tl.cumprod(a, 1)); tl.store(o + 2 * T + p, tl.cumsum(b, 1, reverse=True))
    s, t = tl.associative_scan((a, b), 1, f_lin); tl.store(o + 3 * T + p, t); tl.store(o + 4 * T + p, tl.cumsum(a, 0))
@item
def scan():
    for N, W, w in ((256, 2, 4), (16, 64, 8), (1024, 1, 1)):
        x, y = R(2 * W, N), R(2 * W, N); o = torch.zeros(5, 2 * W, N, device=D); k_scan[(2,)](x, y, o, N=N, W=W, num_warps=w)
    x = torch.randint(-9, 9, (4, 128), device=D); k_scan[(2,)](x, x, torch.zeros(5, 4, 128, device=D, dtype=torch.int64), N=128, W=2, num_warps=2)

@triton.jit
def k_sort(x, o, t, N: tl.constexpr, D: tl.constexpr, K: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, N); v = tl.load(x + r * N + c); tl.store(o + r * N + c, tl.sort(v, descending=D))
    tl.store(t + r * K + tl.arange(0, K), tl.topk(v, K))
@item
def sort():
    for dt in (torch.float32, torch.int32, torch.int64, torch.float16, torch.int8):
        x = R(3, 256, scale=50).to(dt); o = torch.zeros_like(x); t = torch.zeros(3, 16, device=D).to(dt); k_sort[(3,)](x, o, t, N=256, D=dt != torch.int32, K=16, num_warps=4)

@triton.jit
def k_rand(o, n, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n
    tl.store(o + i, tl.rand(seed, i), mask=m); tl.store(o + n + i, tl.randn(seed, i), mask=m); tl.store(o + 2 * n + i, tl.randint(seed, i).to(tl.float32), mask=m)
    a, b, c, d = tl.randn4x(seed, i); tl.store(o + 3 * n + i, a + b, mask=m); tl.store(o + 4 * n + i, c - d, mask=m)
@triton.jit
def k_drop(x, o, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; v = tl.load(x + i, mask=m); r = tl.rand(seed, i); tl.store(o + i, tl.where(r > p, v / (1 - p), 0.0), mask=m)
@item
def random():
    o = torch.zeros(5 * 3000, device=D); k_rand[(3,)](o, 3000, 1234567, B=1024); k_drop[(3,)](R(3000), o, 3000, 0.3, 77, B=1024)

@triton.jit
def k_math(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; a = tl.load(x + i, mask=m); b = tl.load(y + i, mask=m)
    tl.store(o + i, tl.exp(a), mask=m); tl.store(o + n + i, tl.log(b), mask=m); tl.store(o + 2 * n + i, tl.sin(a), mask=m); tl.store(o + 3 * n + i, tl.cos(a), mask=m)
    tl.store(o + 4 * n + i, tl.sqrt(b), mask=m); tl.store(o + 5 * n + i, tl.rsqrt(b), mask=m); tl.store(o + 6 * n + i, tl.erf(a), mask=m); tl.store(o + 7 * n + i, tl.sigmoid(a), mask=m)
    tl.store(o + 8 * n + i, tl.div_rn(a, b), mask=m); tl.store(o + 9 * n + i, tl.sqrt_rn(b), mask=m); tl.store(o + 10 * n + i, tl.fma(a, b, a), mask=m); tl.store(o + 11 * n + i, a / b, mask=m)
    tl.store(o + 12 * n + i, tl.floor(a) + tl.ceil(b), mask=m); tl.store(o + 13 * n + i, tl.exp2(a), mask=m); tl.store(o + 14 * n + i, tl.log2(b), mask=m); tl.store(o + 15 * n + i, tl.clamp(a, -1.0, 1.0), mask=m)
@triton.jit
def k_lib(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; a = tl.load(x + i, mask=m); b = tl.load(y + i, mask=m)
    tl.store(o + i, libdevice.tanh(a), mask=m); tl.store(o + n + i, libdevice.pow(b, a), mask=m); tl.store(o + 2 * n + i, libdevice.atan2(a, b), mask=m); tl.store(o + 3 * n + i, libdevice.expm1(a), mask=m)
    tl.store(o + 4 * n + i, libdevice.log1p(b), mask=m); tl.store(o + 5 * n + i, libdevice.asin(tl.clamp(a, -1.0, 1.0)), mask=m); tl.store(o + 6 * n + i, libdevice.rint(a), mask=m); tl.store(o + 7 * n + i, libdevice.fmod(a, b), mask=m)
    tl.store(o + 8 * n + i, libdevice.erfinv(tl.clamp(a, -0.9, 0.9)), mask=m); tl.store(o + 9 * n + i, libdevice.lgamma(b), mask=m); tl.store(o + 10 * n + i, libdevice.sinh(a), mask=m); tl.store(o + 11 * n + i, libdevice.fast_expf(a), mask=m)
    tl.store(o + 12 * n + i, libdevice.cbrt(a), mask=m); tl.store(o + 13 * n + i, libdevice.hypot(a, b), mask=m); tl.store(o + 14 * n + i, libdevice.nextafter(a, b), mask=m); tl.store(o + 15 * n + i, libdevice.j0(a), mask=m)
@item
def math():
    x = R(1500, scale=20); y = x.abs() + 0.001; o = torch.zeros(16 * 1500, device=D); k_math[(2,)](x, y, o, 1500, B=1024)
@item
def libdev():
    x = R(1500, scale=3); y = x.abs() + 0.001; o = torch.zeros(16 * 1500, device=D); k_lib[(2,)](x, y, o, 1500, B=1024)
    x = x.double(); k_lib64[(2,)](x, y.double(), torch.zeros(4 * 1500, device=D, dtype=torch.float64), 1500, B=1024)
@triton.jit
def k_lib64(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; a = tl.load(x + i, mask=m); b = tl.load(y + i, mask=m)
    tl.store(o + i, libdevice.tanh(a), mask=m); tl.store(o + n + i, libdevice.exp(a), mask=m); tl.store(o + 2 * n + i, libdevice.sin(a * 1e6), mask=m); tl.store(o + 3 * n + i, libdevice.log(b), mask=m)

@triton.jit
def k_cast(x, o, n, B: tl.constexpr, A: tl.constexpr, R: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; v = tl.load(x + i, mask=m); tl.store(o + i, v.to(A, fp_downcast_rounding=R), mask=m)
@triton.jit
def k_cast2(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; v = tl.load(x + i, mask=m); tl.store(o + i, v.to(o.dtype.element_ty), mask=m)
@item
def casts():
    T = {torch.float16: tl.float16, torch.bfloat16: tl.bfloat16, torch.float8_e4m3fn: tl.float8e4nv, torch.float8_e5m2: tl.float8e5}
    for src in (torch.float32, torch.float16, torch.bfloat16):
        x = R(2048, scale=30).to(src)
        for dst in (torch.float8_e4m3fn, torch.float8_e5m2, torch.bfloat16, torch.float16, torch.int8, torch.int64, torch.uint8, torch.bool):
            if dst == src: continue
            try: k_cast2[(2,)](x, torch.zeros(2048, device=D).to(dst), 2048, B=1024)
            except Exception as e: print("cast", src, dst, str(e)[:200])
        if src == torch.float32:
            for dst in (torch.bfloat16, torch.float16): k_cast[(2,)](x, torch.zeros(2048, device=D).to(dst), 2048, B=1024, A=T[dst], R="rtz")
    for src in (torch.float8_e4m3fn, torch.float8_e5m2):
        x = R(2048, scale=30).to(src)
        for dst in (torch.float32, torch.float16, torch.bfloat16): k_cast2[(2,)](x, torch.zeros(2048, device=D).to(dst), 2048, B=1024)

@triton.jit
def k_atomic(x, f, h, i32, u64, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n; v = tl.load(x + i, mask=m)
    tl.atomic_add(f + i % 7, (v * 8).to(tl.int32).to(tl.float32), mask=m); tl.atomic_add(h + i, v.to(tl.float16), mask=m); tl.atomic_max(f + 8 + i % 7, v, mask=m); tl.atomic_min(i32, (v * 99).to(tl.int32), mask=m)
    tl.atomic_or(i32 + 1, i, mask=m, sem="relaxed"); tl.atomic_xor(i32 + 2 + i % 5, i, mask=m, scope="cta"); tl.atomic_add(u64 + i % 3, i.to(tl.int64), mask=m, sem="release"); tl.atomic_and(u64 + 4, i.to(tl.int64), mask=m)
    tl.atomic_max(i32 + 9, i, mask=m)
@item
def atomics():
    k_atomic[(3,)](R(2500, scale=3), torch.zeros(16, device=D), torch.zeros(2500, device=D).half(), torch.zeros(16, device=D, dtype=torch.int32), torch.zeros(8, device=D, dtype=torch.int64), 2500, B=1024)

@triton.jit
def k_reduce(x, o, oi, N: tl.constexpr):
    r = tl.program_id(0); v = tl.load(x + r * N + tl.arange(0, N)); tl.store(o + r * 5, tl.max(v, 0)); tl.store(o + r * 5 + 1, tl.min(v, 0)); tl.store(o + r * 5 + 2, tl.sum(v, 0)); tl.store(o + r * 5 + 3, tl.reduce(v, 0, f_add))
    tl.store(oi + r * 3, tl.argmax(v, 0)); tl.store(oi + r * 3 + 1, tl.argmin(v, 0, tie_break_left=False)); tl.store(oi + r * 3 + 2, tl.xor_sum((v * 100).to(tl.int32), 0))
@triton.jit
def k_hist(x, o, n, B: tl.constexpr, H: tl.constexpr):
    i = tl.arange(0, B); h = tl.histogram(tl.load(x + i), H); tl.atomic_add(o + tl.arange(0, H), h)
@item
def reduce():
    for N, w in ((512, 4), (2048, 8), (64, 1)): k_reduce[(4,)](R(4, N), torch.zeros(20, device=D), torch.zeros(12, device=D, dtype=torch.int32), N=N, num_warps=w)
    k_hist[(1,)](torch.randint(0, 64, (1024,), device=D, dtype=torch.int32), torch.zeros(64, device=D, dtype=torch.int32), 1024, B=1024, H=64)

@triton.jit
def k_shape(x, idx, o, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None]; j = tl.arange(0, N)[None, :]; v = tl.load(x + i * N + j)
    t = tl.trans(v); tl.store(o + tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :], t); S = M * N
    tl.store(o + S + i * N + j, tl.flip(v, 1)); a, b = tl.split(tl.reshape(v, [M, N // 2, 2])); w = tl.interleave(b, a); tl.store(o + 2 * S + i * N + j, w)
    tl.store(o + 3 * S + i * N + j, tl.gather(v, tl.load(idx + i * N + j), 1)); tl.store(o + 4 * S + tl.arange(0, S), tl.ravel(tl.permute(tl.reshape(v, [M, N // 4, 4]), [2, 0, 1])))
@item
def shapes():
    k_shape[(1,)](R(32, 64), torch.randint(0, 64, (32, 64), device=D, dtype=torch.int32), torch.zeros(5, 32 * 64, device=D), M=32, N=64, num_warps=4)
    k_shape[(1,)](R(32, 64).half(), torch.randint(0, 64, (32, 64), device=D, dtype=torch.int32), torch.zeros(5, 32 * 64, device=D).half(), M=32, N=64, num_warps=4)

@triton.jit
def k_cache(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n
    a = tl.load(x + i, mask=m, eviction_policy="evict_last"); b = tl.load(x + n - 1 - i, mask=m, eviction_policy="evict_first", cache_modifier=".cg"); c = tl.load(x + i, mask=m, cache_modifier=".ca", volatile=True)
    tl.store(o + i, a + b, mask=m, eviction_policy="evict_first"); tl.store(o + n + i, c, mask=m, cache_modifier=".wt"); tl.store(o + 2 * n + i, a, mask=m, cache_modifier=".cs", eviction_policy="evict_last")
@triton.jit
def k_asm(x, o, B: tl.constexpr):
    i = tl.arange(0, B); v = tl.load(x + i)
    r = tl.inline_asm_elementwise("{ .reg .b32 t<2>; lop3.b32 t0, $1, 0x0f0f0f0f, 0, 0xc0; shr.u32 t1, $1, 4; prmt.b32 $0, t0, t1, 0x6240; }", "=r,r", [v], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(o + i, r)
@triton.jit
def k_print(x, B: tl.constexpr):
    i = tl.arange(0, B); tl.device_print("x = ", tl.load(x + i)); tl.device_assert(i < B, "inside")
@item
def misc():
    k_cache[(3,)](R(2600), torch.zeros(3 * 2600, device=D), 2600, B=1024)
    k_asm[(1,)](torch.randint(0, 1 << 30, (512,), device=D, dtype=torch.int32), torch.zeros(512, device=D, dtype=torch.int32), B=512)
    k_print[(1,)](torch.arange(32, device=D), B=32, num_warps=1)

@triton.jit
def k_ce(lg, tg, ls, n, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); v = tl.load(lg + r * n + c, mask=c < n, other=-float("inf")).to(tl.float32); m = tl.max(v, 0); s = tl.log(tl.sum(tl.exp(v - m), 0)) + m
    t = tl.load(tg + r); tl.store(ls + r, s - tl.load(lg + r * n + t).to(tl.float32)); tl.store(lg + r * n + c, (tl.exp(v - s) - tl.where(c == t, 1.0, 0.0)).to(tl.bfloat16), mask=c < n)
@item
def crossentropy():
    k_ce[(5,)](R(5, 3001).bfloat16(), torch.randint(0, 3001, (5,), device=D), torch.zeros(5, device=D), 3001, B=4096, num_warps=8)

def alloc(size, align, stream): return torch.empty(size, device=D, dtype=torch.int8)
@triton.jit
def k_tma(A, Bp, C, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(A, [M, K], [K, 1], [BM, BK]); b = tl.make_tensor_descriptor(Bp, [N, K], [K, 1], [BN, BK]); c = tl.make_tensor_descriptor(C, [M, N], [N, 1], [BM, BN])
    for t in tl.range(tl.program_id(0), tl.cdiv(M, BM) * tl.cdiv(N, BN), tl.num_programs(0), flatten=False):
        pm = t // tl.cdiv(N, BN); pn = t % tl.cdiv(N, BN); acc = tl.zeros((BM, BN), tl.float32)
        for k in range(tl.cdiv(K, BK)): acc = tl.dot(a.load([pm * BM, k * BK]), b.load([pn * BN, k * BK]).T, acc)
        c.store([pm * BM, pn * BN], acc.to(C.dtype.element_ty))
@triton.jit
def k_tma_host(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0); pn = tl.program_id(1); acc = tl.zeros((BM, BN), tl.float32)
    for k in range(tl.cdiv(K, BK)): acc = tl.dot(a.load([pm * BM, k * BK]), b.load([pn * BN, k * BK]).T, acc)
    c.store([pm * BM, pn * BN], acc.to(tl.float16))
@item
def tma():
    triton.set_allocator(alloc)
    for dt, w, s in ((torch.float16, 4, 3), (torch.bfloat16, 8, 2)):
        k_tma[(2,)](R(256, 128).to(dt), R(128, 128).to(dt), torch.zeros(256, 128, device=D).to(dt), 256, 128, 128, BM=128 if w == 8 else 64, BN=64, BK=64, num_warps=w, num_stages=s)
@item
def tma_fp8():
    triton.set_allocator(alloc); dt = torch.float8_e4m3fn
    k_tma[(2,)](R(128, 256).to(dt), R(64, 256).to(dt), torch.zeros(128, 64, device=D).half(), 128, 64, 256, BM=64, BN=64, BK=128, num_warps=4, num_stages=3)
@item
def tma_host():
    from triton.tools.tensor_descriptor import TensorDescriptor as TD
    A, B, C = R(128, 128).half(), R(128, 128).half(), torch.zeros(128, 128, device=D).half()
    k_tma_host[(2, 2)](TD.from_tensor(A, [64, 64]), TD.from_tensor(B, [64, 64]), TD.from_tensor(C, [64, 64]), 128, 128, 128, BM=64, BN=64, BK=64, num_warps=4, num_stages=3)

@triton.jit
def k_scaled(A, As, Bp, Bs, C, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, FA: tl.constexpr, PA: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N); k = tl.arange(0, K); kp = tl.arange(0, K // PA); ks = tl.arange(0, K // 32)
    a = tl.load(A + m[:, None] * (K // PA) + kp[None, :]); b = tl.load(Bp + k[:, None] * N + n[None, :]); sa = tl.load(As + m[:, None] * (K // 32) + ks[None, :]); sb = tl.load(Bs + n[:, None] * (K // 32) + ks[None, :])
    tl.store(C + m[:, None] * N + n[None, :], tl.dot_scaled(a, sa, FA, b, sb, "e4m3"))
@item
def scaled():
    for fa, pa in (("e4m3", 1), ("e2m1", 2)):
        a = torch.randint(0, 120, (64, 128 // pa), device=D, dtype=torch.uint8); b = torch.randint(0, 120, (128, 64), device=D, dtype=torch.uint8)
        if fa == "e4m3": a = a.view(torch.float8_e4m3fn)
        s = torch.randint(120, 134, (64, 4), device=D, dtype=torch.uint8)
        k_scaled[(1,)](a, s, b.view(torch.float8_e4m3fn), s, torch.zeros(64, 64, device=D), M=64, N=64, K=128, FA=fa, PA=pa, num_warps=4)

@triton.jit
def k_conv_rows(x, w, o, H, Wd, B: tl.constexpr):
    y = tl.program_id(0); c = tl.arange(0, B); acc = tl.zeros([B], tl.float32)
    for dy in tl.static_range(3):
        for dx in tl.static_range(3):
            yy = y + dy - 1; xx = c + dx - 1; acc += tl.load(x + yy * Wd + xx, mask=(yy >= 0) & (yy < H) & (xx >= 0) & (xx < Wd), other=0.0) * tl.load(w + dy * 3 + dx)
    tl.store(o + y * Wd + c, tl.maximum(acc, 0.0), mask=c < Wd)
@item
def conv(): k_conv_rows[(20,)](R(20, 50), R(9), torch.zeros(20, 50, device=D), 20, 50, B=64, num_warps=2)

@triton.jit
def k_dtypes(a, b, o, n, B: tl.constexpr):
    i = tl.arange(0, B); x = tl.load(a + i); y = tl.load(b + i); tl.store(o + i, x // y); tl.store(o + B + i, x % y); tl.store(o + 2 * B + i, x * y ^ (x >> 3)); tl.store(o + 3 * B + i, tl.where(x < y, x << 2, ~y)); tl.store(o + 4 * B + i, tl.abs(x)); tl.store(o + 5 * B + i, tl.umulhi(x.to(tl.uint32, bitcast=False), y.to(tl.uint32)).to(o.dtype.element_ty))
@item
def integers():
    for dt in (torch.int32, torch.int64, torch.int16, torch.int8):
        x = torch.randint(-100, 100, (512,), device=D).to(dt); y = torch.randint(1, 100, (512,), device=D).to(dt); k_dtypes[(1,)](x, y, torch.zeros(6, 512, device=D).to(dt), 512, B=512)
if __name__ == "__main__": main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
