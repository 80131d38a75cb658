"""What a file shows of the parameters of benches, where several of them ask.

    heads, width and length of attention    q.view(B, T, self.heads, 32).transpose(1, 2), dim_head ** -0.5, tril(ones(n, n))
    batches and workers of a loader         DataLoader(dataset, batch_size=64, num_workers=4)
    the precision of products               float32 where nothing in the file asks for less: that is torch's own

A name alone shows nothing; what cannot be worked out is left to the bench, which says that it assumes it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from torchperf_lint.facts.idioms import sizes
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    import libcst as cst

    from torchperf_lint.facts.facade import Facts

HEADS = ("h", "heads")
"""What `rearrange` is told."""


def precision(facts: Facts) -> Mapping[str, object]:
    return {} if facts.product_precision() == "half" else {"dtype": "float32"}


def loader(call: cst.Call, facts: Facts) -> Mapping[str, object]:
    names = {"batch_size": "batch", "num_workers": "workers"}
    given = {arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}
    told = {names[name]: facts.size(value) for name, value in given.items() if name in names}
    return {name: size.value for name, size in told.items() if size.known}


def attention(call: cst.Call, facts: Facts) -> Mapping[str, object]:
    """Heads, the width of one, and the length of sequences, as the class shows them in which a call stands."""
    return facts.ask(_attention, call)


def _attention(facts: Facts, call: ast.AST) -> dict[str, object]:
    function = facts.module.function_of(call)
    owner = function.method.owner if function.method is not None else None
    around = owner.node if owner is not None else function.node
    nodes = list(ast.walk(around))
    heads, width = _split(facts, nodes)
    width = width or _one(_under_root(facts, nodes))
    whole = _one(_inputs(facts, nodes))
    if width is None and heads is not None and whole is not None and whole % heads == 0:
        width = whole // heads
    found = {"heads": heads, "width": width, "length": _one(_triangles(facts, nodes))}
    return {name: size for name, size in found.items() if size is not None}


def _size(facts: Facts, node: ast.expr) -> int | None:
    found = sizes.size(facts.analysis, facts.module, node)
    return found.value if found.known else None


def _one(found: Iterator[int | None]) -> int | None:
    """The number on which all that is known agrees."""
    known = {size for size in found if size is not None}
    return known.pop() if len(known) == 1 else None


def _split(facts: Facts, nodes: list[ast.AST]) -> tuple[int | None, int | None]:
    """The heads into which a last dimension is split, and their width: sizes of a view whose dimensions then change places."""
    pairs = []
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Attribute(attr="view" | "reshape"), args=args), attr=moved) if (
                moved in ("transpose", "permute", "swapaxes")
            ):
                given = args[0].elts if len(args) == 1 and isinstance(args[0], (ast.Tuple, ast.List)) else args
                if len(given) in (4, 5):
                    pairs.append((_size(facts, given[-2]), _size(facts, given[-1])))
            case ast.Call(func=func, keywords=keywords) if last_name(func) == "rearrange":
                pairs += [(_size(facts, each.value), None) for each in keywords if each.arg in HEADS]
    heads, width = (_one(pair[side] for pair in pairs) for side in (0, 1))
    return heads, width if width is not None and width > 0 else None


def _under_root(facts: Facts, nodes: list[ast.AST]) -> Iterator[int | None]:
    """What scores are divided by the root of: the width of a head."""
    for node in nodes:
        match node:
            case ast.BinOp(left=left, op=ast.Pow(), right=right) if ast.unparse(right) in ("0.5", "-0.5"):
                yield _size(facts, left)
            case ast.Call(func=func, args=[of]) if last_name(func) in ("sqrt", "rsqrt"):
                yield _size(facts, of)


def _inputs(facts: Facts, nodes: list[ast.AST]) -> Iterator[int | None]:
    """What the linear layers take."""
    for node in nodes:
        if isinstance(node, ast.Call) and node.args and last_name(node.func) == "Linear":
            yield _size(facts, node.args[0])


def _triangles(facts: Facts, nodes: list[ast.AST]) -> Iterator[int | None]:
    """The sides of square masks that are made once: `torch.tril(torch.ones(n, n))`."""
    for node in nodes:
        match node:
            case ast.Call(func=func, args=[ast.Call(func=made, args=args), *_]) if last_name(func) in (
                "tril",
                "triu",
            ) and last_name(made) in ("ones", "full"):
                given = args[0].elts if args and isinstance(args[0], (ast.Tuple, ast.List)) else args
                sides = {_size(facts, each) for each in given[:2]}
                yield sides.pop() if len(given) >= 2 and len(sides) == 1 else None
