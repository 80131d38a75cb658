"""Calls of which a part is thrown away: one of the two results of `max`, all but the first of a sort, the sum of a mask."""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.unread import is_never_read, reads
from torchperf_lint.facts.index.walk import end_of, place_of, says, walk
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form, Operation

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_SQUASHING: Final = ("softmax", "log_softmax", "sigmoid", "logsigmoid")
"""What does not change which element is the largest."""


_REDUCES_SINCE: Final = (1, 7)
_SHOWN: Final = 2
"""So many dimensions must be seen of a tensor of which little is known: most that are small show none."""


def half_of_max(facts: Facts, call: ast.AST) -> Form | None:
    """The largest elements, and where they are, of which one half is not used: `values, _ = x.max(1)`."""
    found = operation.of(facts.module, call)
    if found is None or found.name not in ("max", "min") or not _has_dimension(facts, found):
        return None
    whole, values, indices = _results(facts, found.call)
    if whole is None or values is None or indices is not None:
        return None
    cheap = f"a{found.name}"
    made = f"{operation.operand(found.tensor)}.{cheap}({found.settings})"
    said = f"`{found.name}` looks for the places too, and nobody reads them: `{cheap}` gives the values alone"
    least = 0 if _is_of_images(facts, found) else _SHOWN
    cure = made if isinstance(whole, ast.expr) else f"{values} = {made}"
    return Form(whole, said, cure, found.tensor, least, needs_many=True, since=_REDUCES_SINCE)


def _is_of_images(facts: Facts, found: Operation) -> bool:
    """Whether the dimension along which elements are taken shows that there are those of an image: `x.max(-3)`."""
    dim = operation.number(facts, found.given("dim", 0))
    return dim is not None and (dim >= 3 or dim <= -3)


def _has_dimension(facts: Facts, found: Operation) -> bool:
    """Whether the elements are taken along one dimension: not of all, nor of two tensors."""
    dim = found.given("dim", 0)
    return dim is not None and len(found.rest) + len(found.named) <= 2 and operation.number(facts, dim) is not None


def _results(facts: Facts, call: ast.Call) -> tuple[ast.expr | ast.stmt | None, str | None, str | None]:
    """What the two results of a call are used through, and the names of those that are read."""
    above = facts.module.parents.get(call)
    match above:
        case ast.Subscript(slice=ast.Constant(value=int(which))) if above.value is call and which in (0, 1):
            return (above, "value", None) if which == 0 else (above, None, "index")
        case ast.Attribute(attr="values" | "indices" as attr):
            return (above, "value", None) if attr == "values" else (above, None, "index")
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as first, ast.Name() as second])]):
            return above, _name_read(facts, first), _name_read(facts, second)
    return None, None, None


def _name_read(facts: Facts, name: ast.Name) -> str | None:
    """A name that a statement binds, if anybody reads it."""
    return None if is_never_read(facts.module, name) else name.id


def count_to_ask(facts: Facts, node: ast.AST) -> Form | None:
    """How many elements of a mask are set, only to ask whether any is: `(x > 1).sum() > 0`."""
    match node:
        case ast.Compare(left=ast.Call() as counted, ops=[op], comparators=[ast.Constant(value=0 | 1 as least)]):
            pass
        case _:
            return None
    found = operation.of(facts.module, counted)
    asks = (
        (isinstance(op, ast.Gt) and least == 0) or (isinstance(op, ast.GtE) and least == 1) or isinstance(op, ast.NotEq)
    )
    none = isinstance(op, ast.Eq) and least == 0
    if (
        found is None
        or found.name not in ("sum", "count_nonzero")
        or not (asks or none)
        or (least == 1 and not isinstance(op, ast.GtE))
    ):
        return None
    if "dtype" in found.named or (found.name == "count_nonzero" and found.rest):
        return None
    value = facts.analysis.value(found.tensor, facts.module)
    if value.kind != "tensor" or value.dtype != "bool":
        return None
    made = f"{operation.operand(found.tensor)}.any({found.settings})"
    said = "the elements are counted only to ask whether there is one: `any` stops at a bit"
    is_exact = value.sure.name == "PROVEN"
    return Form(node, said, made if asks else f"~{made}", found.tensor, _SHOWN, is_exact=is_exact, needs_many=True)


def squashed_to_compare(facts: Facts, call: ast.AST) -> Form | None:
    """A softmax of which only the place of the largest element is used: that of the logits is the same."""
    found = operation.of(facts.module, call)
    if found is None or found.name not in ("argmax", "max"):
        return None
    if found.name == "max" and (not _has_dimension(facts, found) or _results(facts, found.call)[1] is not None):
        return None
    if found.name == "max" and _results(facts, found.call)[0] is None:
        return None
    squashed = operation.of(facts.module, operation.made(facts, found.tensor))
    if squashed is None or squashed.name not in _SQUASHING:
        return None
    along, squashed_along = found.given("dim", 0), squashed.given("dim", 0)
    if squashed.name.endswith("softmax") and operation.number(facts, along) != operation.number(facts, squashed_along):
        return None
    if operation.number(facts, along) is None:
        return None
    is_direct = squashed.call is found.tensor
    said = f"`{squashed.name}` does not change which element is the largest: take that of its input"
    cure = ast.unparse(squashed.tensor) if is_direct else None
    return Form(found.tensor if is_direct else found.call, said, cure, squashed.tensor, _SHOWN, needs_many=True)


