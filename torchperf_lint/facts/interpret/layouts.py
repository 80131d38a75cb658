"""The layout of sparse tensors: which are of coordinates (COO), and whether these are in order, as `ref` of a tensor says.

adjacency = torch.sparse_coo_tensor(indices, values, size)     not coalesced
adjacency = adjacency.coalesce().cuda()                        coalesced
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.knowledge import sparse_layouts

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


def made(run: Run, node: ast.AST, name: str, args: Args, value: Value | None) -> Value | None:
    """What a function of torch gives, with its layout."""
    if value is None or value.kind != "tensor" or not sparse_layouts.makes(name):
        return value
    in_order = args.named.get("is_coalesced")
    is_open = in_order is None or in_order.const is False
    layout = sparse_layouts.UNCOALESCED if is_open else sparse_layouts.COALESCED
    return value.but(ref=layout, why=run.why(node, f"`{name}` gives a matrix of coordinates (COO)"))


def kept(name: str, receiver: Value, value: Value) -> Value:
    """What a method of a tensor gives, with its layout."""
    layout = sparse_layouts.after(name, receiver.ref)
    return value if layout is None or value.kind != "tensor" else value.but(ref=layout)
