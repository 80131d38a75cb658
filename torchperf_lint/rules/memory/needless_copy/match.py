"""Copies that the next operation does not need: what is spread out, transposed, a part, or held by nobody else."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import comment_words as comment_words
from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index import definitions
from torchperf_lint.rules.memory.needless_copy import fresh, slices, unwritten
from torchperf_lint.rules.memory.needless_copy.slices import Shift

__all__ = ["Copy", "Shift", "copy", "makes_copy"]

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_PRODUCTS: Final = ("matmul", "mm", "bmm", "einsum", "baddbmm", "linear", "addmm")
_READERS: Final = frozenset((*_PRODUCTS, "where", "gather", "mul", "add", "sub", "div", "maximum", "minimum"))
"""Operations that read their operands wherever they lie, and give a tensor of their own; `cat`, which does too, gained no time."""
_TRANSPOSING: Final = ("t", "transpose", "swapaxes", "mT")


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy, and what does without."""

    of: ast.expr
    said: str
    cure: str
    shift: Shift | None = None
    """The labels that are padded where logits are no longer cut."""


def copy(facts: Facts, call: ast.AST) -> Copy | None:
    """The needless copy that a call makes."""
    match call:
        case ast.Call(func=ast.Attribute(value=of, attr="repeat" | "tile"), keywords=[]):
            return _spread(facts, call, of)
        case ast.Call(func=ast.Attribute(value=of, attr="contiguous"), args=[], keywords=[]):
            return _transposed(facts, call, of) or _part(facts, call, of)
        case ast.Call(func=ast.Attribute(value=of, attr="clone"), args=[], keywords=[]) if fresh.is_copied(facts, of):
            return Copy(
                of, "`clone` copies what nobody else holds: an operation has just made it", operations.operand(of)
            )
        case ast.Call(func=ast.Attribute(value=of, attr="clone"), args=[], keywords=[]) if unwritten.is_needless(
            facts, call, of
        ):
            said = "`clone` gives a second name its own memory, and nobody writes to either"
            return Copy(of, said, operations.operand(of))
    return None


def makes_copy(facts: Facts, call: ast.AST) -> bool:
    return copy(facts, call) is not None


def _spread(facts: Facts, call: ast.Call, of: ast.expr) -> Copy | None:
    """`x.unsqueeze(1).repeat(1, n, 1)`: nothing but the new dimension of one element is repeated."""
    module = facts.module
    counts = call.args[0].elts if len(call.args) == 1 and isinstance(call.args[0], (ast.Tuple, ast.List)) else call.args
    repeated = [number for number, each in enumerate(counts) if not _is_one(each)]
    made = _new_dimension(of, len(counts))
    if made is None or repeated != [made] or any(isinstance(each, ast.Starred) for each in counts):
        return None
    rank = facts.analysis.value(of, module).rank
    if rank not in (None, len(counts)) or not _is_only_read(module, call):
        return None  # more counts than dimensions: they count from the last one
    sizes = ", ".join(ast.unparse(each) if number == made else "-1" for number, each in enumerate(counts))
    name = call.func.attr if isinstance(call.func, ast.Attribute) else "repeat"
    said = f"`{name}` copies a dimension of one element: `expand` shows it to the next operation without a copy"
    return Copy(of, said, f"{operations.operand(of)}.expand({sizes})")


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _new_dimension(of: ast.expr, rank: int) -> int | None:
    """Which of so many dimensions an expression has just made: `x.unsqueeze(1)`, `x[:, None]`."""
    match of:
        case ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[ast.Constant(value=int(at))], keywords=[]):
            return at
        case ast.Call(
            func=ast.Attribute(attr="unsqueeze"),
            args=[ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(behind)))],
            keywords=[],
        ):
            return rank - behind
        case ast.Call(func=ast.Attribute(attr="view" | "reshape"), args=[*sizes], keywords=[]) if len(sizes) == rank:
            ones = [number for number, each in enumerate(sizes) if _is_one(each)]
            return ones[0] if len(ones) == 1 else None
        case ast.Subscript(slice=ast.Constant(value=None)):
            return 0
        case ast.Subscript(slice=ast.Tuple(elts=parts)):
            new = [number for number, each in enumerate(parts) if isinstance(each, ast.Constant) and each.value is None]
            others = [each for number, each in enumerate(parts) if number not in new]
            is_plain = all(
                isinstance(each, ast.Slice) and each.lower is each.upper is each.step is None for each in others
            )
            return new[0] if len(new) == 1 and is_plain else None
    return None


