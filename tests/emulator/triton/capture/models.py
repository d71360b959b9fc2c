import sys, os
os.environ["TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER"] = "0"
import torch, torch._inductor.config as ic
ic.compile_threads = 1
for k, v in (("use_static_cuda_launcher", False), ("fx_graph_cache", False), ("autotune_local_cache", False)):
    try: setattr(ic, k, v)
    except Exception as e: print(k, e)
import torch.nn as nn, torch.nn.functional as F
from capture import item, main
D = "cuda"; torch.manual_seed(5)
def R(*s, dtype=torch.float32): return torch.randn(*s, device=D).to(dtype)
def C(f, *a, **k): return torch.compile(f, dynamic=False, **k)(*a)
@item
def j_groupnorm(): m = nn.GroupNorm(4, 16).to(D); x = R(2, 16, 9, 9).requires_grad_(); torch.compile(m)(x).sum().backward()
@item
def j_rope():
    def f(q, c, s): a, b = q.chunk(2, -1); return q * c + torch.cat((-b, a), -1) * s
    C(f, R(2, 4, 33, 64).bfloat16(), R(33, 64).bfloat16(), R(33, 64).bfloat16())
@item
def j_swiglu(): C(lambda x: F.silu(x[..., :128]) * x[..., 128:], R(37, 256).half()); C(lambda x: F.gelu(x) + F.gelu(x, approximate="tanh"), R(99, 65)); C(lambda x: F.mish(x) + F.softplus(x) + F.elu(x) + F.hardswish(x) + F.logsigmoid(x), R(500))
@item
def j_loss(): C(lambda x, t: (F.nll_loss(F.log_softmax(x, 1), t), F.smooth_l1_loss(x, x * 2), F.binary_cross_entropy_with_logits(x, x.sigmoid()), F.kl_div(x, x.softmax(1))), R(40, 50), torch.randint(0, 50, (40,), device=D))
@item
def j_backward():
    x = R(16, 300).requires_grad_(); torch.compile(lambda x: (F.softmax(x, -1) * x.tanh()).pow(2).mean(), dynamic=False)(x).backward()
    y = R(16, 300).bfloat16().requires_grad_(); torch.compile(lambda x: F.layer_norm(x, (300,)).sigmoid().sum(), dynamic=False)(y).backward()
