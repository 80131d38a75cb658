"""Operations that look at a tensor, make a small one, or pass through one once: little work for the GPU, whatever the step.

count = mask.sum(); rows = count.view(-1).chunk(2); limit = torch.zeros(3)
"""

from __future__ import annotations

from typing import Final

VIEWS: Final = frozenset(
    ("view", "reshape", "chunk", "split", "unbind", "unsqueeze", "squeeze", "transpose", "permute", "expand", "flatten",
     "size", "dim", "numel", "detach", "narrow", "select")
)  # fmt: skip
PASSES: Final = frozenset(
    ("any", "all", "sum", "max", "min", "amax", "amin", "abs", "clamp", "isfinite", "isnan", "isinf", "float", "long", "int",
     "bool", "zeros", "ones", "full", "empty", "arange", "zeros_like", "ones_like", "full_like", "empty_like", "new_zeros",
     "new_ones", "new_full", "logical_not", "logical_and", "logical_or", "eq", "ne", "masked_fill", "argmax", "argmin", "mean",
     "gt", "lt", "ge", "le")
)  # fmt: skip
ON_HOST: Final = frozenset(
    ("len", "range", "isinstance", "list", "tuple", "enumerate", "zip", "set", "dict", "sorted", "keys", "values", "items", "join", "tqdm",
     "zero_grad", "train", "get_lr", "get_last_lr", "state_dict")
)  # fmt: skip

NAMES: Final = VIEWS | PASSES | ON_HOST
