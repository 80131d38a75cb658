"""A wait right behind another one: the GPU is idle there but for a few small operations, so little is left to wait for.

    chosen = rows[mask]              the host waits for the number of rows
    logits[chosen] = -math.inf       and hardly for this
    writer.add_scalar("loss", loss.item())
    return loss.item()

Whoever mends the second alone gains next to nothing, whatever rule speaks of the first, and whether one does. A call of a
function of the file is asked how that ends: with a wait, with work for the GPU, or with neither all along. Knows the waits
of expressions and how statements follow each other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.context import compiled_calls
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.guesses import call_names
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import ClosedNode, end_of, last_name, walk
from torchperf_lint.facts.knowledge import light_operations
from torchperf_lint.facts.sync import host_wait

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

MOST: Final = 6
"""So many statements are looked at, from a wait upwards."""
LONGEST: Final = 30
"""Of functions with more statements nobody asks how they end."""

_PLAIN: Final = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Assert, ast.Pass)
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
DRAINING: Final[frozenset[str]] = frozenset(
    ("read", "truth", "shape", "scalar", "size", "index", "format", "copy", "sync")
)
"""Forms of waits that end when all that was queued is done."""
_OF_HOST: Final = frozenset(
    ("numpy", "math", "random", "os", "time", "copy", "collections", "itertools", "json", "logging")
)
"""Modules whose functions give the GPU nothing to do."""
_COPYING: Final = frozenset(("to", "cuda", "cpu", "numpy", "item", "tolist", "type_as"))
JUST: Final = "the host has just waited here, and little was queued since"
_DEEP: Final = 3
"""So many calls deep it is asked how a function ends."""
Ending = Literal["waited", "light", "busy"]
"""How code leaves the GPU: idle, for the host has just waited; as it found it but for a few small operations; or at work."""
_PERHAPS: Final = (ast.IfExp, ast.BoolOp, ast.comprehension, *ClosedNode)


@once
def before(analysis: Analysis, asked_of: tuple[Module, ast.AST, tuple[int, ...]]) -> Evidence | None:
    """The wait right above one, of which it is certain that control came through it."""
    module, node, target = asked_of
    statement = module.statement(node)
    if not is_light(analysis, module, getattr(node, "test", node), target):
        return None
    inner = _within(analysis, module, statement, node, target)
    if inner is not None:
        return Evidence(inner, JUST, module.path)
    for above, whole in _upwards(module, statement):
        ending, found = _ending(analysis, module, above, whole, target)
        if found is not None:
            return Evidence(found, JUST, module.path)
        if ending != "light":
            return None
    return None


def _ending(
    analysis: Analysis, module: Module, statement: ast.stmt, whole: ast.AST, target: tuple[int, ...], deep: int = _DEEP
) -> tuple[Ending, ast.AST | None]:
    """How a statement of which a part ran leaves the GPU, and the wait behind which that is idle."""
    part = asked(statement)
    if part is None:
        return "busy", None
    found = wait_in(analysis, module, (statement, *walk(part, into_scopes=False)), target)
    if found is None:
        calls = (each for each in walk(part, into_scopes=False) if isinstance(each, ast.Call))
        waiting = (each for each in calls if called(analysis, module, each, target, deep) == "waited")
        found = next((each for each in waiting if not _is_perhaps(module, each)), None)
    if found is None:
        return ("light" if is_light(analysis, module, whole, target, deep=deep) else "busy"), None
    behind = _arms(statement) if whole is statement else []
    if not all(is_light(analysis, module, each, target, deep=deep) for each in behind):
        return "busy", None  # `if found.any(): model(x)`
    if not is_light(analysis, module, part, target, apart=found, deep=deep):
        return "busy", None  # `model(x.cuda())`: the work comes behind the wait
    return "waited", found


def _arms(statement: ast.stmt) -> list[ast.stmt]:
    """What ran behind the condition of an `if` where control came past it."""
    arms = [statement.body, statement.orelse] if isinstance(statement, ast.If) else []
    return [each for arm in arms if arm and not isinstance(arm[-1], _LEAVING) for each in arm]


def called(analysis: Analysis, module: Module, call: ast.Call, target: tuple[int, ...], deep: int = _DEEP) -> Ending:
    """How a call leaves the GPU: of functions of the file, as all that it may run do. Another file is not looked into for that: what
    is found would stand on all of it."""
    found: set[Ending] = {
        _end(analysis, (function, target, deep - 1))[0] if function.module is module else "busy"
        for function in (_functions(analysis, module, call) if deep else ())
    }
    return found.pop() if len(found) == 1 else "busy"


def _functions(analysis: Analysis, module: Module, call: ast.Call) -> list[Function]:
    """The functions that a call runs, where the file defines one of that name."""
    if last_name(call.func) not in _defined(module, module.tree):
        return []
    return [function for function, _ in compiled_calls.run_by(analysis, module, call.func)]


@once
def _defined(module: Module, _: ast.Module) -> frozenset[str]:
    """The names of the functions that a file defines. To ask what a call runs takes longer, and most call none of them."""
    return frozenset(each.name for each in module.functions.values())


def within(analysis: Analysis, module: Module, call: ast.Call, target: tuple[int, ...]) -> ast.AST | None:
    """The wait with which the one function ends that a call runs, where that stands in the same file."""
    found = _functions(analysis, module, call)
    return _end(analysis, (found[0], target, _DEEP - 1))[1] if len(found) == 1 and found[0].module is module else None


@once
def _end(analysis: Analysis, asked_of: tuple[Function, tuple[int, ...], int]) -> tuple[Ending, ast.AST | None]:
    """How a function leaves the GPU, from its last statement upwards, and the wait behind which that is idle."""
    function, target, deep = asked_of
    node, module = function.node, function.module
    if not isinstance(node, ast.FunctionDef) or function.is_generator or len(node.body) > LONGEST:
        return "busy", None
    body = _unfolded(node.body)
    inner = {
        id(each) for statement in body for each in walk(statement, into_scopes=False) if isinstance(each, ast.Return)
    }
    for statement in reversed(body):
        inner.discard(id(statement))
        ending, found = _ending(analysis, module, statement, statement, target, deep)
        if ending == "waited" and inner:
            return "busy", None  # control may have left before
        if ending != "light":
            return ending, found
    return "light", None


def _unfolded(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements, those of `with torch.no_grad():` in its place."""
    found: list[ast.stmt] = []
    for each in body:
        found += _unfolded(each.body) if isinstance(each, ast.With) else [each]
    return found


