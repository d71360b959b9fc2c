"""PyTorch: an operation that it compiles with NVRTC when it is first used."""
import torch

operation = torch.cuda.jiterator._create_jit_fn("template <typename T> T operation(T x, T y) { return x * y + x; }")
a = torch.arange(400, dtype=torch.float32).cuda()
b = torch.arange(400, dtype=torch.float32).cuda() / 7
print(operation(a, b).cpu()[[9, 399]])
