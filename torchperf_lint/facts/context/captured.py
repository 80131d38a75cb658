"""What a CUDA graph captures: the body of `with torch.cuda.graph(g):`, what `make_graphed_callables` is given, and what those call.

with torch.cuda.graph(graph):
    loss = step(x)                   the line, and all of `step`
if not torch.cuda.is_current_stream_capturing(): ...        never
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import compiled_calls, gates
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import ClosedNode, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_CONTEXTS: Final = ("torch.cuda.graph", "torch.cuda.graphs.graph")
_MAKERS: Final = ("torch.cuda.make_graphed_callables", "torch.cuda.graphs.make_graphed_callables")
_ASKED: Final = "is_current_stream_capturing"
_MOST: Final = 500
"""So many functions are looked into, from all that a file captures."""


def may_be(module: Module) -> bool:
    """Whether a file may capture anything, by its words."""
    return "cuda" in module.names and ("graph" in module.names or "make_graphed_callables" in module.names)


def where(analysis: Analysis, module: Module, node: ast.AST) -> Fact[ast.AST]:
    """What captures the code of a node; not known where nothing in the file does."""
    if not may_be(module) or _is_left_out(module, node):
        return Fact(UNKNOWN)
    context = context_of(module, node)
    if context is not None:
        return Fact(context, Sure.PROVEN, (Evidence(context, "captured here", module.path),))
    return _functions(analysis, module).get(module.function_of(node), Fact(UNKNOWN))


def contexts(module: Module) -> Iterator[ast.With]:
    """The `with` statements of a file whose body is captured."""
    for node in module.by_type.get(ast.With, ()):
        if isinstance(node, ast.With) and _captures(module, node) is not None:
            yield node


def context_of(module: Module, node: ast.AST) -> ast.AST | None:
    """The call that captures the block in which a node stands, in its own function."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ClosedNode):
            return None
        if isinstance(above, ast.With) and not isinstance(below, ast.withitem):
            found = _captures(module, above)
            if found is not None:
                return found
        below = above
    return None


def _captures(module: Module, node: ast.With) -> ast.AST | None:
    calls = [each.context_expr for each in node.items if isinstance(each.context_expr, ast.Call)]
    return next((each for each in calls if names.dotted(module.function_of(node), each.func) in _CONTEXTS), None)


def _is_left_out(module: Module, node: ast.AST) -> bool:
    """Whether a node stands behind a gate, or behind a question about capture, whatever the answer must be."""
    if gates.of(module, node) is not None:
        return True
    if _ASKED not in module.names:
        return False
    tests = (above.test for above in module.ancestors(node) if isinstance(above, (ast.If, ast.IfExp)))
    return any(_ASKED in ast.unparse(test) for test in tests)


@once
def _functions(analysis: Analysis, module: Module) -> dict[Function, Fact[ast.AST]]:
    """The functions that are captured, each with what captures it."""
    found: dict[Function, Fact[ast.AST]] = {}
    todo = list(_roots(analysis, module))
    while todo and len(found) < _MOST:
        function, shown = todo.pop()
        if function in found:
            continue
        found[function] = Fact(shown, Sure.LIKELY, (Evidence(shown, "captured from here", module.path),))
        todo += [(called, shown) for called in _called(analysis, function.module, function.body)]
    return found


def _roots(analysis: Analysis, module: Module) -> Iterator[tuple[Function, ast.AST]]:
    for node in contexts(module):
        shown = _captures(module, node)
        if shown is not None:
            yield from ((called, shown) for called in _called(analysis, module, node.body))
    for call in module.calls.get("make_graphed_callables", ()):
        if call.args and names.dotted(module.function_of(call), call.func) in _MAKERS:
            given = call.args[0].elts if isinstance(call.args[0], ast.Tuple) else [call.args[0]]
            targets = (target for each in given for target in compiled_calls.run_by(analysis, module, each))
            yield from ((function, call) for function, _ in targets)


def _called(analysis: Analysis, module: Module, body: list[ast.stmt]) -> Iterator[Function]:
    """The functions of the program that some statements call."""
    for statement in body:
        for node in walk(statement, into_scopes=False):
            if isinstance(node, ast.Call) and last_name(node.func) != _ASKED and not _is_left_out(module, node):
                for called, _ in compiled_calls.run_by(analysis, module, node.func):
                    if not called.is_generator:
                        yield called
