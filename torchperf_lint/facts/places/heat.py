"""How often code runs: inside `forward`, at every training step, in an inference loop, or once.

    H3   inside `forward`, a loss, `training_step`, or a loop nested in a step loop
    H2   the body of a step loop
    H1   inference, generation and environment loops
    H0   the rest, code that runs once an epoch too

A step loop is the innermost loop that holds `.backward()` or an optimizer's `step()`, or that iterates a loader, or
whose item is moved to a device or fed to a model, or that carries a tensor of the GPU from turn to turn. What a hot
body calls is as hot as the call; a call behind a gate makes nothing hot.
"""

from __future__ import annotations

import ast
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.fact import Evidence, Fact, Sure
from torchperf_lint.facts.interpreter import callers, classes, transfers, votes
from torchperf_lint.facts.places import gates, roles
from torchperf_lint.facts.program import LOOPS, Climb, ClosedNode, Function, Module, children, in_body, last_name, walk
from torchperf_lint.facts.values import CUDA, MAYBE, Value

if TYPE_CHECKING:
    from torchperf_lint.facts.interpreter.infer import Analysis

Loop = ast.For | ast.AsyncFor | ast.While


class Heat(IntEnum):
    """How often code runs; compares."""

    H0 = 0
    H1 = 1
    H2 = 2
    H3 = 3


COLD: Final = Fact(Heat.H0, Sure.PROVEN)
DEEP: Final = 5
"""How many callers are followed."""

_STEPS: Final = frozenset(("training_step", "validation_step", "test_step", "predict_step"))
_LOSSES: Final = frozenset(("loss", "compute_loss", "get_loss", "calculate_loss"))
"""Methods of a module that its training calls beside `forward`."""

_GENERATING: Final = frozenset(
    ("generate", "sample", "rollout", "collect_rollouts", "p_sample_loop", "ddim_sample", "beam_search")
)


def of(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str], depth: int = DEEP) -> Fact[Heat]:
    """How hot the place of a node is, gates aside."""
    loop = _loop(module, node)
    place = module.function_of(node) if loop is None else loop
    known = analysis.places.get(place)
    if known is None:
        known = _of_place(analysis, module, node, hot, depth)
        if depth == DEEP:
            analysis.places[place] = known
    return known


def _of_place(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str], depth: int) -> Fact[Heat]:
    """How hot all that is in one loop, or in a function outside of its loops, is."""
    function = module.function_of(node)
    best = base(analysis, function, hot, depth)
    nested = 0
    loop = _loop(module, node)
    while loop is not None:
        found = of_loop(analysis, module, loop)
        if found.value and found.value >= Heat.H2 and nested:
            found = Fact(Heat.H3, found.sure, found.because)
        if found.value and found.value > (best.value or 0):
            best = found
        nested += 1
        loop = _loop(module, loop)
    if nested and best.value == Heat.H2 and best is not COLD and _is_base(analysis, function, best, hot, depth):
        best = Fact(Heat.H3, best.sure, best.because)
    return best


def _is_base(analysis: Analysis, function: Function, best: Fact[Heat], hot: frozenset[str], depth: int) -> bool:
    """Whether the heat comes from the whole function: then a loop in it is nested in a step."""
    return best is base(analysis, function, hot, depth)


def _loop(module: Module, node: ast.AST) -> Loop | None:
    """The innermost loop whose body a node stands in, within its function."""
    return module.climbed(module.around, node, _loop_of, top=None)


def _loop_of(above: ast.AST, below: ast.AST) -> Loop | Climb | None:
    """The loop that a node above is, if what is below stands in its body."""
    if isinstance(above, ClosedNode):
        return None
    if (isinstance(above, LOOPS) and in_body(below, above)) or (isinstance(above, ast.While) and below is above.test):
        return above
    return Climb.ON


# ---- functions


def base(analysis: Analysis, function: Function, hot: frozenset[str], depth: int) -> Fact[Heat]:
    """How hot the body of a function is, by its role and its callers."""
    known = analysis.heats.get(function)
    if known is None:
        analysis.heats[function] = COLD  # while it is being found, for functions that call each other
        known = analysis.heats[function] = _base(analysis, function, hot, depth)
    return known