def _is_only_read(module: Module, node: ast.expr) -> bool:
    """Whether operations that read it where it lies are all that an expression goes to, itself or by a name."""
    if _is_read(module, node):
        return True
    match module.parents.get(node):
        case ast.Assign(targets=[ast.Name() as bound]):
            function = module.function_of(bound)
            every = function.scope.loads.get(bound.id, ())
            reads = definitions.reads_after(module, bound)
            is_whole = len(reads) == len(every) and len(function.scope.stores.get(bound.id, ())) == 1
            return (
                is_whole
                and bool(reads)
                and bound.id not in function.inner_reads
                and all(_is_read(module, each) for each in reads)
            )
    return False


def _is_read(module: Module, node: ast.expr) -> bool:
    """Whether an operation reads an operand where it lies."""
    above = module.parents.get(node)
    if isinstance(above, (ast.List, ast.Tuple)):
        node, above = above, module.parents.get(above)
    if isinstance(above, ast.BinOp):
        return isinstance(above.op, (ast.Add, ast.Sub, ast.Mult, ast.Div))
    if isinstance(above, ast.Compare):
        return len(above.ops) == 1 and not isinstance(above.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn))
    if isinstance(above, ast.Attribute):
        called = module.parents.get(above)
        return (
            isinstance(called, ast.Call)
            and called.func is above
            and above.attr in ("gather", "mul", "add", "sub", "div")
        )
    if not isinstance(above, (ast.Call, ast.keyword)):
        return False
    call = above if isinstance(above, ast.Call) else module.parents.get(above)
    found = operations.of(module, call)
    if found is None or found.name not in _READERS:
        return False
    return not (isinstance(above, ast.keyword) and above.arg == "out")


def _transposed(facts: Facts, call: ast.Call, of: ast.expr) -> Copy | None:
    """`a @ b.transpose(-2, -1).contiguous()`: products read transposed factors as they lie."""
    match of:
        case ast.Call(func=ast.Attribute(attr=name), args=args) if name in _TRANSPOSING:
            last = {operations.number(facts.analysis, facts.module, each) for each in args}
            if name != "t" and last != {-1, -2}:
                return None
        case ast.Attribute(attr="mT" | "T"):
            pass
        case _:
            return None
    if not _is_factor(facts.module, call):
        return None
    return Copy(
        of, "a product reads a transposed factor as it lies: `contiguous` copies it for nothing", ast.unparse(of)
    )


def _part(facts: Facts, call: ast.Call, of: ast.expr) -> Copy | None:
    """A part of a tensor that is copied for a loss, or to be reduced."""
    shift = slices.shift(facts, call, of)
    if shift is not None:
        said = "logits are copied to leave out a position: shift the labels alone, and give that an ignored one"
        return Copy(shift.logits, said, ast.unparse(shift.logits), shift)
    if not slices.is_reduced(facts.module, call, of):
        return None
    return Copy(
        of,
        "a part that is reduced or compared is read as it lies: `contiguous` copies it for nothing",
        ast.unparse(of),
    )


def _is_factor(module: Module, node: ast.expr) -> bool:
    above = module.parents.get(node)
    if isinstance(above, ast.BinOp):
        return isinstance(above.op, ast.MatMult)
    found = operations.of(module, above)
    return (
        found is not None
        and found.name in ("matmul", "mm", "bmm", "linear")
        and (found.tensor is node or node in found.rest)
    )
