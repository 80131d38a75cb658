"""The calls that do for all parameters what a loop does for each: `torch._foreach_mul_([...], decay)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_FOR_ALL: Final = {"mul_": 1, "div_": 1, "add_": 1, "sub_": 1, "copy_": 1, "lerp_": 2}
"""Operations that torch has for lists too, and how many arguments they take by their place."""
_LERP_SINCE: Final = (2, 0)
"""The torch that has `_foreach_lerp_`."""
_SIGNS: Final[dict[type[ast.operator], str]] = {ast.Mult: "mul_", ast.Div: "div_", ast.Add: "add_", ast.Sub: "sub_"}


@dataclass(frozen=True, slots=True)
class Turns:
    """What a loop goes through, and under which condition it does something."""

    target: ast.expr
    iterated: ast.expr
    condition: str

    @property
    def items(self) -> set[str]:
        return {node.id for node in walk(self.target) if isinstance(node, ast.Name)}

    def all_of(self, each: ast.expr) -> str:
        """The list of what an expression is at each turn."""
        if not self.condition and isinstance(each, ast.Name):
            match self.target, self.iterated:
                case ast.Name(id=name), _ if name == each.id:
                    return f"list({ast.unparse(self.iterated)})"
                case ast.Tuple(elts=names), ast.Call(func=ast.Name(id="zip"), args=args) if len(names) == len(args):
                    known = {name.id: arg for name, arg in zip(names, args, strict=True) if isinstance(name, ast.Name)}
                    return f"list({ast.unparse(known[each.id])})"
        target = ast.unparse(self.target).strip("()")
        return f"[{ast.unparse(each)} for {target} in {ast.unparse(self.iterated)}{self.condition}]"


def lines(facts: Facts, loop: ast.AST) -> list[str] | None:
    """The statements that stand for a loop, as text; None where torch has no operation for all of it."""
    if not isinstance(loop, ast.For) or not _is_made_anew(loop.iter):
        return None
    body, condition = _body(loop.body)
    turns = Turns(loop.target, loop.iter, condition)
    match body:
        case [ast.Expr(value=ast.Call() as call)]:
            return _chain(facts, call, turns)
        case [ast.AugAssign(target=target, op=op, value=value)] if type(op) in _SIGNS:
            made = _one(facts, turns, target, ast.Call(ast.Name(_SIGNS[type(op)]), [value], []))
            return [made] if made is not None else None
    return None


def _is_made_anew(iterated: ast.expr) -> bool:
    """Whether an expression gives the same items each time that it is evaluated: no iterator that is used up."""
    match iterated:
        case ast.Call(func=ast.Name(id="zip"), args=args, keywords=[]):
            return all(_is_made_anew(each) for each in args)
        case ast.Call(func=ast.Attribute(attr="parameters" | "named_parameters"), args=[]):
            return True
    return False


def _body(body: list[ast.stmt]) -> tuple[list[ast.stmt], str]:
    match body:
        case [ast.If(test=test, body=inner, orelse=[])]:
            return inner, f" if {ast.unparse(test)}"
    return body, ""


def _chain(facts: Facts, call: ast.Call, turns: Turns) -> list[str] | None:
    """One line for each operation of a chain: `e.mul_(decay).add_(p, alpha=1 - decay)` has two."""
    at: ast.expr = call
    links: list[ast.Call] = []
    while isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute):
        links.append(at)
        at = at.func.value
    made = [_one(facts, turns, at, part) for link in reversed(links) for part in _parts(at, link)]
    known = [each for each in made if each is not None]
    return known if len(known) == len(made) else None


def _one(facts: Facts, turns: Turns, target: ast.expr, call: ast.Call) -> str | None:
    """One operation on all targets; None where torch has none that takes what it is given."""
    name, items = last_name(call.func), turns.items
    if name == "lerp_" and facts.settings.target < _LERP_SINCE:
        return None
    spelled = facts.spelling(f"torch._foreach_{name}")
    if spelled is None or _FOR_ALL.get(name) != len(call.args) or any(each.arg != "alpha" for each in call.keywords):
        return None
    given = [turns.all_of(target)]
    for number, each in enumerate(call.args):
        is_of_item = _names(each, items)
        if is_of_item and (number or isinstance(each, ast.BinOp)):
            return None
        if not is_of_item and (name == "copy_" or call.keywords):
            return None
        given.append(turns.all_of(each) if is_of_item else ast.unparse(each))
    if any(_names(each.value, items) for each in call.keywords):
        return None
    given += [f"{each.arg}={ast.unparse(each.value)}" for each in call.keywords]
    return f"{spelled}({', '.join(given)})"


def _parts(target: ast.expr, call: ast.Call) -> list[ast.Call]:
    """The operations that one is made of: an average that is copied takes two, as `lerp_` raises where dtypes differ, unless it is one.

    e.copy_(p.lerp(e, w))               e.lerp_(p, 1 - w)
    e.copy_(p * (1 - w) + e * w)        e.mul_(w).add_(p, alpha=1 - w)
    """
    match last_name(call.func), call.args:
        case "copy_", [ast.Call(func=ast.Attribute(value=new, attr="lerp"), args=[old, weight], keywords=[])] if (
            operations.same(old, target)
        ):
            rest = ast.BinOp(ast.Constant(1), ast.Sub(), weight)
            return [ast.Call(ast.Name("lerp_"), [new, rest], [])]
        case "copy_", [ast.BinOp(ast.BinOp(one, ast.Mult(), other), ast.Add(), ast.BinOp(third, ast.Mult(), fourth))]:
            for (old, kept), (new, weight) in product(((one, other), (other, one)), ((third, fourth), (fourth, third))):
                if _are_whole(kept, weight) and operations.same(old, target):
                    return _average(kept, new, weight)
                if _are_whole(kept, weight) and operations.same(new, target):
                    return _average(weight, old, kept)
    return [call]


def _average(kept: ast.expr, new: ast.expr, weight: ast.expr) -> list[ast.Call]:
    added = ast.Call(ast.Name("add_"), [new], [ast.keyword("alpha", weight)])
    return [ast.Call(ast.Name("mul_"), [kept], []), added]


def _are_whole(one: ast.expr, other: ast.expr) -> bool:
    """Whether two weights add up to one, by the way in which they are written: `tau` and `1 - tau`."""
    for part, rest in ((one, other), (other, one)):
        match rest:
            case ast.BinOp(ast.Constant(value=1 | 1.0), ast.Sub(), taken) if operations.same(taken, part):
                return True
    return False


def _names(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in walk(node))