def _base(analysis: Analysis, function: Function, hot: frozenset[str], depth: int) -> Fact[Heat]:
    if function.is_module or _is_memoised(function):
        return COLD
    role = _role(analysis, function, hot)
    if role.value == Heat.H3 or depth == 0:
        return role
    best = role
    for call in callers.sites(analysis, function):
        if gates.of(function.module, call) is not None or roles.is_never_run(function.module, call):
            continue
        found = of(analysis, function.module, call, hot, depth - 1)
        if (found.value or 0) > (best.value or 0):
            called = Evidence(call, f"called from here: {_short(found)}", function.module.path)
            best = Fact(found.value, Sure.LIKELY, (called, *found.because[:1]))
    if function.within is not None and not function.within.is_module and function.owner is None:
        found = of(analysis, function.module, function.node, hot, depth - 1)
        if (found.value or 0) > (best.value or 0):
            best = found
    return best


def _is_memoised(function: Function) -> bool:
    """Whether a decorator keeps what a function returns: `lru_cache`, `cached_property`."""
    named = (each.func if isinstance(each, ast.Call) else each for each in function.decorators)
    return any("cache" in last_name(name) for name in named)


def _short(found: Fact[Heat]) -> str:
    return found.because[0].message if found.because else "a hot place"


def _role(analysis: Analysis, function: Function, hot: frozenset[str]) -> Fact[Heat]:
    """The heat that the role of a function gives it."""
    path, node = function.module.path, function.node
    dotted = f"{function.module.name}.{function.qualname}" if function.module.name else function.qualname
    if function.qualname in hot or dotted in hot or function.name in hot:
        return Fact(Heat.H3, Sure.PROVEN, (Evidence(node, "named in `hot-functions`", path),))
    owner = function.owner
    if owner is not None:
        kind = classes.kind(analysis, owner)
        if kind == "module" and function.name == "forward" and not roles.is_aside(function):
            return Fact(Heat.H3, Sure.PROVEN, (Evidence(node, f"`{owner.name}.forward` runs at every step", path),))
        if kind == "module" and function.name in _LOSSES:
            said = f"`{owner.name}.{function.name}` is a part of every training step"
            return Fact(Heat.H3, Sure.LIKELY, (Evidence(node, said, path),))
        if function.name in _STEPS:
            return Fact(Heat.H3, Sure.PROVEN, (Evidence(node, f"`{function.name}` runs at every step", path),))
        if kind == "optimizer" and function.name == "step":
            return Fact(Heat.H2, Sure.PROVEN, (Evidence(node, "the `step` of an optimizer", path),))
    back = _holds(analysis, function.module, node, within_loops=False)
    if back is not None:
        said = "a training step: the function does the backward pass"
        return Fact(Heat.H2, Sure.LIKELY, (Evidence(back, said, path),))
    return COLD


# ---- loops


def of_loop(analysis: Analysis, module: Module, loop: Loop) -> Fact[Heat]:
    """How hot the body of a loop is by itself."""
    known = analysis.loop_heats.get(loop)
    if known is None:
        known = analysis.loop_heats[loop] = _of_loop(analysis, module, loop)
    return known


def _of_loop(analysis: Analysis, module: Module, loop: Loop) -> Fact[Heat]:
    step = _holds(analysis, module, loop, within_loops=False)
    if step is not None:
        said = "optimizer's step" if last_name(step.func) == "step" else "backward pass"
        return Fact(Heat.H2, Sure.PROVEN, (Evidence(loop, f"a step loop: the loop holds the {said}", module.path),))
    if _holds(analysis, module, loop, within_loops=True) is not None:
        return COLD  # an epoch loop: its steps are in a loop inside
    if isinstance(loop, (ast.For, ast.AsyncFor)):
        if _gives_batches(analysis.value(loop.iter, module)):
            return Fact(Heat.H2, Sure.PROVEN, (Evidence(loop, "a step loop: it iterates a loader", module.path),))
        is_moved = _is_moved(analysis, module, loop)
        if is_moved or roles.takes_samples(loop):
            said = "its items are moved to the device" if is_moved else "it takes the steps of a sampler"
            return Fact(Heat.H2, Sure.LIKELY, (Evidence(loop, f"a step loop: {said}", module.path),))
    return _inference(analysis, module, loop)


