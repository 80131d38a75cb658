"""The old classes of tensors, `torch.FloatTensor` and `torch.cuda.FloatTensor`, and the dtype of each. Data."""

from __future__ import annotations

from typing import Final

CUDA: Final = "torch.cuda."
DTYPES: Final = {
    "FloatTensor": "float32", "HalfTensor": "float16", "BFloat16Tensor": "bfloat16", "DoubleTensor": "float64",
    "LongTensor": "int64", "IntTensor": "int32", "ShortTensor": "int16", "CharTensor": "int8", "ByteTensor": "uint8",
    "BoolTensor": "bool",
}  # fmt: skip


def dtype(name: str) -> str | None:
    """The dtype that a class stands for; `torch.Tensor` and classes of the program stand for none."""
    return DTYPES.get(name.rpartition(".")[2]) if name.startswith("torch.") else None