def sorted_for_part(facts: Facts, node: ast.AST) -> Form | None:
    """All elements are put in order, of which a few are used: `x.argsort(descending=True)[:k]`."""
    found = operation.of(facts.module, node)
    if found is None or found.name not in ("sort", "argsort") or found.named.keys() & {"stable"}:
        return None
    at: ast.AST = found.call
    if found.name == "sort":
        above = facts.module.parents.get(at)
        match above:
            case ast.Subscript(slice=ast.Constant(value=0 | 1)) | ast.Attribute(attr="values" | "indices"):
                at = above
            case _:
                return None
    taken = facts.module.parents.get(at)
    if (
        not isinstance(taken, ast.Subscript)
        or taken.value is not at
        or not operation.is_last(facts, found.given("dim", 0))
    ):
        return None
    count, descending = first_of(taken.slice), found.given("descending", 1)
    if count is None:
        return None
    falls = facts.analysis.value(descending, facts.module).const if descending is not None else False
    half = "1" if found.name == "argsort" else _half(at)
    tensor = operation.operand(found.tensor)
    most = f"min({ast.unparse(count)}, {tensor}.shape[-1])"  # a slice takes what is there, `topk` raises
    cure = f"{tensor}.topk({most}{'' if falls else ', largest=False'})[{half}]"
    is_plain = isinstance(falls, bool) and not is_negative(count) and not any(map(_is_call, ast.walk(found.tensor)))
    is_plain = (
        is_plain and facts.analysis.value(found.tensor, facts.module).dtype != "bool"
    )  # which `topk` does not take
    said = "all elements are put in order, and a part is used: `topk` looks for that part alone"
    return Form(taken, said, cure if is_plain else None, found.tensor)


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, (ast.Call, ast.NamedExpr))


def is_negative(count: ast.expr) -> bool:
    """`[:-1]` takes all but some."""
    return isinstance(count, ast.UnaryOp)


def _half(results: ast.AST) -> str:
    """Which of two results is taken, by its number."""
    match results:
        case ast.Subscript(slice=ast.Constant(value=which)):
            return str(which)
        case ast.Attribute(attr=name):
            return str(("values", "indices").index(name))
    return "0"


def first_of(index: ast.expr) -> ast.expr | None:
    """How many of the first elements along the last dimension an index takes: `[:k]`, `[..., :k]`, `[:, :k]`."""
    last = index
    if isinstance(index, ast.Tuple) and index.elts:
        *before, last = index.elts
        if not all(map(operation.is_whole, before)):
            return None
    return last.upper if isinstance(last, ast.Slice) and last.lower is None and last.step is None else None


def overwritten(facts: Facts, call: ast.AST) -> Form | None:
    """A tensor that is made and bound to a name, and the name is bound anew before anybody reads it."""
    above = facts.module.parents.get(call)
    match above:
        case ast.Assign(targets=[ast.Name(id=name)]) if isinstance(call, ast.Call):
            pass
        case _:
            return None
    place = inside.block_of(facts.module, above)
    function = facts.module.function_of(call)
    if place is None or name in function.scope.outer or name in function.inner_reads:
        return None
    following = _following(facts.module, place[0], above, name)
    if following is None or not _binds_first(facts, following, name):
        return None
    return Form(
        above,
        f"nobody reads the tensor that is made here: `{name}` is bound anew before that",
        "",
        call,
        needs_many=True,
    )


def _following(module: Module, block: inside.Block, statement: ast.stmt, name: str) -> ast.stmt | None:
    """The next statement of a block that names something."""
    named = _named(module, (module.function_of(statement), name))
    at = bisect_left(named, end_of(statement), key=lambda each: place_of(module.with_string(each)))
    node: ast.AST | None = named[at] if at < len(named) else None
    while node is not None:
        place = inside.block_of(module, node)
        if place is not None and place[0] is block:
            return block.statements[place[1]]
        node = module.parents.get(node)
    return None


@once
def _named(module: Module, asked: tuple[Function, str]) -> list[ast.Name]:
    """Where a function, or what stands in it, reads or binds a name, in the order of the source."""
    function, name = asked
    every = inside.names(module, function.node).get(name, [])
    return sorted(every, key=lambda each: place_of(module.with_string(each)))


def _names(statement: ast.stmt, name: str) -> list[ast.Name]:
    return [node for node in walk(statement) if isinstance(node, ast.Name) and node.id == name]


def _binds_first(facts: Facts, statement: ast.stmt, name: str) -> bool:
    """Whether a statement binds a name whatever comes, before it reads it; of a loop, nobody may read it behind."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=bound)], value=value):
            return bound == name and not says(value, name)
        case ast.For(target=target, iter=iterated, body=body, orelse=[]):
            if says(target, name) or says(iterated, name):
                return False
            first = next((each for each in body if _names(each, name)), None)
            read = reads(facts.module, (facts.module.function_of(statement), name))
            is_kept = bool(read) and read[-1] >= end_of(statement)
            return first is not None and not is_kept and _binds_first(facts, first, name)
    return False