def _holds(analysis: Analysis, module: Module, node: ast.AST, *, within_loops: bool) -> ast.Call | None:
    """A backward pass or an optimizer's step directly in a loop or function, or also in the loops inside it."""
    if isinstance(node, ast.Lambda):
        return None
    stack: list[ast.AST] = list(getattr(node, "body", []))
    while stack:
        top = stack.pop()
        if isinstance(top, ClosedNode) or (isinstance(top, LOOPS) and not within_loops):
            continue
        if isinstance(top, ast.Call) and _is_step(analysis, module, top):
            return top
        stack.extend(children(top))
    return None


def _is_step(analysis: Analysis, module: Module, call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(attr="backward" | "manual_backward"):
            return True
        case ast.Attribute(value=receiver, attr="step"):
            kind = analysis.value(receiver, module).kind
            return kind in ("optimizer", "scaler")
    return False


def _gives_batches(value: Value) -> bool:
    """Whether iterating a value gives the batches of a loader."""
    if value.kind == "loader":
        return True
    if value.kind == "nest":
        return bool(value.ref == "batch")
    if value.kind in ("iterator", "list", "tuple"):
        items = value.items if isinstance(value.items, tuple) else ()
        return any(_gives_batches(item) for item in (*items[:4], *([value.elem] if value.elem is not None else [])))
    return False


def _is_moved(analysis: Analysis, module: Module, loop: ast.For | ast.AsyncFor) -> bool:
    """Whether the item of a loop is moved to a device in it."""
    function = module.function_of(loop)
    targets = [name for name in ast.walk(loop.target) if isinstance(name, ast.Name)]
    casts = [cast for name in targets for cast in votes.of(analysis, function, name.id, name)]
    return any(vote == "moved" and transfers.changes_device(analysis, module, at) for _, vote, at in casts)


def _inference(analysis: Analysis, module: Module, loop: Loop) -> Fact[Heat]:
    """A loop that runs a model, steps an environment, or carries a tensor of the GPU."""
    for node in walk(loop, into_scopes=False):
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            callee = analysis.value(node.func, module) if not isinstance(node.func, ast.Attribute) else None
            held = callee if callee is not None else analysis.values.get(node.func)
            if held is not None and held.kind == "module":
                return Fact(Heat.H1, Sure.LIKELY, (Evidence(loop, "a loop that runs a model", module.path),))
            if isinstance(node.func, ast.Attribute) and name == "step" and len(node.args) == 1:
                receiver = analysis.value(node.func.value, module)
                if receiver.kind == "unknown":
                    said = "a loop that steps an environment"
                    return Fact(Heat.H1, Sure.LIKELY, (Evidence(loop, said, module.path),))
            if name in _GENERATING:
                return Fact(Heat.H1, Sure.LIKELY, (Evidence(loop, "a loop that generates", module.path),))
    carried = _carried(analysis, module, loop)
    if carried is not None:
        said = "carried on the GPU from turn to turn of the loop"
        return Fact(Heat.H2, Sure.LIKELY, (Evidence(carried, said, module.path),))
    return COLD


def _carried(analysis: Analysis, module: Module, loop: Loop) -> ast.AST | None:
    """A name that a loop rebinds from itself to a tensor of the GPU: a simulation."""
    for node in walk(loop, into_scopes=False):
        target = (
            node.targets[0]
            if isinstance(node, ast.Assign)
            else node.target
            if isinstance(node, ast.AugAssign)
            else None
        )
        if not isinstance(target, ast.Name):
            continue
        analysis.record(module.function_of(node))
        value = analysis.values.get(target)
        if value is None or value.kind != "tensor" or value.device not in (CUDA, MAYBE):
            continue
        source = node.value if isinstance(node, ast.Assign) else target
        if isinstance(node, ast.AugAssign) or any(
            isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(source)
        ):
            return target
    return None
