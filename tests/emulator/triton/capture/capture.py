"""Saves PTX, launch and buffers (before, after) of every Triton kernel that runs in this process."""
import os, json, atexit, traceback, time
import torch, triton
from triton.compiler import compiler as tc
OUT = os.environ["CAPTURE_DIR"]; os.makedirs(OUT, exist_ok=True)
REG = {}; SEEN = {}; STATE = {"name": "x", "n": 0, "ptx": 0}
LIMIT = int(os.environ.get("CAPTURE_LIMIT", 3 << 20))
SEEN_PTX = set()

def name(n): STATE["name"] = n

def save_ptx(k, why):
    ptx = k.asm.get("ptx")
    if ptx is None or hash(ptx) in SEEN_PTX: return
    SEEN_PTX.add(hash(ptx)); STATE["ptx"] += 1
    open(f"{OUT}/{STATE['name']}.{STATE['ptx']}.{why}.ptx", "w").write(ptx)

old_init = tc.CompiledKernel._init_handles
def init(self):
    r = old_init(self)
    try:
        REG[self.function] = self
        if not os.environ.get("CAPTURE_NO_UNRUN"): save_ptx(self, "loaded")
    except Exception: traceback.print_exc()
    return r
tc.CompiledKernel._init_handles = init

def storage(t):
    s = t.untyped_storage()
    v = torch.empty(0, dtype=torch.uint8, device=t.device); v.set_(s); return v

from triton.backends.nvidia import driver as drv
old_call = drv.CudaLauncher.__call__
def call(self, gx, gy, gz, stream, function, *args):
    k = REG.get(function)
    key = (function,)
    if k is None or SEEN.get(key, 0) >= 1 or torch.cuda.is_current_stream_capturing():
        return old_call(self, gx, gy, gz, stream, function, *args)
    SEEN[key] = SEEN.get(key, 0) + 1
    bufs = []; desc = []; total = 0; odd = []
    try:
        torch.cuda.synchronize()
        index = {}
        def one(a):
            nonlocal total
            if isinstance(a, torch.Tensor):
                v = storage(a); p = v.data_ptr()
                if p not in index:
                    index[p] = len(bufs); bufs.append(v); total += v.numel()
                return {"buf": index[p], "off": a.data_ptr() - p, "dtype": str(a.dtype)}
            if isinstance(a, bool): return {"bool": a}
            if isinstance(a, int): return {"int": a}
            if isinstance(a, float): return {"float": a}
            if isinstance(a, (tuple, list)): return {"tuple": [one(x) for x in a]}
            if hasattr(a, "base") and isinstance(getattr(a, "base"), torch.Tensor):
                return {"desc": one(a.base), "shape": list(map(int, a.shape)), "strides": list(map(int, a.strides)), "block": list(map(int, a.block_shape))}
            return {"other": repr(a)[:200]}
        desc = [one(a) for a in args]
        pre = [b.cpu() for b in bufs] if total <= LIMIT else None
    except Exception:
        traceback.print_exc(); pre = None
    r = old_call(self, gx, gy, gz, stream, function, *args)
    try:
        torch.cuda.synchronize()
        STATE["n"] += 1
        d = f"{OUT}/{STATE['name']}.{STATE['n']}"; os.makedirs(d, exist_ok=True)
        open(d + "/kernel.ptx", "w").write(k.asm["ptx"])
        md = k.metadata
        md = md._asdict() if hasattr(md, "_asdict") else dict(md)
        src = getattr(k, "src", None)
        json.dump({"grid": [int(gx), int(gy), int(gz)], "args": desc, "metadata": {a: repr(b) for a, b in md.items()},
                   "signature": repr(getattr(src, "signature", None)), "constants": repr(getattr(src, "constants", None)),
                   "buffers": [int(b.numel()) for b in bufs], "data": pre is not None, "addresses": [b.data_ptr() for b in bufs]}, open(d + "/launch.json", "w"), indent=0)
        if pre is not None:
            for i, (b, p) in enumerate(zip(bufs, pre)):
                q = b.cpu()
                open(f"{d}/{i}.pre", "wb").write(p.numpy().tobytes())
                if not torch.equal(p, q): open(f"{d}/{i}.post", "wb").write(q.numpy().tobytes())
    except Exception: traceback.print_exc()
    return r
drv.CudaLauncher.__call__ = call

ITEMS = []
def item(f): ITEMS.append(f); return f
def main(group, groups, deadline):
    start = time.time()
    for i, f in enumerate(ITEMS):
        if i % groups != group: continue
        if time.time() - start > deadline: print("late", f.__name__); continue
        name(f.__name__); t = time.time()
        try: f(); torch.cuda.synchronize(); print("ok", f.__name__, round(time.time() - t, 1), flush=True)
        except Exception: print("FAILED", f.__name__); traceback.print_exc(limit=6)
