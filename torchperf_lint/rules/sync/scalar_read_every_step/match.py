"""Running totals: a name that starts as a number and to which a loop adds at every turn.

    total = 0                            the start
    for x, y in loader:                  the loop
        total += loss.item() * len(x)    the sum; nothing else in the loop looks at the total
    print(total / n)                     read from here on

Such a total can live on the GPU while the loop runs, and be read once behind it. Knows names and their places alone.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks, definitions, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import ClosedNode, end_of, place_of, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_TO_ONE: Final = ("item", "sum", "mean")
_CASTS: Final = ("float", "double", "long", "int", "numpy", "detach")


@dataclass(frozen=True, slots=True)
class Total:
    """A running total to which a loop adds a number that it reads from a tensor, and at which it does not look."""

    name: str
    loop: ast.For | ast.While
    """The outermost loop behind which nobody has looked at the total yet."""
    starts_as_float: bool
    """So it is a float whatever is added."""
    read: ast.expr
    """All that turns the tensor into a number: `float(loss.detach().cpu().item())`."""
    tensor: ast.expr
    """What is read, without `detach()` and `cpu()`."""
    factors: tuple[ast.expr, ...]
    """What the number is multiplied with, or divided by, before it is added."""
    is_divided: bool


def total(facts: Facts, call: ast.AST) -> Total | None:
    """The total to which the number is added that a call reads; None where more than the code behind a loop needs it."""
    assert isinstance(call, ast.Call)
    module, read = facts.module, _whole_read(facts.module, call)
    if not _is_number(read):
        return None
    added, factors, is_divided = _scaled(module, read)
    adding = module.parents.get(added)
    if not isinstance(adding, ast.AugAssign) or not isinstance(adding.target, ast.Name) or adding.value is not added:
        return None
    name, function = adding.target.id, module.function_of(adding)
    if name in function.scope.outer or name in function.inner_reads:
        return None
    loop = _around(module, adding, name) if isinstance(adding.op, (ast.Add, ast.Sub)) else None
    if loop is None or loop.orelse:
        return None
    others = [store for store in function.scope.stores.get(name, ()) if store is not adding.target]
    starts = [_start(module, store) for store in others if not isinstance(module.parents.get(store), ast.AugAssign)]
    if not starts or not all(isinstance(start, (int, float)) for start in starts):
        return None
    if not any(place_of(load) > end_of(loop) for load in function.scope.loads.get(name, ())):
        return None
    is_float = all(isinstance(start, float) for start in starts)
    return Total(name, loop, is_float, read, _bare(call), tuple(factors), is_divided)


def may_be_bookkeeping(facts: Facts, node: ast.AST) -> bool:
    """Whether what an expression gives is only added up, kept or logged."""
    found = facts.uses_at(node) if isinstance(node, ast.expr) else set()
    return bool(found) and found <= {"accumulated", "logged"}


def becomes_one(facts: Facts, call: ast.AST) -> bool:
    """Whether what a read gives is made one number at once: `hits.cpu().float().sum()`."""
    read: ast.AST | None = call
    while isinstance(read, ast.Call):
        above = facts.module.parents.get(read)
        if not isinstance(above, ast.Attribute):
            return False
        if above.attr in _TO_ONE:
            return True
        read = facts.module.parents.get(above) if above.attr in _CASTS else None
    return False


def _whole_read(module: Module, call: ast.Call) -> ast.expr:
    """`float(loss.cpu().item())` around `loss.cpu()`."""
    read: ast.expr = call
    while True:
        match above := module.parents.get(read):
            case ast.Attribute(attr="item" | "numpy" | "tolist" | "detach"):
                outer = module.parents.get(above)
            case ast.Call(func=ast.Name(id="float"), args=[argument]) if argument is read:
                outer = above
            case _:
                return read
        if not isinstance(outer, ast.Call):
            return read
        read = outer


def _is_number(read: ast.expr) -> bool:
    """Whether a read ends in a number, and not in a tensor or an array on the host."""
    match read:
        case ast.Call(func=ast.Attribute(attr="item") | ast.Name(id="float" | "int")):
            return True
    return False


def _scaled(module: Module, read: ast.expr) -> tuple[ast.expr, list[ast.expr], bool]:
    """What is added: a read with the factors around it, and whether one of them divides."""
    factors: list[ast.expr] = []
    is_divided = False
    while True:
        match above := module.parents.get(read):
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                factors.append(right if left is read else left)
            case ast.BinOp(left=left, op=ast.Div(), right=right) if left is read:
                factors.append(right)
                is_divided = True
            case _:
                return read, factors, is_divided
        read = above


def _bare(call: ast.Call) -> ast.expr:
    """What a call reads, without what a total on the GPU does not need."""
    tensor = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0]
    while True:
        match tensor:
            case ast.Call(func=ast.Attribute(value=inner, attr="detach" | "cpu"), args=[]):
                tensor = inner
            case ast.Attribute(value=inner, attr="data"):
                tensor = inner
            case _:
                return tensor


def has_backward(facts: Facts, name: ast.AST) -> bool:
    """Whether the function of a name takes the gradient of what it holds, so that this is no count."""
    module = facts.module
    return isinstance(name, ast.Name) and name.id in _learned(module, module.function_of(name).node)


@once
def _learned(module: Module, function: ast.AST) -> frozenset[str]:
    """The names in a function of which it takes a gradient; found once, however many of its lines ask."""
    attributes = [call.func for call in inside.calls(module, function) if isinstance(call.func, ast.Attribute)]
    passes = [each.value for each in attributes if each.attr == "backward"]
    return frozenset(read.id for each in passes for read in walk(each) if isinstance(read, ast.Name))


def _start(module: Module, store: ast.AST) -> object:
    """The number that an assignment binds a name to."""
    value = definitions.unpacked(module, store)
    is_number = isinstance(value, ast.Constant) and not isinstance(value.value, bool)
    return value.value if isinstance(value, ast.Constant) and is_number else None


def _around(module: Module, adding: ast.AugAssign, name: str) -> ast.For | ast.While | None:
    """The outermost loop around a sum in which nothing else has to do with the total."""
    found: ast.For | ast.While | None = None
    for above in module.ancestors(adding):
        if isinstance(above, (*ClosedNode, ast.AsyncFor)):
            break
        if isinstance(above, (ast.For, ast.While)):
            if inside.names(module, above)[name] != [adding.target]:
                break
            found = above
    return found


def other_waits(facts: Facts, call: ast.AST) -> list[ast.Call | ast.If | ast.While]:
    """What else in the loop around a read waits at each turn for a value of the GPU."""
    loop = blocks.loop(facts.module, call)
    nodes = walk(loop, into_scopes=False) if loop is not None else ()
    asked = (each for each in nodes if isinstance(each, (ast.Call, ast.If, ast.While)) and each not in (call, loop))
    return [each for each in asked if _waits(facts, each) and not facts.gated_at(each)]


def _waits(facts: Facts, node: ast.AST) -> bool:
    return facts.may_wait_at(node) and (wait := facts.wait_at(node)).known and wait.value.form in ("read", "truth")


def may_lack_float64(facts: Facts, _: ast.AST) -> bool:
    """Whether the file names a device that may have no float64."""
    return _may_lack_float64(facts.module, facts.module.tree)


@once
def _may_lack_float64(module: Module, _: ast.AST) -> bool:
    if not {"mps", "accelerator"}.isdisjoint(module.names | module.keywords):
        return True
    return any(isinstance(each, ast.Constant) and each.value == "mps" for each in ast.walk(module.tree))
