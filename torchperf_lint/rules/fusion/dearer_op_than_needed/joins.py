"""Tensors that are cut and joined again, or cut for one of their parts.

torch.stack(x.chunk(n, 0), 0)                    x.unflatten(0, (n, -1)): a view of what is there
torch.cat(x.unbind(0), 0)                        x.flatten(0, 1)
x.split(n, 1)[0]                                 x[:, :n]
torch.stack([x.index_select(1, i) for i in t])   x[:, t], in another order

To turn a tensor for a softmax and turn it back is no such form: along another dimension it took up to 25 times as long.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index.walk import walk
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form, Operation

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_CUTTING: Final = ("chunk", "split", "unbind")


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


def cut_for_part(facts: Facts, node: ast.AST) -> Form | None:
    """A tensor that is cut into parts of which one is taken: a slice is that part, and its gradient is not put together of all."""
    cut = operation.of(facts.module, node)
    above = facts.module.parents.get(node)
    if cut is None or not isinstance(above, ast.Subscript) or above.value is not node:
        return None
    if not isinstance(operation.number(facts, above.slice), int) or not isinstance(above.ctx, ast.Load):
        return None
    said = f"`{cut.name}` cuts the tensor into parts, and one is taken: a slice is that part alone"
    return Form(cut.call, said, None, cut.tensor, needs_many=True)


def selected_one_by_one(facts: Facts, node: ast.AST) -> Form | None:
    """Parts of one tensor that are copied one by one as indices say, and once more to be put together."""
    join = operation.of(facts.module, node)
    if join is None or join.name not in ("cat", "stack"):
        return None
    match operation.made(facts, join.tensor):
        case ast.ListComp(elt=taken, generators=[ast.comprehension(target=turn, ifs=[])]):
            selection = operation.of(facts.module, taken)
        case _:
            return None
    if selection is None or selection.name != "index_select":
        return None
    turning = {each.id for each in walk(turn) if isinstance(each, ast.Name)}
    if any(isinstance(each, ast.Name) and each.id in turning for each in walk(selection.tensor)):
        return None  # of another tensor at each turn
    said = f"each part is copied, and once more by `{join.name}`: one index takes them all at once"
    return Form(join.call, said, None, selection.tensor)
