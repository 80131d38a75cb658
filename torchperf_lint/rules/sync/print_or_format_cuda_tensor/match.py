"""What becomes text, and what waited for the GPU before it was made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import call_names as call_names
from torchperf_lint.facts.index import blocks, definitions
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_HELD: Final = ("tensor", "tensor_tree")


def may_be_shown(facts: Facts, node: ast.AST) -> bool:
    """Whether something in what may be a text waits first, or is a tensor that is handed over as it is."""
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mod):
        return False
    waits = any(facts.wait_at(each).known for each in walk(node) if isinstance(each, ast.expr))
    return (waits or _hands_over_tensor(facts, node)) and not is_behind_wait(facts, node)


def _hands_over_tensor(facts: Facts, node: ast.AST) -> bool:
    given = [*node.args, *(keyword.value for keyword in node.keywords)] if isinstance(node, ast.Call) else []
    given += [item for each in given if isinstance(each, ast.Dict) for item in each.values]
    held = [facts.analysis.value(each, facts.module) for each in given]
    return any(value.kind in _HELD and value.maybe_cuda for value in held)


def is_behind_wait(facts: Facts, node: ast.AST) -> bool:
    """Whether a condition around a node, in its loop and function, waits: one read more behind it costs little."""
    below = node
    for above in facts.module.ancestors(node):
        if isinstance(above, (*LOOPS, *ClosedNode)):
            return False
        asked = (above, *walk(above.test)) if isinstance(above, ast.If) and below is not above.test else ()
        if any(facts.wait_at(each).known for each in asked):
            return True
        below = above
    return False


def counter(facts: Facts, node: ast.AST) -> str | None:
    """The name that counts the turns of the loop around a node, if `enumerate` gives it."""
    match blocks.loop(facts.module, node):
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_]), iter=counted):
            if any(isinstance(each, ast.Call) and last_name(each.func) == "enumerate" for each in walk(counted)):
                return name
    return None


def only_binding(facts: Facts, node: ast.AST) -> ast.expr | None:
    """What a local name is bound to, if one plain assignment binds it."""
    return definitions.only_binding(facts.module, node) if isinstance(node, ast.Name) else None


def is_logger(name: str) -> bool:
    """Whether what is told a text is called a logger."""
    return call_names.is_about_logs(name)