def _within(
    analysis: Analysis, module: Module, statement: ast.stmt, node: ast.AST, target: tuple[int, ...]
) -> ast.AST | None:
    """The wait in the statement of one that comes before it: `(y == label.to(device)).sum().item()`."""
    part = asked(statement)
    if part is None or not isinstance(node, ast.expr):
        return None
    earlier = (each for each in walk(part, into_scopes=False) if end_of(each) < end_of(node))
    found = wait_in(analysis, module, (each for each in earlier if not _may_stay(analysis, module, each)), target)
    return found if found is not None and is_light(analysis, module, part, target, apart=found) else None


def _may_stay(analysis: Analysis, module: Module, node: ast.AST) -> bool:
    """Whether a move may find its tensor on the GPU already: `x.cuda()` of a parameter from out of sight."""
    match node:
        case ast.Call(func=ast.Attribute(value=moved, attr="to" | "cuda")):
            return not analysis.value(moved, module).on_host
    return False


def _upwards(module: Module, statement: ast.stmt) -> Iterator[tuple[ast.stmt, ast.AST]]:
    """The statements that ran right before one, the last first, each with what of it ran; then the `if` that it stands in, of
    which that is the condition."""
    at: ast.AST | None = statement
    left = MOST
    while isinstance(at, ast.stmt) and left > 0:
        place = inside.block_of(module, at)
        if place is None:
            return
        for each in reversed(place[0].statements[max(0, place[1] - left) : place[1]]):
            yield each, each
            left -= 1
        at = module.parents.get(at)
        if not isinstance(at, ast.If):
            return
        yield at, at.test
        left -= 1


def asked(statement: ast.stmt) -> ast.AST | None:
    """What of a statement runs in any case; None for a loop, and what else nobody sees through."""
    if isinstance(statement, ast.If):
        return statement.test
    return statement if isinstance(statement, _PLAIN) else None


def wait_in(
    analysis: Analysis, module: Module, nodes: Iterable[ast.AST], target: tuple[int, ...], of: Set[str] = DRAINING
) -> ast.AST | None:
    """The one of some nodes that makes the host wait until all is done, in one of these forms, and runs in any case."""
    for node in nodes:
        if isinstance(node, _PERHAPS) or not isinstance(node, (ast.expr, ast.Assert, ast.If)):
            continue
        found = host_wait.wait(analysis, module, node, target)
        if found.known and found.value.form in of and not _is_perhaps(module, node):
            return node
    return None


def _is_perhaps(module: Module, node: ast.AST) -> bool:
    """Whether a part of a statement may be passed by."""
    for above in () if isinstance(node, ast.stmt) else module.ancestors(node):
        if isinstance(above, ast.stmt):
            return False
        if isinstance(above, _PERHAPS):
            return True
    return False


def is_light(
    analysis: Analysis,
    module: Module,
    code: ast.AST,
    target: tuple[int, ...],
    *,
    apart: ast.AST | None = None,
    deep: int = _DEEP,
) -> bool:
    """Whether code queues no more than a few small operations, what stands in one node of it apart."""
    passed = set(walk(apart)) if apart is not None and apart is not code else frozenset[ast.AST]()
    if isinstance(code, ast.stmt) and not isinstance(code, (*_PLAIN, ast.If)):
        return False
    for node in walk(code):
        match node:
            case _ if node in passed:
                continue
            case ast.Call(func=func):
                name = last_name(func)
                is_light = (
                    name in light_operations.NAMES or call_names.queues_nothing(name) or _is_of_host(module, node)
                )
                if not is_light and called(analysis, module, node, target, deep) == "busy":
                    return False
            case ast.BinOp(op=ast.MatMult()) | ast.For() | ast.While() | ast.With() | ast.Await():
                return False
    return True


def _is_of_host(module: Module, call: ast.Call) -> bool:
    """Whether a call is of a module whose functions give the GPU nothing to do, or a copy from or to it alone."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _COPYING:
        return True
    return (names.dotted(module.function_of(call), call.func) or "").partition(".")[0] in _OF_HOST
