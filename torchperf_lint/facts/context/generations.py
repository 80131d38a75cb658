"""Code that waits once beside a whole generation, which takes many steps of a model itself.

for _ in range(rollouts):
    state = state[state != pad]               once a turn
    answer = model.generate(state)            hundreds of steps, as of `sampling(x, inference_steps=20)`, or of `odeint(model, ...)`
"""

from __future__ import annotations

import ast
from itertools import takewhile
from typing import Final

from torchperf_lint.facts.context import gates, how_often
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.guesses import count_names, function_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import ClosedNode, last_name, walk

_MAYBE: Final = (ast.If, ast.IfExp, ast.BoolOp, ast.ExceptHandler, ast.While, *ClosedNode)
"""What may be passed by; a loop runs a turn at least."""

_SOLVERS: Final = frozenset(
    (
        "torchdiffeq.odeint torchdiffeq.odeint_adjoint torchdiffeq.odeint_event torchsde.sdeint torchsde.sdeint_adjoint torchcde.cdeint "
        "scipy.integrate.solve_ivp scipy.integrate.odeint"
    ).split()
)
"""They ask what they are given at each step of a solution."""


def beside(module: Module, node: ast.AST) -> Evidence | None:
    """The call that generates beside a node, each time that the node runs."""
    place = how_often.place_of(module, node)
    call = _generating(module, place.node if isinstance(place, Function) else place)
    return (
        Evidence(call, "a whole generation each time, beside which one wait is little", module.path) if call else None
    )


@once
def _generating(module: Module, place: ast.AST) -> ast.Call | None:
    """The call in a loop, or a function, that generates whenever that runs."""
    calls = [each for each in walk(place, into_scopes=False) if isinstance(each, ast.Call)]
    is_training = any(last_name(each.func) == "backward" for each in calls)
    for each in calls:
        # Where nothing in the loop trains, a call that is told how many steps to take is what its turns are for.
        is_told_steps = any(count_names.is_of_model_steps(keyword.arg or "") for keyword in each.keywords)
        if not (is_told_steps or function_names.generates_all(last_name(each.func)) or _solves(module, each)):
            continue
        is_sure = not is_told_steps or is_training or gates.of(module, each) is not None
        between = takewhile(lambda above: above is not place, module.ancestors(each))
        if not any(isinstance(above, _MAYBE if is_sure else (ast.ExceptHandler, *ClosedNode)) for above in between):
            return each
    return None


def _solves(module: Module, call: ast.Call) -> bool:
    """Whether a call solves a differential equation, from its first step to its last."""
    return dotted(module.function_of(call), call.func) in _SOLVERS
