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

from torchperf_lint.facts.context import loops
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import blocks, definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name, receiver, walk
from torchperf_lint.facts.interpret import classes
from torchperf_lint.rules.transfer.constant_tensor_in_hot_region import annotated_numbers

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_be_constant(facts: Facts, node: ast.AST) -> bool:
    """Whether a call makes a tensor of numbers or constants, or a method is called on what such a call gives."""
    if not isinstance(node, ast.Call):
        return False
    held, is_like = receiver(node), last_name(node.func) == "new_tensor"
    made = held if isinstance(held, ast.Call) and not is_like else node
    name = names.dotted(facts.module.function_of(made), made.func)
    if not made.args or not (is_like or name in _OF_DATA or (name in BY_DTYPE and made is not node)):
        return False
    data = made.args[0]
    if name in BY_DTYPE and not isinstance(data, (ast.List, ast.Tuple)):
        return False  # a number is a size
    number, _ = repeated(facts, data)
    value = facts.analysis.value(number if number is not None else data, facts.module)
    return value.kind == "number" or is_steady(facts, data)


def is_steady(facts: Facts, node: ast.AST) -> bool:
    """Whether an expression is the same each time that its place is come by."""
    return _is_steady(facts, facts.module, node)


def is_disputed(facts: Facts, number: ast.AST) -> bool:
    """Whether something that is annotated as a number is taken for a list somewhere."""
    return isinstance(number, ast.expr) and annotated_numbers.is_disputed(facts.analysis, facts.module, number)


def has_attribute(facts: Facts, node: ast.AST, name: str) -> bool:
    """Whether the class that a node stands in has an attribute of a name, or may have it from a base out of sight."""
    method = facts.module.function_of(node).method
    return method is None or method.owner is None or facts.analysis.class_attribute(method.owner, name) is not None


def _is_steady(facts: Facts, module: Module, node: ast.AST) -> bool:
    match node:
        case ast.Constant():
            return True
        # Ex) float("inf")
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant()], keywords=[]):
            return True
        case ast.UnaryOp(operand=inner) | ast.Starred(value=inner):
            return _is_steady(facts, module, inner)
        case ast.BinOp(left=left, right=right):
            return _is_steady(facts, module, left) and _is_steady(facts, module, right)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(_is_steady(facts, module, part) for part in parts)
        case ast.Name():
            return _is_steady_name(facts, module, node)
        case ast.Attribute(value=ast.Name(id=name) as held, attr=attr):
            method = module.function_of(node).method
            if method is None or method.positional[:1] != (name,):
                return (
                    value_names.is_settings(name) and _is_steady_name(facts, module, held) and not _is_set(module, attr)
                )
            assert method.owner is not None
            sites = classes.sites(method.owner).get(attr, ())
            if attr == "hparams" and not sites:
                return True  # Lightning keeps there what `__init__` was given
            is_set_up = bool(sites) and all(function.name == "__init__" for function, _ in sites)
            return is_set_up and not _is_changed(module, attr, setup="__init__")
        case ast.Attribute(value=inner):
            return isinstance(inner, ast.Attribute) and _is_steady(facts, module, inner)
        case ast.Subscript(value=ast.Attribute(attr=attr) as whole, slice=index):
            bounds = [index.lower, index.upper, index.step] if isinstance(index, ast.Slice) else [index]
            is_fixed = all(each is None or isinstance(each, (ast.Constant, ast.UnaryOp)) for each in bounds)
            return is_fixed and _is_steady(facts, module, whole) and not _is_changed(module, attr)
    return False


_OF_DATA: Final = frozenset(("torch.tensor", "torch.as_tensor"))
BY_DTYPE: Final = frozenset(
    "torch.Tensor torch.FloatTensor torch.DoubleTensor torch.HalfTensor torch.LongTensor torch.IntTensor torch.ShortTensor"
    " torch.ByteTensor torch.BoolTensor".split()
)
"""Constructors of old, which make a tensor of a list on the host."""


def _is_set(module: Module, attr: str) -> bool:
    """Whether anything in a file binds an attribute of a name."""
    return any(each.attr == attr for function in module.functions.values() for each in function.sets)


_CHANGING: Final = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "update", "sort", "reverse", "copy_")
)


def _is_changed(module: Module, attr: str, setup: str = "") -> bool:
    """Whether anything in a file, but for a method that sets up, writes to what an attribute holds: to an item, or by a method."""
    held = [node for node in module.attributes.get(attr, ()) if module.function_of(node).name != setup]
    above = [module.parents.get(node) for node in held]
    return any(
        (isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load))
        or (isinstance(each, ast.Attribute) and each.attr in _CHANGING)
        for each in above
    )


def repeated(facts: Facts, data: ast.AST) -> tuple[ast.expr | None, str]:
    """The one number that data consists of, and the shape that it fills, as Python writes it."""
    match data:
        case ast.BinOp(left=ast.List(elts=[only]), op=ast.Mult(), right=count):
            times = facts.analysis.value(count, facts.module)
            return (only, f"({ast.unparse(count)},)") if times.kind == "number" else (None, "")
        case ast.List(elts=[first, *others]) | ast.Tuple(elts=[first, *others]):
            is_flat = not isinstance(first, (ast.List, ast.Tuple, ast.Starred))
            same = all(ast.dump(other) == ast.dump(first) for other in others)
            return (first, f"({1 + len(others)},)") if is_flat and same else (None, "")
        case ast.List() | ast.Tuple() | ast.ListComp() | ast.Call():
            return None, ""
    return (data, "()") if isinstance(data, ast.expr) else (None, "")


def _is_steady_name(facts: Facts, module: Module, node: ast.Name) -> bool:
    """A name that the module binds once, or that is bound above the loop whose turns are the steps: above one within a step it may
    be new each time."""
    home = names.scope_of(module.function_of(node), node.id)
    if home is None:
        return False
    stores = home.scope.stores[node.id]
    if home.is_module and home is not module.function_of(node):
        return len(stores) == 1
    loop = blocks.loop(module, node)
    if loop is None or any(isinstance(above, ast.comprehension) for above in map(module.parents.get, stores)):
        return False
    if not loops.of(facts.analysis, module, loop).value and not _is_bound_to_steady(facts, module, node):
        return False
    inside = set(map(id, walk(loop)))
    return not any(id(store) in inside for store in stores)


def _is_bound_to_steady(facts: Facts, module: Module, node: ast.Name) -> bool:
    bound = definitions.reaching(module, node)
    value = definitions.value_of(module, bound) if bound is not None else None
    return value is not None and _is_steady(facts, module, value)
