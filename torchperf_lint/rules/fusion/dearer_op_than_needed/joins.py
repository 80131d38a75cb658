"""Tensors that are cut and joined again, or turned for an operation and turned back.

torch.stack(x.chunk(n, 0), 0)                    x.unflatten(0, (n, -1)): a view of what is there
torch.cat(x.unbind(0), 0)                        x.flatten(0, 1)
x.t().softmax(1).t()                             x.softmax(0)
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form, Operation

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_CUTTING: Final = ("chunk", "split", "unbind")
_ALONG: Final = ("softmax", "log_softmax", "cumsum", "normalize")
"""Operations along a dimension that give as many elements as they were given."""
_TURNING: Final = ("t", "transpose", "swapaxes", "swapdims")


def joined_again(facts: Facts, node: ast.AST) -> Form | None:
    """Parts of one tensor that are put together in the order in which they were cut: a copy where a view would do."""
    join = operation.of(facts.module, node)
    cut = operation.of(facts.module, operation.made(facts, join.tensor)) if join is not None else None
    if join is None or cut is None or join.name not in ("cat", "stack") or cut.name not in _CUTTING:
        return None
    along, cut_along = _dimension(facts, join, 0), _dimension(facts, cut, int(cut.name != "unbind"))
    if along is None or along != cut_along or along < 0:
        return None
    said = (
        f"`{cut.name}` cuts the tensor and `{join.name}` copies the parts together as they were: a view shows the same"
    )
    return Form(join.call, said, _view(facts, join, cut, along), cut.tensor)


def _dimension(facts: Facts, found: Operation, place: int) -> int | float | None:
    """The dimension that an operation is told, or the first."""
    dim = found.given("dim", place)
    return 0 if dim is None else operation.number(facts, dim)


def _view(facts: Facts, join: Operation, cut: Operation, along: float) -> str | None:
    """The view that parts of a tensor, joined again, are."""
    tensor = operation.operand(cut.tensor)
    match cut.name, join.name:
        case ("unbind", "stack") | ("chunk" | "split", "cat"):
            return tensor
        case "unbind", "cat":
            return f"{tensor}.flatten({along}, {int(along) + 1})"
    parts = cut.given("chunks" if cut.name == "chunk" else "split_size_or_sections", 0)
    if parts is None or facts.analysis.value(parts, facts.module).kind != "number":
        return None
    sizes = f"({ast.unparse(parts)}, -1)" if cut.name == "chunk" else f"(-1, {ast.unparse(parts)})"
    return f"{tensor}.unflatten({along}, {sizes})"


def turned_and_back(facts: Facts, node: ast.AST) -> Form | None:
    """An operation along a dimension that is turned to the end for it, and turned back: it takes any dimension."""
    back = operation.of(facts.module, node)
    found = operation.of(facts.module, operation.made(facts, back.tensor)) if back is not None else None
    if back is None or found is None or found.name not in _ALONG:
        return None
    turn = operation.of(facts.module, operation.made(facts, found.tensor))
    axes = _axes(facts, back)
    if turn is None or axes is None or axes != _axes(facts, turn):
        return None
    along = operation.number(facts, found.given("dim", int(found.name == "normalize")))
    other = next((each for each in axes if each != along), None)
    if along not in axes or other is None or min(axes) < 0 < max(axes) or set(found.named) - {"dim"}:
        return None
    if len(found.rest) > 1 or found.name == "normalize":
        cure = None
    else:
        home = ast.unparse(found.call.func) if found.call.args[:1] == [found.tensor] else None
        tensor = operation.operand(turn.tensor)
        cure = f"{home}({ast.unparse(turn.tensor)}, dim={other})" if home else f"{tensor}.{found.name}(dim={other})"
    said = f"the tensor is turned for `{found.name}`, which copies it, and turned back: it takes any `dim`"
    return Form(back.call, said, cure, turn.tensor)


def _axes(facts: Facts, turn: Operation) -> frozenset[int | float] | None:
    """The two dimensions that are exchanged."""
    if turn.name not in _TURNING:
        return None
    if turn.name == "t":
        return frozenset((0, 1))
    given = [operation.number(facts, turn.given(name, place)) for place, name in enumerate(("dim0", "dim1"))]
    known = frozenset(each for each in given if each is not None)
    return known if len(known) == 2 else None
