"""Copies to the host that nobody waits for, and the host reading what they bring: a race.

    y = x.to("cpu", non_blocking=True)      queued; the memory of `y` is not written yet
    print(y.sum())                          read: whatever was there before

A read is a race if nothing between the copy and it waits for the GPU. Any call between that is not known may wait, so it
is taken to do so. Knows the source's order of statements, not all ways through it.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, walk
from torchperf_lint.facts.knowledge import python_functions

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_VIEWS: Final = frozenset(
    (
        "detach",
        "view",
        "reshape",
        "squeeze",
        "unsqueeze",
        "flatten",
        "t",
        "transpose",
        "permute",
        "expand",
        "view_as",
        "narrow",
        "numpy",
    )
)
"""What gives the same memory, and reads none of it."""
_READING: Final = frozenset(
    "item tolist sum mean max min argmax argmin any all float double long int bool half clone softmax sigmoid abs sqrt exp "
    "log round topk sort cumsum nonzero unique norm std var add sub mul div copy astype tobytes".split()
)
_READING_FUNCTIONS: Final = frozenset(
    f"torch.{name}"
    for name in "save cat stack sum mean max min argmax argmin softmax sigmoid where equal allclose topk sort abs sqrt exp log "
    "clamp clip add sub mul div relu".split()
)
_LOOKING_ON: Final = frozenset(
    f"numpy.{name}" for name in "asarray shape ndim size squeeze reshape ravel transpose".split()
)
"""Functions of NumPy that give the same memory, or only its shape."""
_READING_BUILTINS: Final = (python_functions.ALL - {"range"}) | {"list", "sum"}
_WAITING: Final = frozenset(("synchronize", "wait", "query", "barrier", "join", "result"))
_HARMLESS: Final = frozenset(
    ("builtins.range", "builtins.len", "builtins.enumerate", "builtins.zip", "builtins.isinstance")
)


def may_be_early(facts: Facts, node: ast.AST) -> bool:
    """Whether a copy may come after the host has read what it brings."""
    is_flagged = isinstance(node, ast.Call) and any(keyword.arg == "non_blocking" for keyword in node.keywords)
    return is_flagged and early_read(facts, node).known


def early_read(facts: Facts, copy: ast.AST) -> Fact[bool]:
    """Whether the host reads what a copy to the host brings, and nothing between the two waits for the copy."""
    assert isinstance(copy, ast.Call)
    read = _early_read(facts, facts.module, copy)
    if read is None:
        return Fact(UNKNOWN)
    return Fact(True, Sure.LIKELY, (Evidence(read, "read here, and nothing waits for the copy before"),))


def _early_read(facts: Facts, module: Module, copy: ast.Call) -> ast.AST | None:
    """The read of what a copy brings, on the host, before anything waits for the copy."""
    at = _read(module, copy)
    if at is not None:
        return at
    held = _holder(module, copy)
    if held is None:
        return None
    for load in (
        definitions.reads_after(module, held) if isinstance(held.ctx, ast.Store) else _loads_behind(module, held, copy)
    ):
        at = _read(module, load)
        if at is not None:
            return None if _may_wait(facts, module, copy, load) else at
    return None


def _holder(module: Module, copy: ast.Call) -> ast.Name | None:
    """The name that holds what a copy brings: that of `y = x.to("cpu")`, and of `y.copy_(x)`."""
    if isinstance(copy.func, ast.Attribute) and copy.func.attr == "copy_":
        return copy.func.value if isinstance(copy.func.value, ast.Name) else None
    at: ast.AST | None = copy
    while isinstance(view := module.parents.get(at), ast.Attribute) and view.attr in _VIEWS:  # type: ignore[arg-type]
        at = module.parents.get(view)
    match module.parents.get(at) if at is not None else None:
        case ast.Assign(targets=[ast.Name() as name]):
            return name
    return None


def _loads_behind(module: Module, held: ast.Name, copy: ast.Call) -> list[ast.Name]:
    """The reads of a name behind a call, up to where it is bound anew."""
    scope = module.function_of(held).scope
    end = end_of(copy)
    stop = min((place_of(store) for store in scope.stores.get(held.id, ()) if place_of(store) >= end), default=None)
    return [
        load
        for load in scope.loads.get(held.id, ())
        if place_of(load) >= end and (stop is None or place_of(load) < stop)
    ]


def _read(module: Module, node: ast.expr) -> ast.AST | None:
    """What reads the values of an expression, or of a view of it, on the host."""
    above = module.parents.get(node)
    match above:
        case ast.Attribute(attr=attr):
            call = module.parents.get(above)
            if not isinstance(call, ast.Call) or call.func is not above:
                return _read(module, above) if attr == "T" else None
            if attr in _VIEWS:
                return _read(module, call)
            return call if attr in _READING else None
        case ast.Subscript(value=value, ctx=ast.Load()) if value is node:
            return _read(module, above)
        case ast.BinOp() | ast.UnaryOp() | ast.FormattedValue():
            return above
        case ast.Compare(ops=ops) if not any(isinstance(op, (ast.Is, ast.IsNot)) for op in ops):
            return above
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test) if test is node:
            return node
        case ast.Call(func=func) if func is not node:
            name = names.dotted(module.function_of(above), func) or ""
            is_builtin = isinstance(func, ast.Name) and func.id in _READING_BUILTINS
            of_numpy = name.startswith("numpy.") and name not in _LOOKING_ON
            return above if is_builtin or name in _READING_FUNCTIONS or of_numpy else None
    return None


def _may_wait(facts: Facts, module: Module, copy: ast.Call, load: ast.Name) -> bool:
    """Whether anything between a copy and a read may wait for the GPU."""
    places, nodes = _by_place(module, module.function_of(copy).node)
    for node in nodes[bisect_left(places, end_of(copy)) : bisect_left(places, place_of(load))]:
        if isinstance(node, ast.Call) and any(each is load for each in ast.walk(node)):
            continue  # it is called with what is read
        if isinstance(node, ast.Call) and not _is_harmless(facts.analysis, module, node, copy):
            return True
        if isinstance(node, (ast.expr, ast.comprehension, ast.stmt)) and facts.wait_at(node).known:
            return True
    return False


@once
def _by_place(_: Module, function: ast.AST) -> tuple[list[tuple[int, int]], list[ast.AST]]:
    """Where the nodes of a function start, and the nodes, both in the order of the source."""
    nodes = sorted(walk(function), key=place_of)
    return [place_of(each) for each in nodes], nodes


def _is_harmless(analysis: Analysis, module: Module, call: ast.Call, copy: ast.Call) -> bool:
    """Whether a call is known, and known not to wait."""
    if last_name(call.func) in _WAITING:
        return False
    function = module.function_of(call)
    name = names.dotted(function, call.func) or (f"builtins.{call.func.id}" if isinstance(call.func, ast.Name) else "")
    if name in _HARMLESS or name.startswith(("numpy.", "math.", "time.")) or knowledge.function(name):
        return True
    if name == "builtins.print" or (isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "copy_")):
        return True
    if isinstance(call.func, ast.Attribute):
        receiver = analysis.value(call.func.value, module)
        return receiver.kind == "tensor" or any(inner is copy for inner in ast.walk(call))
    return False
