"""What is let go of right before the cache is emptied."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import evaluations, gates
from torchperf_lint.facts.guesses import condition_names
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_WRITING: Final = frozenset(("savez", "savez_compressed", "imsave", "save_image", "imwrite", "savefig", "to_csv"))
_SAVING: Final = ("torch.save", "numpy.save")
_FEW: Final = 10
"""So many turns are a warm-up, or a trial."""


def lets_go_of_model(facts: Facts, node: ast.AST) -> bool:
    """Whether the statements right above one let go of a module, or of something unknown: one makes room for another."""
    held = [facts.analysis.value(each, facts.module) for each in _let_go(facts.module, node)]
    return any(each.kind in ("unknown", "module") for each in held)


def is_wanted(facts: Facts, node: ast.AST) -> bool:
    """Whether an option around a node asks for memory, or no training comes there, or a turn of its loop writes files: seconds, of
    which a flush is little."""
    if evaluations.mode_around(facts.analysis, facts.module, node) is not None:
        return True
    above = (each.test for each in facts.module.ancestors(node) if isinstance(each, ast.If))
    asked = (part for test in above for part in ast.walk(test) if isinstance(part, (ast.Name, ast.Attribute)))
    if any(condition_names.makes_room(last_name(each)) for each in asked):
        return True
    loop = blocks.loop(facts.module, node)
    calls = inside.calls(facts.module, loop) if loop is not None else ()
    return any(_writes(facts, each) and gates.of(facts.module, each) is None for each in calls)


def _writes(facts: Facts, call: ast.Call) -> bool:
    """Whether a call writes a file; of what is called `save` those of torch and NumPy do."""
    saves = last_name(call.func) == "save" and dotted(facts.module.function_of(call), call.func) in _SAVING
    return saves or last_name(call.func) in _WRITING


def is_beside_generation(facts: Facts, node: ast.AST) -> bool:
    """Whether each turn also takes many steps of a model, beside which one flush is little."""
    return facts.generation_at(node) is not None


def stops_early(facts: Facts, node: ast.AST) -> bool:
    """Whether the loop around a node leaves after a few turns: `if i >= 3: break`."""
    loop = blocks.loop(facts.module, node)
    tests = (
        (each.test for each in loop.body if isinstance(each, ast.If) and _only_breaks(each)) if loop is not None else ()
    )
    return any(_counts_few(facts, test) for test in tests)


def _only_breaks(node: ast.If) -> bool:
    return any(isinstance(each, ast.Break) for each in node.body)


def _counts_few(facts: Facts, test: ast.expr) -> bool:
    """`i >= 3`, `step == 2`, with a small number."""
    match test:
        case ast.Compare(left=ast.Name(), ops=[ast.GtE() | ast.Gt() | ast.Eq()], comparators=[bound]):
            count = facts.analysis.value(bound, facts.module).const
            return isinstance(count, int) and count <= _FEW
    return False


def _let_go(module: Module, node: ast.AST) -> Iterator[ast.expr]:
    """What the statements right above one let go of: `del x`, or `x.cpu()` and `x.to("cpu")` for their effect."""
    statement = module.statement(node)
    for above in reversed(_above(module, statement)):
        match above:
            case ast.Delete(targets=targets):
                yield from targets
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver, attr="cpu"))):
                yield receiver
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=receiver, attr="to"), args=[ast.Constant(value="cpu")])
            ):
                yield receiver
            case ast.Expr(value=ast.Call()):
                continue
            case _:
                return


def _above(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The statements above one in its block; where it is the first of an `if`, those above that."""
    parent = module.parents.get(statement)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            above = block[: block.index(statement)]
            return _above(module, parent) if not above and isinstance(parent, ast.If) else above
    return []
