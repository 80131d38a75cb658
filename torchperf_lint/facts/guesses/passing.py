"""What handing something to a function says of it: a function of torch says by its schemas.

    range(n)                    a number
    x.view(batch, height)       numbers, all of them
    torch.stack(y)              no vote: a list, as often as not

Knows syntax and `knowledge`, nothing of values.
"""

from __future__ import annotations

import ast
from typing import Final, Literal

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.scopes import Function

Said = Literal["tensor", "array", "number", "tested"]

_NUMBERS: Final = frozenset(("range", "math.sqrt", "math.log", "math.ceil", "math.floor"))


def argument(function: Function, call: ast.Call, load: ast.AST) -> Said | None:
    """What it says to be given by its place."""
    index = next((i for i, each in enumerate(call.args) if each is load), None)
    if index is None or any(isinstance(each, ast.Starred) for each in call.args[:index]):
        return None
    if isinstance(call.func, ast.Name) and call.func.id in ("range", "float", "int", "isinstance"):
        return "tested" if call.func.id == "isinstance" else "number"
    name = names.dotted(function, call.func)
    known = knowledge.function(name) if name is not None else None
    if not known:
        return "number" if name in _NUMBERS or _is_size(call) else None
    types = set()
    for overload in known:
        positional = [p for p in overload.parameters if not p.keyword]
        if index < len(positional):
            types.add(positional[index].type)
    return _by_types(types)


def keyword(function: Function, call: ast.Call, arg: str) -> Said | None:
    """What it says to be given by name."""
    name = names.dotted(function, call.func)
    known = knowledge.function(name) if name is not None else None
    if not known:
        return None
    types = {p.type for overload in known for p in overload.parameters if p.name == arg}
    return "number" if types == {"I"} else _by_types(types)  # or several of them: `F.fold(x, output_size=size)`


def _is_size(call: ast.Call) -> bool:
    """Whether a method takes its arguments for one shape: `x.view(batch, height, width)`."""
    if len(call.args) < 2 or not isinstance(call.func, ast.Attribute):
        return False
    known = knowledge.method(call.func.attr) or ()
    return any([p.type for p in overload.parameters if not p.keyword] == ["I"] for overload in known)


def _by_types(types: set[str]) -> Said | None:
    """What a parameter of some types needs; a tensor may go where a number goes, so that says less."""
    if types and types <= {"T", "T?"}:
        return "tensor"
    if types == {"T", "L"}:
        return "array"  # a tensor, or several: `rearrange(x, ...)`
    return "number" if types and types <= {"i", "f", "b"} else None