@item
def j_index(): i = torch.randint(0, 50, (70,), device=D); C(lambda x, i: (x[i], x.gather(0, i[:, None].expand(70, 20)), torch.index_select(x, 1, i[:5] % 20), x.flip(0), x.roll(3, 1), torch.where(x > 0, x, -x).cumsum(0)), R(50, 20), i)
@item
def j_conv1d(): C(lambda x: F.avg_pool1d(F.pad(x, (2, 3), mode="reflect"), 3) + F.interpolate(x, 21)[..., :20].mean(), R(3, 4, 57)[..., :57]); C(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False), R(2, 3, 9, 11)); C(lambda x: F.interpolate(x, (15, 14), mode="bicubic"), R(1, 2, 9, 11)); C(lambda x: F.adaptive_avg_pool2d(x, (3, 5)), R(2, 3, 17, 19)); C(lambda x: F.max_pool2d(x, 3, 2, 1), R(2, 3, 17, 19))
@item
def j_special(): C(lambda x: (torch.special.i0(x), torch.special.digamma(x.abs() + 0.1), torch.lgamma(x), torch.erfinv(x * 0.1), torch.special.ndtri(x.sigmoid()), torch.special.bessel_j1(x), torch.special.entr(x.abs())), R(777)); C(lambda x: (x.sin(), x.cos(), x.tan(), x.asin(), x.atan(), x.sinh(), x.acosh(), x.expm1(), x.log1p(), x.log10(), x ** 2.5, x ** 3, x.frac(), x.trunc(), x.round(decimals=1)), R(600)); C(lambda x: (x.sin(), x.exp(), x.log(), x.pow(1.3), x.tanh(), x.erf(), x.sqrt(), 1 / x), R(300).double().abs())
@item
def j_ints(): a = torch.randint(-1000, 1000, (500,), device=D); b = torch.randint(1, 99, (500,), device=D); C(lambda a, b: (a // b, a % b, torch.bitwise_xor(a, b), a << (b % 8), a >> 2, a * b, (a > b).int(), a.to(torch.uint8), a.to(torch.int16) // 7, torch.div(a, b, rounding_mode="trunc"), torch.fmod(a, b), a.float() / b, torch.clamp(a, -5, 77)), a, b)
@item
def j_opt():
    for O, kw in ((torch.optim.AdamW, dict(lr=0.01)), (torch.optim.SGD, dict(lr=0.1, momentum=0.9)), (torch.optim.RMSprop, dict(lr=0.01)), (torch.optim.Adagrad, dict(lr=0.01))):
        p = [nn.Parameter(R(33, 17)), nn.Parameter(R(70))]
        for q in p: q.grad = torch.randn_like(q)
        o = O(p, foreach=True, **kw); torch.compile(o.step)()
@item
def j_stats(): C(lambda x: (x.argmax(1), x.argmin(0), x.amax((0, 1)), x.logsumexp(1), x.std(0), x.cumprod(1), x.cummax(1)[0], torch.logcumsumexp(x, 1)), R(20, 65)); C(lambda x: (x.sum(), x.mean(0), x.prod(), x.norm(), (x != 0).sum(1), x.all(0)), R(3000, 7)); C(lambda x: (x.sum(0), x.sum(1), x.abs().max()), R(400, 300).half())
@item
def j_rng(): C(lambda x: (F.dropout(x, 0.3), torch.rand_like(x), torch.randn_like(x) * x, torch.bernoulli(x.sigmoid())), R(40, 50)); C(lambda x: torch.rand(64, 10, device=D, dtype=torch.float16) + x, R(64, 10).half())
@item
def j_fp8(): C(lambda x: (x.to(torch.float8_e4m3fn).view(torch.uint8), x.to(torch.float8_e5m2).to(torch.bfloat16), (x * 30).to(torch.float8_e4m3fn).to(torch.float16)), R(777).bfloat16())
@item
def j_views(): C(lambda a, b: (a @ a.transpose(1, 2) + b.sum(), torch.einsum("bij,bjk->bik", a, b) * 2), R(2, 8, 8), R(2, 8, 8)); C(lambda x: torch.triu(x, 1) + torch.tril(x, -2) + torch.eye(30, device=D) + torch.diagonal(x).sum(), R(30, 30)); C(lambda x: torch.stack([x, x * 2], -1).view(60, 20).t().contiguous(), R(30, 20)); C(lambda x: F.unfold(x, 3), R(1, 2, 8, 8)); C(lambda x: F.pixel_shuffle(x, 2), R(1, 8, 4, 4)); C(lambda x: F.one_hot(x, 12).float() * 3, torch.randint(0, 12, (40,), device=D)); C(lambda x: torch.bucketize(x, torch.linspace(-1, 1, 17, device=D)), R(300)); C(lambda x: x.unfold(0, 4, 2).sum(1), R(60)); C(lambda x: F.grid_sample(x, torch.tanh(R(1, 5, 6, 2)), align_corners=True), R(1, 3, 7, 7))
@item
def j_model():
    class B(nn.Module):
        def __init__(s): super().__init__(); s.n = nn.RMSNorm(64); s.q = nn.Linear(64, 192); s.p = nn.Linear(64, 64); s.m = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64)); s.e = nn.Embedding(99, 64)
        def forward(s, i):
            x = s.e(i); h = s.q(s.n(x)).view(*i.shape, 3, 4, 16).permute(2, 0, 3, 1, 4); x = x + s.p(F.scaled_dot_product_attention(h[0], h[1], h[2], is_causal=True).transpose(1, 2).reshape_as(x)); return x + s.m(F.layer_norm(x, (64,)))
    for dt in (torch.float32, torch.bfloat16): m = B().to(D).to(dt); torch.compile(m, dynamic=False)(torch.randint(0, 99, (2, 24), device=D)).float().pow(2).mean().backward()
@item
def j_cnn():
    m = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3), nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10)).to(D); F.cross_entropy(torch.compile(m, dynamic=False)(R(4, 3, 16, 16)), torch.randint(0, 10, (4,), device=D)).backward()
def tri(f, *a):
    ic.max_autotune_gemm_backends = "TRITON"; ic.autotune_in_subproc = False
    return torch.compile(f, dynamic=False, options={"max_autotune_gemm": True, "max_autotune_gemm_backends": "TRITON"})(*a)
@item
def j_mm(): tri(lambda a, b: F.gelu(a @ b + 1), R(100, 72).half(), R(72, 80).half())
@item
def j_addmm(): tri(lambda c, a, b: torch.addmm(c, a, b), R(64).bfloat16(), R(96, 64).bfloat16(), R(64, 64).bfloat16())
@item
def j_conv(): 
    torch.backends.cudnn.allow_tf32 = True; ic.max_autotune_conv_backends = "TRITON"; tri(lambda x, w: F.conv2d(x, w, padding=1), R(2, 16, 12, 12), R(32, 16, 3, 3))
if __name__ == "__main__": main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
