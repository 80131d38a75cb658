"""What gives back what it is given, or the object that it is called on. Data.

model = model.eval().cuda()            methods of a module
batches = tqdm(loader)                 functions
net = DataParallel(net)                classes that hold a module and do as it does
"""

from __future__ import annotations

from typing import Final

MODULE_METHODS: Final = frozenset(
    ("apply", "bfloat16", "cpu", "cuda", "double", "eval", "float", "half", "ipu", "mtia", "requires_grad_", "share_memory",
     "to", "to_empty", "train", "type", "xpu")
)  # fmt: skip
"""Methods of `torch.nn.Module` that change it in place and return it (torch 2.13)."""

WRAPPERS: Final = frozenset(
    [
        "torch.nn.DataParallel",
        "torch.nn.parallel.DataParallel",
        "torch.nn.parallel.DistributedDataParallel",
        "torch.distributed.fsdp.FullyShardedDataParallel",
        "torch.optim.swa_utils.AveragedModel",
    ]
)
"""What gives the module that it is given, wrapped."""

FIRST_ARGUMENT: Final = frozenset(
    [
        "copy.copy",
        "copy.deepcopy",
        "torch.autograd.Variable",
        "torch.compile",
        "torch.jit.script",
        "torch.jit.trace",
        "torch.jit.freeze",
        "torch.jit.optimize_for_inference",
        "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
        "torch.cuda.make_graphed_callables",
        "torch.fx.symbolic_trace",
        "torch.fx.wrap",
        "torch.jit.ignore",
        "torch.jit.unused",
        "torch.jit.export",
        "torch.nn.utils.spectral_norm",
        "torch.nn.utils.weight_norm",
        "torch.nn.utils.parametrizations.weight_norm",
        "torch.nn.utils.parametrizations.spectral_norm",
        "torch.nn.utils.parametrizations.orthogonal",
        "typing.cast",
        "tqdm.tqdm",
        "tqdm.auto.tqdm",
        "tqdm.std.tqdm",
        "tqdm.trange",
        "tqdm.notebook.tqdm",
        "rich.progress.track",
        "itertools.islice",
        "itertools.cycle",
        "torch.nn.utils.fusion.fuse_conv_bn_eval",
        "dataclasses.replace",
    ]
)
"""What gives back its first argument, as far as values go; `typing.cast` its second."""
