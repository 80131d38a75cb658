"""Meters: objects that keep what a method of theirs is given, and sums and means of it.

class AverageMeter:
    def __init__(self): self.val = self.sum = self.count = self.avg = 0
    def update(self, val, n=1): self.val = val; self.sum += val * n; self.count += n; self.avg = self.sum / self.count

losses.update(loss.item())      so losses.avg is a number
top1.update(accuracy(out, y))   and top1.avg a tensor

One is given numbers and another tensors, so what an attribute holds is told of each object, as `items` of its value, and
not of the class.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import ANY, BOTTOM, NO, NUMBER, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.interpret.program_calls import bind

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.arguments import Args
    from torchperf_lint.facts.interpret.run import Run

Kept = dict[str, dict[str, frozenset[str]]]
"""By method and attribute, what it is made of: parameters, and attributes of the object, those with a dot before them."""


def begun(value: Value) -> Value:
    """A new object, with the numbers that it begins with if it is a meter."""
    if value.kind != "instance" or value.items is not None:
        return value
    names = {name for made in _kept(value.ref.module, value.ref.node).values() for name in made}
    return value.but(items=dict.fromkeys(sorted(names), NUMBER)) if names else value


def given(run: Run, meter: Value, method: Function, args: Args) -> Value:
    """What a meter is after a call of a method of its own."""
    if method.owner is None or method.owner is not meter.ref or not isinstance(meter.items, dict):
        return meter
    made = _kept(method.module, method.owner.node).get(method.name, {})
    held = {f".{name}": value for name, value in meter.items.items()}
    held |= {name: run.analysis.default(method, name) for name in method.defaults}
    held |= bind(method, meter, args)
    new = {name: _of(tuple(held.get(each, ANY) for each in sorted(parts))) for name, parts in made.items()}
    return meter.but(items={**meter.items, **new})


def _of(parts: tuple[Value, ...]) -> Value:
    """What arithmetic gives: a tensor, if one of its parts is one."""
    tensor = next((each for each in parts if each.kind == "tensor"), None)
    if tensor is not None:
        return tensor.but(sure=Sure.LIKELY, dtype=None, grad=None, const=NO, items=None)
    if any(each is BOTTOM for each in parts):
        return BOTTOM
    return NUMBER if all(each.kind == "number" for each in parts) else ANY


@once
def _kept(module: Module, node: ast.ClassDef) -> Kept:
    """What the methods of a class make of what they are given; only attributes that begin as numbers, and hold nothing else."""
    owner = module.classes[node]
    found: Kept = {}
    others: set[str] = set()
    begin: set[str] = set()
    for name, sites in classes.sites(owner).items():
        for function, site in sites:
            value = _assigned(module, site)
            parts = _parts(function, value) if value is not None and function.owner is owner else None
            if parts is None or not isinstance(site, ast.Attribute):
                others.add(name)
            elif not parts and not isinstance(module.parents.get(site), ast.AugAssign):
                begin.add(name)
            elif function.name == "__init__":
                others.add(name)
            if parts is not None and function.name != "__init__":
                own = {f".{name}"} if isinstance(module.parents.get(site), ast.AugAssign) else set()
                made = found.setdefault(function.name, {})
                made[name] = made.get(name, frozenset()) | parts | own
    kept = {
        method: _through({name: made[name] for name in made if name in begin - others})
        for method, made in found.items()
    }
    return (
        kept if any(_is_parameter(part) for made in kept.values() for parts in made.values() for part in parts) else {}
    )


def _is_parameter(part: str) -> bool:
    return not part.startswith(".")


def _through(made: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """The same, where what an attribute is made of may have been made of something in the same method."""
    for _ in made:
        made = {
            name: parts.union(*(made[part[1:]] for part in parts if part[:1] == "." and part[1:] in made))
            for name, parts in made.items()
        }
    return made


def _assigned(module: Module, site: ast.AST) -> ast.expr | None:
    above = module.parents.get(site)
    return above.value if isinstance(above, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else None


def _parts(function: Function, node: ast.expr) -> frozenset[str] | None:
    """The parameters and the attributes of its object of which a method computes something by arithmetic; None if it does more."""
    match node:
        case ast.Constant(value=bool() | int() | float()):
            return frozenset()
        case ast.Name(id=name) if name in function.parameters and not _is_bound(function, name):
            return frozenset((name,))
        case ast.Attribute(value=ast.Name(id=receiver), attr=attr) if function.positional[:1] == (receiver,):
            return frozenset((f".{attr}",))
        case ast.UnaryOp(operand=operand):
            return _parts(function, operand)
        case ast.BinOp(left=left, right=right):
            first, second = _parts(function, left), _parts(function, right)
            return None if first is None or second is None else first | second
    return None


def _is_bound(function: Function, name: str) -> bool:
    """Whether a function binds a parameter of its own anew: `val = val.item()`."""
    return any(not isinstance(store, ast.arg) for store in function.scope.stores.get(name, ()))
