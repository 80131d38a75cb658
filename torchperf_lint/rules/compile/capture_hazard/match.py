"""What a CUDA graph cannot capture, or does not do again when it is replayed."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from torchperf_lint.facts.context import captured, compiled
from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.index import blocks, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_FAILING: Final = ("read", "truth", "shape", "size", "index", "format", "library", "sync")
"""Forms of waits that end a capture: torch's notes on CUDA graphs prohibit all that synchronises the host with the GPU."""
_DRAWING: Final = ("random.", "numpy.random.")
_GRAPHED: Final = ("reduce-overhead", "max-autotune")
"""Modes of `torch.compile` that replay CUDA graphs."""
_CLOCKS: Final = ("time.time", "time.perf_counter", "time.monotonic", "time.time_ns")


@dataclass(frozen=True, slots=True)
class Hazard:
    """What goes wrong at a node."""

    kind: Literal["wait", "copy", "once", "kept", "bound"]
    says: str
    shown: ast.AST
    because: tuple[Fact[Any], ...] = ()


def may_capture(facts: Facts) -> bool:
    return captured.may_be(facts.module) or _may_replay(facts.module)


def is_hazard(facts: Facts, node: ast.AST) -> bool:
    return found(facts, node) is not None


def found(facts: Facts, node: ast.AST) -> Hazard | None:
    """What goes wrong at a node; None where nothing is known to."""
    where = captured.where(facts.analysis, facts.module, node)
    if where.known:
        return _captured(facts, node, where)
    match node:
        case ast.Call(func=ast.Attribute(attr="append"), args=[given]):
            return _kept(facts.module, node, given) or _kept_of_compiled(facts, node, given)
        case ast.Assign(targets=[ast.Name() as target]):
            return _bound(facts.module, target)
    return None


def _captured(facts: Facts, node: ast.AST, where: Fact[ast.AST]) -> Hazard | None:
    wait = facts.wait_at(node)
    if wait.known and facts.off_at(node) is None:
        if wait.value.form in _FAILING:
            return Hazard("wait", wait.value.says, node, (where, wait))
        if wait.value.form == "copy" and wait.proven:
            return Hazard("copy", "", node, (where, wait))
    if isinstance(node, ast.Call):
        name = names.dotted(facts.module.function_of(node), node.func) or ""
        if name.startswith(_DRAWING) or name in _CLOCKS:
            return Hazard("once", name, node, (where,))
    return None


# ---- where the graph is replayed


def _kept(module: Module, node: ast.Call, given: ast.expr) -> Hazard | None:
    """`outs.append(y)` beside `graph.replay()`: each item is the one tensor that every replay writes."""
    match given:
        case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="detach")):
            kept = name
        case ast.Name():
            kept = given
        case _:
            return None
    stores = _stores(module, kept)
    is_output = len(stores) == 1 and captured.context_of(module, stores[0]) is not None
    return Hazard("kept", kept.id, node) if is_output and _replays_beside(module, node) else None


def _may_replay(module: Module) -> bool:
    """Whether a file may compile with CUDA graphs, by its words."""
    return "compile" in module.names and "mode" in module.keywords and "append" in module.calls


def _kept_of_compiled(facts: Facts, node: ast.Call, given: ast.expr) -> Hazard | None:
    """`outs.append(net(x))` of what `mode="reduce-overhead"` compiles: the next call writes where this output is."""
    module = facts.module
    if not _may_replay(module):
        return None
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "detach":
        given = given.func.value
    made = given
    if isinstance(given, ast.Name):
        match [module.parents.get(each) for each in _stores(module, given)]:
            case [ast.Assign(targets=[ast.Name()], value=value)]:
                made = value
            case _:
                return None
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name) or not _is_one_loop(module, node, made):
        return None
    return Hazard("kept", ast.unparse(given), node) if _replays(module, made.func) else None


def _is_one_loop(module: Module, node: ast.AST, made: ast.AST) -> bool:
    """Whether something is made and kept in the same turn of a loop."""
    loop = blocks.loop(module, node)
    return loop is not None and blocks.loop(module, made) is loop


def _replays(module: Module, name: ast.Name) -> bool:
    """Whether a name is bound once, to what `torch.compile` gives in a mode with CUDA graphs."""
    made = compiled.made(module, name)
    given = made.keywords if isinstance(made, ast.Call) else []
    mode = next((each.value for each in given if each.arg == "mode"), None)
    return isinstance(mode, ast.Constant) and mode.value in _GRAPHED


def _bound(module: Module, target: ast.Name) -> Hazard | None:
    """`x = batch` beside `graph.replay()`, where the graph read another `x`."""
    if not _replays_beside(module, target):
        return None
    is_input = _is_read_by_graph_alone(module, (module.function_of(target), target.id))
    return Hazard("bound", target.id, target) if is_input and len(_stores(module, target)) > 1 else None


@once
def _is_read_by_graph_alone(module: Module, asked: tuple[Function, str]) -> bool:
    """Whether a graph reads a name of a function that is bound outside of it, and nothing else beside its replay does."""
    function, name = asked
    loads, stores = function.scope.loads.get(name, ()), function.scope.stores.get(name, ())
    is_input = any(captured.context_of(module, each) is not None for each in loads)
    is_read_else = any(captured.context_of(module, each) is None and _replays_beside(module, each) for each in loads)
    return is_input and not is_read_else and all(captured.context_of(module, each) is None for each in stores)


def _stores(module: Module, name: ast.Name) -> list[ast.AST]:
    return module.function_of(name).scope.stores.get(name.id, [])


def _replays_beside(module: Module, node: ast.AST) -> bool:
    """Whether the innermost loop around a node replays a graph, in its own function."""
    loop = next((each for each in module.ancestors(node) if isinstance(each, LOOPS)), None)
    return loop is not None and module.function_of(loop) is module.function_of(node) and _replays_in(module, loop)


@once
def _replays_in(module: Module, loop: ast.AST) -> bool:
    replays = (call for call in module.calls.get("replay", ()) if not call.args and not call.keywords)
    return any(_runs_in(module, call, loop) for call in replays)


def _runs_in(module: Module, call: ast.Call, loop: ast.AST) -> bool:
    """Whether a call stands in the body of a loop, or of one in there."""
    at = blocks.loop(module, call)
    while at is not None and at is not loop:
        at = blocks.loop(module, at)
    return at is not None
