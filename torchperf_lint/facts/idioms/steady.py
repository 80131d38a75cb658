"""What stays the same from step to step: literals, constants of the module, what the constructor alone sets.

    SCALE = 2.0                                   bound once, at the top level
    class Net(nn.Module):
        def __init__(self, eps):
            self.eps = eps                        bound by the constructor alone
        def forward(self, x):
            torch.tensor([SCALE, self.eps, 1])    the same at every step

Knows syntax and names; whether what a name holds is written in place is not asked.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import neighbours
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module, walk
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def is_steady(analysis: Analysis, module: Module, node: ast.expr) -> bool:
    """Whether an expression is the same each time that its place is come by."""
    match node:
        case ast.Constant():
            return True
        # Ex) float("inf")
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant()], keywords=[]):
            return True
        case ast.UnaryOp(operand=inner) | ast.Starred(value=inner):
            return is_steady(analysis, module, inner)
        case ast.BinOp(left=left, right=right):
            return is_steady(analysis, module, left) and is_steady(analysis, module, right)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(is_steady(analysis, module, part) for part in parts)
        case ast.Name():
            return _is_steady_name(module, node)
        case ast.Attribute(value=ast.Name(id=name) as held, attr=attr):
            method = module.function_of(node).method
            if method is None or method.positional[:1] != (name,):
                return name in _SETTINGS and _is_steady_name(module, held) and not _is_set(module, attr)
            assert method.owner is not None
            sites = classes.sites(method.owner).get(attr, ())
            if attr == "hparams" and not sites:
                return True  # Lightning keeps there what `__init__` was given
            return bool(sites) and all(function.name == "__init__" for function, _ in sites)
        case ast.Attribute(value=inner):
            return isinstance(inner, ast.Attribute) and is_steady(analysis, module, inner)
        case ast.Subscript(value=ast.Attribute(attr=attr) as whole, slice=index):
            bounds = [index.lower, index.upper, index.step] if isinstance(index, ast.Slice) else [index]
            is_fixed = all(each is None or isinstance(each, (ast.Constant, ast.UnaryOp)) for each in bounds)
            return is_fixed and is_steady(analysis, module, whole) and not _is_changed(module, attr)
    return False


_SETTINGS: Final = frozenset(
    ("args", "cfg", "config", "conf", "opt", "opts", "options", "hparams", "params", "settings", "C")
)
"""What holds the settings of a run, by its name; what a part of it is, is decided before the first step."""


def _is_set(module: Module, attr: str) -> bool:
    """Whether anything in a file binds an attribute of a name."""
    return any(each.attr == attr for function in module.functions.values() for each in function.sets)


_CHANGING: Final = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "update", "sort", "reverse", "copy_")
)


def _is_changed(module: Module, attr: str) -> bool:
    """Whether anything in a file writes to what an attribute of some name holds: to an item, or by a method."""
    above = [module.parents.get(node) for node in module.attributes.get(attr, ())]
    return any(
        (isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load))
        or (isinstance(each, ast.Attribute) and each.attr in _CHANGING)
        for each in above
    )


def repeated(analysis: Analysis, module: Module, data: ast.expr) -> tuple[ast.expr | None, str]:
    """The one number that data consists of, and the shape that it fills, as Python writes it."""
    match data:
        case ast.BinOp(left=ast.List(elts=[only]), op=ast.Mult(), right=count):
            times = analysis.value(count, module)
            return (only, f"({ast.unparse(count)},)") if times.kind == "number" else (None, "")
        case ast.List(elts=[first, *others]) | ast.Tuple(elts=[first, *others]):
            is_flat = not isinstance(first, (ast.List, ast.Tuple, ast.Starred))
            same = all(ast.dump(other) == ast.dump(first) for other in others)
            return (first, f"({1 + len(others)},)") if is_flat and same else (None, "")
        case ast.List() | ast.Tuple() | ast.ListComp() | ast.Call():
            return None, ""
    return data, "()"


def _is_steady_name(module: Module, node: ast.Name) -> bool:
    """A name that the module binds once, or that is bound above the loop which comes by here again."""
    home = names.scope_of(module.function_of(node), node.id)
    if home is None:
        return False
    stores = home.scope.stores[node.id]
    if home.is_module and home is not module.function_of(node):
        return len(stores) == 1
    loop = neighbours.loop(module, node)
    if loop is None or any(isinstance(above, ast.comprehension) for above in map(module.parents.get, stores)):
        return False
    inside = set(map(id, walk(loop)))
    return not any(id(store) in inside for store in stores)
