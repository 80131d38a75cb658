"""Powers whose exponent is a number that a module keeps in a tensor of its own.

self.register_buffer("p", torch.tensor([p]))
torch.pow(x, self.p + 1)                         torch.pow(x, p + 1), of a number
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.interpret import classes
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.scopes import Class, Function

_OF_VALUES: Final = ("torch.tensor", "torch.as_tensor")
_MAKING: Final = (*_OF_VALUES, "torch.Tensor", "torch.FloatTensor")
_WHOLE: Final = (ast.Add, ast.Sub, ast.Mult)


def may_be_raised(node: ast.AST) -> bool:
    """Whether an operator raises to what an object holds, or to what is worked out of that."""
    match node:
        case ast.BinOp(op=ast.Pow(), right=ast.Attribute() | ast.BinOp()):
            return True
    return False


def raised(facts: Facts, node: ast.AST) -> Form | None:
    """A power of a tensor by a number that a module holds in a tensor."""
    match node:
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            pass
        case ast.Call():
            found = operation.of(facts.module, node)
            given = found.given("exponent", 0) if found is not None else None
            if found is None or given is None:
                return None
            base, exponent = found.tensor, given
        case _:
            return None
    held = _held(exponent)
    if held is None or facts.analysis.value(base, facts.module).kind != "tensor" or not _is_number(facts, held):
        return None
    said = f"the exponent is a number in a tensor, `{ast.unparse(held)}`: a power by a plain number takes less"
    return Form(node, said, None, base)


def _held(node: ast.expr) -> ast.Attribute | None:
    """The one attribute that an exponent is worked out of, besides numbers."""
    match node:
        case ast.Attribute(value=ast.Name()):
            return node
        case ast.BinOp(left=left, op=op, right=ast.Constant()) if isinstance(op, _WHOLE):
            return _held(left)
        case ast.BinOp(left=ast.Constant(), op=op, right=right) if isinstance(op, _WHOLE):
            return _held(right)
    return None


def _is_number(facts: Facts, held: ast.Attribute) -> bool:
    """Whether an attribute of a module is a tensor of one number wherever its class sets it, and nobody trains it."""
    method = facts.module.function_of(held).method
    if method is None or method.owner is None or not isinstance(held.value, ast.Name):
        return False
    if method.positional[:1] != (held.value.id,) or facts.analysis.value(held, facts.module).grad is True:
        return False
    made = list(_bound(method.owner, held.attr))
    return bool(made) and all(_makes_number(facts, each) for each in made)


def _bound(owner: Class, name: str) -> Iterator[tuple[Function, ast.expr | None]]:
    """What the class binds an attribute to, and where; None for what is no plain value."""
    for function, site in classes.sites(owner).get(name, ()):
        match site, owner.module.parents.get(site):
            case ast.Call(args=[_, given]), _:
                yield function, given
            case ast.Attribute(), ast.Assign(targets=[_], value=value):
                yield function, value
            case _:
                yield function, None


def _makes_number(facts: Facts, bound: tuple[Function, ast.expr | None]) -> bool:
    """Whether a tensor is made of one number: `torch.tensor(2.0)`, `torch.tensor([p])`."""
    function, made = bound
    match made:
        case ast.Call(func=func, args=[given], keywords=[]) if names.dotted(function, func) in _MAKING:
            match given:
                case ast.List(elts=[one]):
                    return not isinstance(one, (ast.List, ast.Starred))
            # Ex) torch.Tensor(5) has five elements
            is_value = names.dotted(function, func) in _OF_VALUES
            return is_value and facts.analysis.value(given, function.module).kind == "number"
    return False
