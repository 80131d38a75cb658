"""Convolutions whose bias the normalisation behind them takes off again: next to each other where they are made, or in `forward`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits, matmul_precision
from torchperf_lint.facts.guesses import file_words
from torchperf_lint.facts.index import definitions, inside, names
from torchperf_lint.facts.index.walk import last_name, may_hide
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.scopes import Class

CONVOLUTIONS: Final = ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
_NORMS: Final = frozenset(
    f"torch.nn.{name}"
    for name in (*(f"{kind}Norm{d}d" for kind in ("Batch", "Instance") for d in (1, 2, 3)), "SyncBatchNorm")
)
_BIAS_PLACE: Final = 7
"""The place of `bias` among the arguments of a convolution; of a transposed one it is the same."""


def is_cancelled(facts: Facts, call: ast.AST) -> bool:
    """Whether a convolution is made with a bias, and a normalisation comes right behind it, whatever happens."""
    if not isinstance(call, ast.Call) or not _has_bias(facts, call):
        return False
    if not (names.dotted(facts.module.function_of(call), call.func) or "").startswith("torch.nn.Conv"):
        return False
    if matmul_precision.is_given(facts.module) or file_traits.suggests(facts.module, file_words.changes_layers):
        return False
    return _is_norm(facts, _next(facts, call)) or _is_next_in_forward(facts, call)


def _has_bias(facts: Facts, call: ast.Call) -> bool:
    if may_hide(call):
        return False
    given = next((each.value for each in call.keywords if each.arg == "bias"), None)
    if given is None and len(call.args) > _BIAS_PLACE:
        return False
    return given is None or facts.analysis.value(given, facts.module).const is True


def _is_norm(facts: Facts, node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and names.dotted(facts.module.function_of(node), node.func) in _NORMS


def _next(facts: Facts, call: ast.AST) -> ast.AST | None:
    """What stands behind a layer in the line that it is part of."""
    above = facts.module.parents.get(call)
    match above:
        case ast.Call(func=func, args=args) if (
            names.dotted(facts.module.function_of(above), func) == "torch.nn.Sequential"
        ):
            return _behind(args, call)
        case ast.Tuple(elts=[ast.Constant(), layer]) if layer is call:
            line = facts.module.parents.get(above)
            entry = _behind(line.elts, above) if isinstance(line, ast.List) else None
            return entry.elts[1] if isinstance(entry, ast.Tuple) and len(entry.elts) == 2 else None
        case ast.List(elts=layers) | ast.Tuple(elts=layers):
            return _behind(layers, call) if not _are_apart(facts, above) else None
        case ast.Call(func=ast.Attribute(attr="append" | "add_module" as name), args=[*_, layer]) if layer is call:
            return _added_next(facts, above, name)
    return None


def _behind(line: list[ast.expr], call: ast.AST) -> ast.expr | None:
    at = next(number for number, each in enumerate(line) if each is call)
    return line[at + 1] if at + 1 < len(line) else None


def _are_apart(facts: Facts, line: ast.AST) -> bool:
    """Whether layers in a list need not run one after the other."""
    above = facts.module.parents.get(line)
    return isinstance(above, ast.Call) and last_name(above.func) in ("ModuleList", "dict", "zip")


def _added_next(facts: Facts, call: ast.AST, name: str) -> ast.AST | None:
    """What the next statement adds to the same line of layers."""
    statement = facts.module.parents.get(call)
    place = inside.block_of(facts.module, statement) if isinstance(statement, ast.Expr) else None
    if place is None or place[1] + 1 >= len(place[0].statements):
        return None
    match place[0].statements[place[1] + 1]:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=other, attr=again), args=[*_, layer])) if again == name:
            assert isinstance(call, ast.Call)
            assert isinstance(call.func, ast.Attribute)
            return layer if ast.dump(other) == ast.dump(call.func.value) else None
    return None


def _is_next_in_forward(facts: Facts, call: ast.AST) -> bool:
    """Whether a layer that an attribute holds is called once in its class, and what it gives goes to a normalisation alone."""
    module = facts.module
    match module.parents.get(call):
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=name) as target]):
            owner = module.function_of(target).owner
        case _:
            return False
    if owner is None or module.function_of(target).name != "__init__" or len(classes.sites(owner).get(name, ())) != 1:
        return False
    uses = [each for each in module.attributes.get(name, ()) if each is not target]
    if len(uses) != 1 or not _is_own(facts, uses[0], owner):
        return False
    called = module.parents.get(uses[0])
    return isinstance(called, ast.Call) and called.func is uses[0] and _goes_to_norm(facts, called)


def _is_own(facts: Facts, use: ast.Attribute, owner: Class) -> bool:
    function = facts.module.function_of(use)
    return function.owner is owner and isinstance(use.value, ast.Name) and function.positional[:1] == (use.value.id,)


def _goes_to_norm(facts: Facts, result: ast.expr) -> bool:
    above = facts.module.parents.get(result)
    if isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Name):
        bound = above.targets[0]
        if not definitions.is_read_only_once(facts.module, bound):
            return False
        result = definitions.reads_after(facts.module, bound)[0]
        if definitions.reaching(facts.module, result) is not bound:
            return False
        above = facts.module.parents.get(result)
    if not isinstance(above, ast.Call) or above.args != [result] or not isinstance(above.func, ast.Attribute):
        return False
    norm = facts.analysis.value(above.func, facts.module)
    return norm.kind == "module" and norm.ref in _NORMS and not norm.none and norm.sure.name == "PROVEN"
