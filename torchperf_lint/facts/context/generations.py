"""Code that waits once beside a whole generation, which takes many steps of a model itself.

for _ in range(rollouts):
    state = state[state != pad]               once a turn
    answer = model.generate(state)            hundreds of steps, as of `sampling(x, inference_steps=20)`, or of `odeint(model, ...)`
"""

from __future__ import annotations

import ast
from itertools import takewhile
from typing import Final

from torchperf_lint.facts.context import gates, how_often, sampling_loops
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.guesses import count_names, function_names
from torchperf_lint.facts.index import arms, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, Loop, last_name, place_of, walk
from torchperf_lint.facts.knowledge import lightning

_MAYBE: Final = (ast.If, ast.IfExp, ast.BoolOp, ast.ExceptHandler, ast.While, *ClosedNode)
"""What may be passed by; a loop runs a turn at least."""

_SOLVERS: Final = frozenset(
    (
        "torchdiffeq.odeint torchdiffeq.odeint_adjoint torchdiffeq.odeint_event torchsde.sdeint torchsde.sdeint_adjoint torchcde.cdeint "
        "scipy.integrate.solve_ivp scipy.integrate.odeint"
    ).split()
)
"""They ask what they are given at each step of a solution."""
_DEEP: Final = 2
"""So many calls are followed to the steps of a sampler."""
_TAKING: Final = (*LOOPS, ast.Call)
"""What may take the steps of a sampler."""


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
        if not _generates(module, each):
            continue
        is_sure = not _is_told_steps(each) or is_training or gates.of(module, each) is not None
        between = takewhile(lambda above: above is not place, module.ancestors(each))
        if not any(isinstance(above, _MAYBE if is_sure else (ast.ExceptHandler, *ClosedNode)) for above in between):
            return each
    return None


def _generates(module: Module, call: ast.Call) -> bool:
    """Whether a call takes many steps of a model."""
    return _is_told_steps(call) or function_names.generates_all(last_name(call.func)) or _solves(module, call)


def _solves(module: Module, call: ast.Call) -> bool:
    """Whether a call solves a differential equation, from its first step to its last."""
    return dotted(module.function_of(call), call.func) in _SOLVERS


def _is_told_steps(call: ast.Call) -> bool:
    return any(count_names.is_of_model_steps(keyword.arg or "") for keyword in call.keywords)


# ---- outside of the steps


@once
def trains(_: Module, place: ast.AST) -> bool:
    """Whether a function, or a loop, does a backward pass, or is a step or a loss of a training by its name: somebody else does it then."""
    name = getattr(place, "name", "")
    if function_names.seems_step(name) or function_names.is_loss_method(name):
        return True
    return any(isinstance(each, ast.Call) and last_name(each.func) in lightning.BACKWARD for each in walk(place))


@once
def are_steps(module: Module, loop: Loop) -> bool:
    """Whether the turns of a loop are the steps of a sampler."""
    return "step" in module.calls and sampling_loops.takes_samples(loop)


def outside(module: Module, place: ast.AST, node: ast.AST) -> Evidence | None:
    """All the steps of a generation that a loop, or a function, takes beside a node each time that the node runs."""
    if trains(module, place):
        return None
    for steps in _steps(module, place):
        if steps is not node and node not in _inside(module, steps) and _runs_with(module, place, steps, node):
            return Evidence(steps, "a whole generation each time, beside which this is little", module.path)
    return None


@once
def _steps(module: Module, place: ast.AST) -> list[ast.AST]:
    """The loops that take the steps of a sampler, and the calls that take many steps of a model, in a loop or a function."""
    below = (each for each in walk(place, into_scopes=False) if isinstance(each, _TAKING) and each is not place)
    return [each for each in below if _takes_steps(module, each, _DEEP) or _draws_solution(module, each)]


def _draws_solution(module: Module, node: ast.AST) -> bool:
    """Whether a call solves a differential equation for what it gives: one in `forward` is a layer, which is trained so, too."""
    return isinstance(node, ast.Call) and _solves(module, node) and module.function_of(node).name != "forward"


def _takes_steps(module: Module, node: ast.AST, deep: int) -> bool:
    if isinstance(node, LOOPS):
        return are_steps(module, node)
    if not isinstance(node, ast.Call):
        return False
    name, own = last_name(node.func), _own(module, node)
    if own is not None:
        is_named = _says_steps(name) or _is_told_steps(node)
        return (is_named and _may_take_steps(own)) or (deep > 0 and _holds_steps(module, (own, deep - 1)))
    return (_is_told_steps(node) and not function_names.sets_steps(name)) or _says_steps(name)


def _says_steps(name: str) -> bool:
    return function_names.generates_all(name) or function_names.samples_all(name)


@once
def _holds_steps(module: Module, asked: tuple[Function, int]) -> bool:
    """Whether a function takes the steps of a sampler whenever it runs."""
    function, deep = asked
    every = (each for each in walk(function.node, into_scopes=False) if isinstance(each, _TAKING))
    return any(_takes_steps(module, each, deep) and arms.arm_of(module, each) is None for each in every)


def _may_take_steps(function: Function) -> bool:
    """Whether a function that is called so has a loop, or hands on to another that is called so: one pass of a decoder is no generation."""
    return any(
        isinstance(each, LOOPS) or (isinstance(each, (ast.Name, ast.Attribute)) and _says_steps(last_name(each)))
        for each in walk(function.node)
    )


def _own(module: Module, call: ast.Call) -> Function | None:
    """The function of the same file that a call runs: one at its top, or a method of `self`."""
    match call.func:
        case ast.Name(id=name):
            return _at_top(module, None).get(name)
        case ast.Attribute(value=ast.Name(id=receiver), attr=name):
            method = module.function_of(call).method
            is_own = method is not None and method.owner is not None and method.positional[:1] == (receiver,)
            return method.owner.methods.get(name) if is_own else None  # type: ignore[union-attr]
    return None


@once
def _at_top(module: Module, _: None) -> dict[str, Function]:
    """The functions at the top of a file by their names, of which the first counts."""
    return {each.name: each for each in reversed(module.body.inner)}


@once
def _inside(_: Module, steps: ast.AST) -> frozenset[ast.AST]:
    return frozenset(walk(steps))


def _runs_with(module: Module, place: ast.AST, steps: ast.AST, node: ast.AST) -> bool:
    """Whether steps are taken whenever a node runs: at each run of the place, or, behind a condition, before what comes to a node
    behind it; who gives back something before them takes none."""
    within = takewhile(lambda above: above is not place, module.ancestors(steps))
    if any(isinstance(above, (ast.IfExp, ast.BoolOp, *ClosedNode)) for above in within):
        return False
    around_node = arms.around(arms.arm_of(module, node))
    only = [each for each in arms.around(arms.arm_of(module, steps)) if each not in around_node]
    only = [each for each in only if inside.is_inside(module, each.branch, place)]
    if any(each.branch is other.branch for each in only for other in around_node):
        return False  # the one or the other
    if place_of(node) > place_of(steps):
        return not only or bool(around_node)
    leaving = (each for each in _leaving(module, place) if steps not in _inside(module, each))
    return not only and not any(place_of(node) < place_of(each) < place_of(steps) for each in leaving)


@once
def _leaving(_: Module, place: ast.AST) -> list[ast.AST]:
    """What leaves a loop, or a function, or a turn of it."""
    return [each for each in walk(place, into_scopes=False) if isinstance(each, (ast.Return, ast.Break, ast.Continue))]
