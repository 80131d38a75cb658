"""Parts of a tensor that are copied to be read once: logits without the last position, for a loss; a part, to be reduced.

    shift_logits = logits[..., :-1, :].contiguous()                   the logits of all positions but one, copied
    shift_labels = labels[..., 1:].contiguous()
    loss = F.cross_entropy(shift_logits.view(-1, n), shift_labels.view(-1))

What is copied is the largest tensor of a language model. The labels can be shifted alone: what stands at the last position is
then a label that the loss leaves out.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index import definitions

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_SHAPES: Final = frozenset(("view", "reshape", "flatten"))
_CASTS: Final = frozenset(("float", "to", "long", "contiguous"))
_ABOUT: Final = frozenset(("size", "shape", "device", "dtype", "dim", "ndim"))
"""What asks about a tensor and does not read it."""
_REDUCING: Final = frozenset(("argmax", "argmin", "max", "min", "amax", "amin", "sum", "mean", "any", "all", "topk"))
_DEEP: Final = 8
"""So many views and names are followed, one through the other."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Logits and labels of which one is shifted against the other for a loss."""

    logits: ast.expr
    labels: str
    """The labels from the second on, as text: `labels[..., 1:]`."""
    cut: ast.expr
    """The same where it stands, with the copy that is made of it."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A loss that a tensor is given to, and as which of its arguments."""

    loss: ast.Call
    place: int


def shift(facts: Facts, call: ast.Call, of: ast.expr) -> Shift | None:
    """The logits without the last position that a call copies, where nothing but a loss reads them, beside shifted labels."""
    module = facts.module
    if not isinstance(of, ast.Subscript) or not _leaves_out_last(of.slice):
        return None
    uses = _uses(module, call, _DEEP)
    if uses is None or len(uses) != 1 or uses[0].place != 0 or not _takes_mean(facts, uses[0].loss):
        return None
    found = _labels(module, _argument(uses[0].loss, 1, "target"))
    if found is None:
        return None
    labels, whole = found
    others = _uses(module, whole, _DEEP)
    if others != [_Use(uses[0].loss, 1)]:
        return None
    return Shift(of.value, ast.unparse(labels), whole)


def is_reduced(module: Module, call: ast.Call, of: ast.expr) -> bool:
    """Whether the part of a tensor that a call copies is reduced or compared, by whoever reads it, and nothing else."""
    if not isinstance(of, ast.Subscript) or not isinstance(of.slice, ast.Tuple):
        return False
    *before, last = of.slice.elts
    if not all(isinstance(each, (ast.Slice, ast.Constant)) for each in before) or not _is_whole(last):
        return False
    return all(_reduces(module, each) for each in _reads(module, call)) and bool(_reads(module, call))


def _reads(module: Module, node: ast.expr) -> list[ast.expr]:
    """What reads an expression: itself where it stands, or the reads of the name it is bound to."""
    match module.parents.get(node):
        case ast.Assign(targets=[ast.Name() as bound]):
            function = module.function_of(bound)
            if bound.id in function.inner_reads or bound.id in function.scope.outer:
                return []
            return [*definitions.reads_after(module, bound)]
    return [node]


def _reduces(module: Module, node: ast.expr) -> bool:
    above = module.parents.get(node)
    if isinstance(above, ast.Compare):
        return True
    if isinstance(above, ast.Attribute):
        if above.attr in _ABOUT:
            return True
        above = module.parents.get(above)
    found = operations.of(module, above)
    return found is not None and found.tensor is node and found.name in _REDUCING


def _leaves_out_last(index: ast.expr) -> bool:
    """Whether an index takes all but the last position: `[..., :-1, :]`, `[:, :-1, :]`, `[:, :-1]`."""
    match index:
        case ast.Tuple(elts=[first, ast.Slice(lower=None, upper=upper, step=None), *rest]):
            before = _is_whole(first) or (isinstance(first, ast.Constant) and first.value is ... and len(rest) == 1)
            return (
                before
                and upper is not None
                and ast.unparse(upper) == "-1"
                and len(rest) <= 1
                and all(map(_is_whole, rest))
            )
    return False


def _is_whole(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and index.lower is index.upper is index.step is None


def _uses(module: Module, node: ast.expr, deep: int) -> list[_Use] | None:
    """The calls that a tensor is given to, through views and names; None where anything else may read it."""
    above = module.parents.get(node)
    match above:
        case ast.Attribute(attr=attr) if attr in _ABOUT:
            return []
        case ast.Attribute(attr=attr):
            made = module.parents.get(above)
            if not isinstance(made, ast.Call) or made.func is not above or not deep or not _keeps_rows(made, attr):
                return None
            return _uses(module, made, deep - 1)
        case ast.Call(args=args) if node in args:
            return [_Use(above, args.index(node))]
        case ast.keyword(arg="input" | "target" as name):
            call = module.parents.get(above)
            return [_Use(call, ("input", "target").index(name))] if isinstance(call, ast.Call) else None
        case ast.Assign(targets=[ast.Name() as bound]) if deep:
            function = module.function_of(bound)
            if bound.id in function.inner_reads or bound.id in function.scope.outer:
                return None
            every = [_uses(module, read, deep - 1) for read in definitions.reads_after(module, bound)]
            return None if None in every else [each for found in every if found is not None for each in found]
    return None


def _keeps_rows(call: ast.Call, name: str) -> bool:
    """Whether a method gives all positions in one row, however many they are, or does not change the shape."""
    if name in _CASTS:
        return True
    first = call.args[0] if call.args else None
    if name == "flatten":
        return first is None or ast.unparse(first) == "0"
    return name in _SHAPES and first is not None and ast.unparse(first) == "-1"


def _takes_mean(facts: Facts, loss: ast.Call) -> bool:
    """Whether a call is of the cross entropy that leaves out what has the label -100, and gives one number."""
    found = operations.of(facts.module, loss)
    if found is not None and found.name == "cross_entropy":
        return not {"ignore_index", "reduction", "reduce", "size_average"} & set(found.named)
    made: ast.expr | None = loss.func
    if isinstance(made, ast.Name):
        made = definitions.definition(facts.module, made)
    if (
        not isinstance(made, ast.Call)
        or made.args
        or any(each.arg not in ("weight", "label_smoothing") for each in made.keywords)
    ):
        return False
    return bool(facts.analysis.value(loss.func, facts.module).ref == "torch.nn.CrossEntropyLoss")


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    named = next((each.value for each in call.keywords if each.arg == name), None)
    return call.args[place] if place < len(call.args) else named


def _labels(module: Module, node: ast.expr | None) -> tuple[ast.expr, ast.expr] | None:
    """The labels from the second on that an argument is a view of, and the same with its copy."""
    whole = node
    for _ in range(_DEEP):
        match node:
            case ast.Name():
                node = whole = definitions.definition(module, node)
            case ast.Call(func=ast.Attribute(value=of, attr=attr)) if attr in _CASTS or _keeps_rows(node, attr):
                node, whole = of, node if attr == "contiguous" else of
            case ast.Subscript(slice=ast.Tuple(elts=[first, ast.Slice(lower=lower, upper=None, step=None)])):
                is_all = _is_whole(first) or (isinstance(first, ast.Constant) and first.value is ...)
                if not is_all or lower is None or ast.unparse(lower) != "1" or whole is None:
                    return None
                return node, whole
            case _:
                return None
    return None
