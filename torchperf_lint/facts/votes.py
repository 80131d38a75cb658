"""What the uses of a name say of what it holds: `x.unsqueeze(0)` is said of tensors alone.

Only uses between a binding and the next one of the same name count, in the order of the source. Each use is a vote, a
short word; `uses` decides. Knows syntax and `torch_api`, nothing of values.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts import names, torch_api
from torchperf_lint.facts.program import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.infer import Analysis

Vote = Literal["tensor", "array", "module", "moved", "optimizer", "mapping", "object", "called", "iterated", "unpacked", "flag", "number", "string"]
"""tensor: only tensors have or take it. array: tensors and arrays do. moved: `.to(...)`, `.cuda()`. mapping: indexed by
a string, `.items()`. object: an attribute that tensors lack. flag: a condition by itself."""

Cast = tuple[tuple[int, int], Vote, ast.AST]
"""Where the use is, what it says, and the node to show for it."""

_MAPPING: Final = frozenset(("items", "keys", "get", "setdefault"))
_ARRAY: Final = frozenset(("shape", "dtype", "ndim", "reshape", "mean", "sum", "max", "min", "std", "any", "all", "argmax", "flatten", "clip", "astype"))
_NUMBERS: Final = frozenset(("range", "math.sqrt", "math.log", "math.ceil", "math.floor"))


def of(analysis: Analysis, function: Function, name: str, binding: ast.AST) -> list[Cast]:
    """The votes of the uses that a binding reaches."""
    known = analysis.votes.get((function, name))
    if known is None:
        known = analysis.votes[(function, name)] = _all(function, name)
    if not known:
        return known
    start = _end(binding) if not isinstance(binding, ast.arg) else (0, 0)
    stop = min((_place(store) for store in _rebindings(function, name) if _place(store) > start and store is not binding), default=None)
    return [cast for cast in known if cast[0] >= start and (stop is None or cast[0] <= stop)]


def _rebindings(function: Function, name: str) -> list[ast.AST]:
    """The places that bind a name; a use in the same statement as a rebinding comes before it."""
    found = []
    for store in function.scope.stores.get(name, ()):
        if isinstance(store, ast.Name):
            parent = function.module.parents.get(store)
            statement = parent if isinstance(parent, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else store
            found.append(_After(statement) if statement is not store else store)
        elif not isinstance(store, ast.arg):
            found.append(store)
    return found


class _After(ast.AST):
    """The place right behind a statement."""

    def __init__(self, node: ast.AST) -> None:
        self.lineno, self.col_offset = _end(node)


def _place(node: ast.AST) -> tuple[int, int]:
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def _end(node: ast.AST) -> tuple[int, int]:
    return (getattr(node, "end_lineno", None) or getattr(node, "lineno", 0), getattr(node, "end_col_offset", None) or 0)


def _all(function: Function, name: str) -> list[Cast]:
    found: list[Cast] = []
    for load in function.scope.loads.get(name, ()):
        parent = function.module.parents.get(load)
        if parent is None:
            continue
        vote = _vote(function, load, parent)
        if vote is not None:
            found.append((_place(load), vote, parent))
    return found


def _vote(function: Function, load: ast.Name, parent: ast.AST) -> Vote | None:
    above = function.module.parents.get(parent)
    match parent:
        case ast.Attribute(attr=attr):
            return _attribute(attr, isinstance(above, ast.Call) and above.func is parent)
        case ast.Subscript(value=value, slice=index) if value is load:
            return _subscript(index)
        case ast.Call(func=callee) if callee is load:
            return "called"
        case ast.Call():
            return _argument(function, parent, load)
        case ast.keyword(arg=str(arg)) if isinstance(above, ast.Call):
            return _parameter(function, above, arg)
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is load:
            return "iterated"
        case ast.Assign(value=value, targets=[ast.Tuple() | ast.List()]) if value is load:
            return "unpacked"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if test is load:
            return "flag"
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return "flag"
        case ast.UnaryOp(op=ast.Invert()) | ast.BinOp(op=ast.MatMult()):
            return "array"
        case ast.Compare(left=left, comparators=[ast.Constant(value=str())]) if left is load:
            return "string"
    return None


def _attribute(attr: str, called: bool) -> Vote | None:
    if attr in torch_api.tensor_only() or (attr == "size" and called) or attr == "backward":
        return "tensor"
    if attr in torch_api.module_only() or (attr in ("train", "eval", "parameters") and called):
        return "module"
    if attr in ("to", "cuda", "cpu") and called:
        return "moved"
    if attr in ("zero_grad", "param_groups"):
        return "optimizer"
    if attr in _MAPPING and called:
        return "mapping"
    if attr in _ARRAY:
        return "array"
    if torch_api.method(attr) is None and torch_api.attribute(attr) is None:
        return "object"
    return None


def _subscript(index: ast.expr) -> Vote | None:
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return "mapping"
    if isinstance(index, ast.Tuple) and any(isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value in (None, ...)) for part in index.elts):
        return "array"
    return None


def _argument(function: Function, call: ast.Call, load: ast.Name) -> Vote | None:
    """What passing a name to a function says: a function of torch says by its schemas."""
    index = next((i for i, argument in enumerate(call.args) if argument is load), None)
    if index is None or any(isinstance(argument, ast.Starred) for argument in call.args[:index]):
        return None
    if isinstance(call.func, ast.Name) and call.func.id == "range":
        return "number"
    name = names.dotted(function, call.func)
    known = torch_api.function(name) if name is not None else None
    if not known:
        return "number" if name in _NUMBERS else None
    types = set()
    for overload in known:
        positional = [p for p in overload.parameters if not p.keyword]
        if index < len(positional):
            types.add(positional[index].type)
    return "tensor" if types and types <= {"T", "T?"} else None


def _parameter(function: Function, call: ast.Call, arg: str) -> Vote | None:
    name = names.dotted(function, call.func)
    known = torch_api.function(name) if name is not None else None
    if not known:
        return None
    types = {p.type for overload in known for p in overload.parameters if p.name == arg}
    return "tensor" if types and types <= {"T", "T?"} else None
