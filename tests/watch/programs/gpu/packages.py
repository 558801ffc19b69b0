"""Right programs for a GPU: layers of published packages (Liger Kernel, Flash Linear Attention), a few
steps forward and backward. The first argument is the name of the program."""
import sys

import torch

STEPS = 3


def leaf(*shape, dtype=torch.float32, scale=1.0):
    return (torch.randn(*shape, device="cuda", dtype=dtype) * scale).requires_grad_()


def steps(layer, *inputs):
    """Calls it forward and backward; prints a number that depends on all of it."""
    total = 0.0
    for _ in range(STEPS):
        result = layer(*inputs)
        result = result[0] if isinstance(result, tuple) else result
        result.float().square().mean().backward()
        total += result.float().sum().item()
        for each in inputs:
            if each.grad is not None:
                total += each.grad.float().sum().item()
                each.grad = None
    print(f"{total:.6g}")


def liger_rms_norm():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction
    steps(lambda x, w: LigerRMSNormFunction.apply(x, w, 1e-6), leaf(8, 128, 512), leaf(512))


def liger_layer_norm():
    from liger_kernel.ops.layer_norm import LigerLayerNormFunction
    steps(lambda x, w, b: LigerLayerNormFunction.apply(x, w, b, 1e-6),
          leaf(8, 128, 512), leaf(512), leaf(512))


def liger_swiglu():
    from liger_kernel.ops.swiglu import LigerSiLUMulFunction
    steps(LigerSiLUMulFunction.apply, leaf(8, 128, 512), leaf(8, 128, 512))


def liger_geglu():
    from liger_kernel.ops.geglu import LigerGELUMulFunction
    steps(LigerGELUMulFunction.apply, leaf(8, 128, 512), leaf(8, 128, 512))


def liger_cross_entropy():
    from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction
    target = torch.randint(0, 1000, (512,), device="cuda")
    logits = torch.randn(512, 1000, device="cuda")
    steps(lambda x: LigerCrossEntropyFunction.apply(x @ torch.eye(1000, device="cuda"), target, None),
          logits.requires_grad_())


def liger_group_norm():
    from liger_kernel.ops.group_norm import LigerGroupNormFunction
    steps(lambda x, w, b: LigerGroupNormFunction.apply(x, w, b, 32, 4, 1e-6),
          leaf(4, 32, 256), leaf(32), leaf(32))


def liger_softmax():
    from liger_kernel.ops.softmax import LigerSoftmaxFunction
    steps(LigerSoftmaxFunction.apply, leaf(256, 512))


def attention_inputs(heads=4, length=256, size=64, dtype=torch.bfloat16):
    return [leaf(2, length, heads, size, dtype=dtype, scale=0.2) for _ in range(3)]


def fla_chunk_gla():
    from fla.ops.gla import chunk_gla
    gates = torch.nn.functional.logsigmoid(torch.randn(2, 256, 4, 64, device="cuda")).bfloat16()
    steps(lambda q, k, v: chunk_gla(q, k, v, gates), *attention_inputs())


def fla_fused_recurrent_gla():
    from fla.ops.gla import fused_recurrent_gla
    gates = torch.nn.functional.logsigmoid(torch.randn(2, 256, 4, 64, device="cuda")).bfloat16()
    steps(lambda q, k, v: fused_recurrent_gla(q, k, v, gates), *attention_inputs())


def fla_chunk_retention():
    from fla.ops.retention import chunk_retention
    steps(chunk_retention, *attention_inputs())


def fla_chunk_delta_rule():
    from fla.ops.delta_rule import chunk_delta_rule
    beta = torch.rand(2, 256, 4, device="cuda").sigmoid().bfloat16()
    steps(lambda q, k, v: chunk_delta_rule(q, torch.nn.functional.normalize(k.float(), dim=-1).bfloat16(),
                                           v, beta), *attention_inputs())


def fla_l2norm():
    from fla.modules.norm.l2norm import l2norm
    steps(l2norm, leaf(8, 128, 256))


def fla_layer_norm():
    from fla.modules.norm.layernorm import layer_norm
    steps(lambda x, w, b: layer_norm(x, w, b), leaf(8, 128, 256), leaf(256), leaf(256))


def fla_parallel_attention():
    from fla.ops.attn import parallel_attn
    steps(parallel_attn, *attention_inputs())


def torch_optimizers():
    torch.manual_seed(1)
    for make in (torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop):
        model = torch.nn.TransformerEncoderLayer(128, 4, 256, dropout=0.0, batch_first=True).cuda()
        optimizer = make(model.parameters(), lr=1e-3)
        x = torch.randn(8, 32, 128, device="cuda")
        for _ in range(STEPS):
            optimizer.zero_grad()
            loss = model(x).square().mean()
            loss.backward()
            optimizer.step()
        print(f"{loss.item():.6g}")


def torch_streams():
    streams = [torch.cuda.Stream() for _ in range(3)]
    xs = [torch.randn(512, 512, device="cuda") for _ in streams]
    torch.cuda.synchronize()
    for _ in range(STEPS):
        for stream, x in zip(streams, xs):
            with torch.cuda.stream(stream):
                x.mul_(0.5).add_(1)
                x.copy_(x @ x * 1e-3)
    torch.cuda.synchronize()
    print(f"{sum(x.sum().item() for x in xs):.6g}")


def torch_in_place():
    """Different functions of PyTorch's one template, one after the other on the same memory."""
    x = torch.randn(1 << 16, device="cuda")
    for _ in range(6):
        x.relu_().sigmoid_().sin_().mul_(2).sqrt_()
    print(f"{x.sum().item():.6g}")


if __name__ == "__main__":
    torch.manual_seed(1)
    globals()[sys.argv[1]]()
