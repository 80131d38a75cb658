"""Tensors that a function makes of what it is given and is no tensor: what it is given as a tensor stays where that is.

x = x if isinstance(x, torch.Tensor) else torch.tensor(x)      on the host for those alone who pass a list or an array
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.places import CONVERTED
from torchperf_lint.facts.domain.value import CPU, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import narrowing

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_MAKERS: Final = frozenset(("torch.tensor", "torch.as_tensor", "torch.from_numpy", "torch.asarray"))
_QUESTIONS: Final = ("isinstance", "type", "is_tensor")


def told(run: Run, node: ast.AST, name: str, bound: dict[str, Value], made: Value) -> Value:
    """What a call gives that makes a tensor of a parameter which its function has asked for what it is: the call alone has it on
    the host."""
    match node:
        case ast.Call(args=[ast.Name(id=given), *_]) if (
            name in _MAKERS and made.device == CPU and "device" not in bound
        ):
            if _is_open(next(iter(bound.values()), None)) and given in asked(run.module, run.function):
                return made.but(where=None, places=CONVERTED)
    return made


def _is_open(data: Value | None) -> bool:
    """Whether all that is known of what is given was learned by asking it."""
    is_tested = data is not None and data.why is not None and data.why.message.startswith(narrowing.TESTED)
    return data is None or data.kind == "unknown" or is_tested


@once
def asked(module: Module, function: Function) -> frozenset[str]:
    """The parameters of a function that it asks for what they are."""
    found = set()
    for call in (each for name in _QUESTIONS for each in module.calls.get(name, ())):
        match call.args:
            case [ast.Name(id=name), *_] if name in function.parameters and module.function_of(call) is function:
                found.add(name)
    return frozenset(found)
