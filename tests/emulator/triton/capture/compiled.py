import sys, os
os.environ["TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER"] = "0"
import torch, torch._inductor.config as ic
ic.compile_threads = 1
for k, v in (("use_static_cuda_launcher", False), ("fx_graph_cache", False), ("autotune_local_cache", False)):
    try: setattr(ic, k, v)
    except Exception as e: print(k, e)
import torch.nn.functional as F
from capture import item, main
D = "cuda"; torch.manual_seed(2)
def R(*s, dtype=torch.float32): return torch.randn(*s, device=D).to(dtype)
def C(f, *a, **k): return torch.compile(f, dynamic=False, **k)(*a)
@item
def i_softmax(): C(lambda x: torch.softmax(x, -1), R(33, 700)); C(lambda x: F.log_softmax(x.half(), -1), R(5, 3000))
@item
def i_layernorm():
    w, b = R(640), R(640); x = R(17, 640).half().requires_grad_(); y = torch.compile(lambda x: F.layer_norm(x.float(), (640,), w, b).half())(x); y.backward(R(17, 640).half())
@item
def i_rmsnorm(): w = R(512).bfloat16(); C(lambda x: F.silu(x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).bfloat16() * w), R(20, 512).bfloat16())
@item
def i_gelu(): C(lambda x, b: F.gelu(x + b) + F.gelu(x, approximate="tanh") * torch.sigmoid(x), R(40, 300).half(), R(300).half())
@item
def i_dropout(): C(lambda x: F.dropout(x, 0.3) + torch.rand_like(x) * torch.randn_like(x), R(30, 200))
@item
def i_scan(): C(lambda x: (torch.cumsum(x, 1), torch.logcumsumexp(x, 1), torch.cumprod(x, 0)), R(12, 300))
@item
def i_sort(): C(lambda x: (torch.sort(x, -1), torch.argmax(x, 1), torch.amin(x, 0)), R(9, 128))
@item
def i_pointwise(): C(lambda x, y: torch.sin(x) * torch.exp(y).tanh() + torch.atan2(x, y) + torch.pow(y.abs(), x) - torch.erf(x) / torch.log1p(y.abs()) + torch.floor(x) % (y.abs() + 1), R(37, 111), R(37, 111))
@item
def i_pointwise64(): C(lambda x, y: torch.sin(x) * torch.exp(y).tanh() + x / y, R(37, 111).double(), R(37, 111).double())
@item
def i_int(): C(lambda x, y: ((x // y) % 7, x * y, (x.float() / y).to(torch.int64), x.to(torch.int8), x << 3), torch.randint(-999, 999, (3000,), device=D), torch.randint(1, 99, (3000,), device=D))
@item
def i_embedding(): C(lambda t, i: F.layer_norm(F.embedding(i, t), (256,)).sum(1), R(100, 256).bfloat16(), torch.randint(0, 100, (8, 12), device=D))
@item
def i_scatter(): C(lambda x, i, s: (x.index_add(0, i, s), torch.zeros_like(x).scatter_reduce(0, i[:, None].expand(-1, 64), s, "amax"), x[i]), R(50, 64), torch.randint(0, 50, (40,), device=D), R(40, 64))
@item
def i_crossentropy():
    x = R(16, 1000).bfloat16().requires_grad_(); l = torch.compile(lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1))(x, torch.randint(0, 1000, (16,), device=D)); l.backward()
@item
def i_batchnorm():
    x = R(4, 8, 12, 12).requires_grad_(); bn = torch.nn.BatchNorm2d(8).cuda(); torch.compile(lambda x: F.max_pool2d(F.relu(bn(x)), 2).mean())(x).backward()
@item
def i_pool(): C(lambda x: (F.avg_pool2d(x, 3, 2), F.interpolate(x, scale_factor=2, mode="bilinear"), F.adaptive_avg_pool2d(x, 3), F.pad(x, (1, 2), mode="reflect")), R(2, 3, 20, 20))
@item
def i_adam():
    p = [R(300).requires_grad_(), R(40, 20).requires_grad_()]
    for q in p: q.grad = torch.randn_like(q)
    o = torch.optim.Adam(p, lr=0.01, foreach=True); torch.compile(o.step)()
@item
def i_quant():
    def f(x): s = x.abs().amax(-1, keepdim=True) / 448; q = (x / s).to(torch.float8_e4m3fn); return q, s, q.float() * s, (x * 3).clamp(-128, 127).round().to(torch.int8)
    C(f, R(32, 256)); C(lambda x: (x.to(torch.float8_e5m2).float(), x.float().to(torch.float8_e4m3fn)), R(32, 64).bfloat16())
@item
def i_var(): C(lambda x: (torch.var_mean(x, (0, 2)), x.norm(dim=1), x.std(), x.prod(2), (x > 0).any(0)), R(20, 16, 33))
@item
def i_attention(): C(lambda q, k, v: torch.softmax((q @ k.transpose(-1, -2)) * 0.1 + torch.tril(torch.ones(64, 64, device=D)).log(), -1) @ v, R(1, 2, 64, 32).half(), R(1, 2, 64, 32).half(), R(1, 2, 64, 32).half())
def tri(f, *a):
    ic.max_autotune_gemm_backends = "TRITON"; ic.autotune_in_subproc = False
    try: return torch.compile(f, dynamic=False, options={"max_autotune_gemm": True, "max_autotune_gemm_backends": "TRITON"})(*a)
    finally: ic.max_autotune_gemm_backends = "ATEN,TRITON,CPP"
@item
def i_flex():
    from torch.nn.attention.flex_attention import flex_attention, create_block_mask
    q, k, v = (R(1, 2, 256, 64).bfloat16() for _ in range(3))
    m = create_block_mask(lambda b, h, i, j: i >= j, None, None, 256, 256, device=D)
    torch.compile(lambda q, k, v: flex_attention(q, k, v, block_mask=m), dynamic=False)(q, k, v)
    torch.compile(lambda q, k, v: flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s + (i - j) * 0.1), dynamic=False)(q, k, v)
@item
def i_mm(): tri(lambda a, b: F.relu(a @ b), R(128, 64).bfloat16(), R(64, 96).bfloat16())
@item
def i_bmm(): tri(lambda a, b: torch.bmm(a, b), R(2, 64, 64).half(), R(2, 64, 64).half())
@item
def i_mm32():
    torch.backends.cuda.matmul.allow_tf32 = True; tri(lambda a, b: a @ b + 1, R(64, 64), R(64, 64))
@item
def i_mm8(): tri(lambda a, b: torch._int_mm(a, b), torch.randint(-99, 99, (64, 64), device=D).to(torch.int8), torch.randint(-99, 99, (64, 64), device=D).to(torch.int8))
if __name__ == "__main__": main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
