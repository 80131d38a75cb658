"""How hot the body of a loop is by itself: a step loop, a loop of inference, or neither.

A step loop is the innermost loop that holds `.backward()` or an optimizer's `step()`, or that iterates a loader, or
whose item is moved to a device or fed to a model, or that takes the steps of a sampler, or that carries a tensor of the
GPU from turn to turn. A loop that ends with its first turn is none.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import by_name, loop_state, module_setup, own_backward, sampling_loops
from torchperf_lint.facts.context.frequency import COLD, Frequency
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import ANY, Value
from torchperf_lint.facts.guesses import epoch_names, function_names, value_names, votes
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, Loop, children, last_name, walk
from torchperf_lint.facts.interpret import transfers
from torchperf_lint.facts.knowledge import lightning, python_functions

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_STEPPING: Final = (*lightning.BACKWARD, "step")
"""Words without one of which no loop of a file takes a step."""
_WEIGHTS: Final = frozenset(
    ("parameters", "named_parameters", "buffers", "named_buffers", "state_dict", "modules", "named_modules", "children", "named_children")
)  # fmt: skip
"""Methods of a module that give what it holds."""


def of(analysis: Analysis, module: Module, loop: Loop) -> Fact[Frequency]:
    """How hot the body of a loop is by itself."""
    known = analysis.loop_frequencies.get(loop)
    if known is None:
        known = analysis.loop_frequencies[loop] = _of_loop(analysis, module, loop)
    return known


def iterates_loader(analysis: Analysis, module: Module, loop: Loop) -> bool:
    """Whether a loop goes through the batches of a loader."""
    if not isinstance(loop, (ast.For, ast.AsyncFor)) or _counts(module, loop.iter):
        return False
    return _gives_batches(analysis.value(loop.iter, module)) and not _goes_through_keys(loop)


def _goes_through_keys(loop: ast.For | ast.AsyncFor) -> bool:
    """`for name in state: state[name] = state[name].to(device)`: what is gone through is a dictionary, and no loader."""
    match loop.iter, loop.target:
        case ast.Name(id=holder), ast.Name(id=key):
            for each in walk(loop, into_scopes=False):
                match each:
                    case ast.Subscript(value=ast.Name(id=held), slice=ast.Name(id=at)) if (held, at) == (holder, key):
                        return True
    return False


def _of_loop(analysis: Analysis, module: Module, loop: Loop) -> Fact[Frequency]:
    if _ends_with_first_turn(loop):
        return COLD
    call = step(analysis, module, loop, within_loops=False)
    if call is not None:
        if _is_epoch(module, loop):
            return COLD  # all of the data in one batch: a turn is an epoch
        message = "optimizer's step" if last_name(call.func) == "step" else "backward pass"
        return _stepping(module, loop, f"the loop holds the {message}", _surely_steps(analysis, module, loop))
    if step(analysis, module, loop, within_loops=True) is not None:
        return COLD  # an epoch loop: its steps are in a loop inside
    if isinstance(loop, (ast.For, ast.AsyncFor)):
        may_sample = "step" in module.calls
        if may_sample and sampling_loops.takes_samples(loop):
            return _stepping(module, loop, "it takes the steps of a sampler", Sure.LIKELY)
        if iterates_loader(analysis, module, loop):
            return _stepping(module, loop, "it iterates a loader", Sure.PROVEN)
        if may_sample and sampling_loops.holds_sampling(loop):
            return COLD  # a loop over videos, prompts or chunks: its steps are in a loop inside, or are those around it
        if _is_moved(analysis, module, loop):
            return _stepping(module, loop, "its items are moved to the device", Sure.LIKELY)
    return _inference(analysis, module, loop)


def _ends_with_first_turn(loop: Loop) -> bool:
    """Whether a loop ends with its first turn: `for x, y in loader: ...; break` takes one batch."""
    if not isinstance(loop.body[-1], ast.Break):
        return False
    return not any(isinstance(node, ast.Continue) for node in walk(loop, into_scopes=False))


def _stepping(module: Module, loop: Loop, why: str, sure: Sure) -> Fact[Frequency]:
    return Fact(Frequency.STEP, sure, (Evidence(loop, f"a step loop: {why}", module.path),))


def holds_steps(analysis: Analysis, module: Module, loop: Loop) -> bool:
    """Whether each turn of a loop takes steps in a loop of its own: beside those, what it does once a turn is little."""
    return _holds_steps(analysis, (module, loop))


@once
def _holds_steps(analysis: Analysis, place: tuple[Module, Loop]) -> bool:
    module, loop = place
    inner = (each for each in walk(loop, into_scopes=False) if isinstance(each, LOOPS) and each is not loop)
    return any(
        sampling_loops.takes_samples(each)
        or (of(analysis, module, each).value or Frequency.ONCE) >= Frequency.INFERENCE
        for each in inner
    )


def step(analysis: Analysis, module: Module, node: ast.AST, *, within_loops: bool) -> ast.Call | None:
    """A backward pass or an optimizer's step directly in a loop or function, or also in the loops inside it."""
    if isinstance(node, ast.Lambda) or not any(name in module.calls for name in _STEPPING):
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
        case ast.Attribute(attr=name) if name in lightning.BACKWARD:
            return not own_backward.works_out_losses(module, call)
        case ast.Attribute(value=receiver, attr="step") if len(call.args) + len(call.keywords) <= 1:
            # An optimizer's takes a closure at most, a scaler's the optimizer; that of a sampler takes more.
            kind = analysis.value(receiver, module).kind
            return kind in ("optimizer", "scaler")
    return False


def _surely_steps(analysis: Analysis, module: Module, loop: Loop) -> Sure:
    """How sure it is that a loop trains: `backward` of what nothing is known of may be another thing of that name."""
    for node in walk(loop, into_scopes=False):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_step(analysis, module, node):
            held = analysis.value(node.func.value, module)
            if held.kind in ("optimizer", "scaler") or (held.kind == "tensor" and not _only_used_so(held)):
                return Sure.PROVEN
    return Sure.LIKELY


def _only_used_so(held: Value) -> bool:
    """Whether nothing but what is done with it says that something is a tensor."""
    return held.why is not None and held.why.message.startswith("used as")


def _is_epoch(module: Module, loop: Loop) -> bool:
    """Whether a loop counts epochs: `for epoch in range(200)`, with the step in its own body."""
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or not _counts(module, loop.iter):
        return False
    name = loop.target.id
    return epoch_names.says_epoch(name) and not any(
        isinstance(each, LOOPS) and each is not loop for each in walk(loop, into_scopes=False)
    )


def _counts(module: Module, node: ast.expr) -> bool:
    """Whether a loop goes over numbers by its look: nothing needs to be evaluated to know that they are no batches."""
    match node:
        case ast.Call(func=ast.Name(id="range")):
            return names.scope_of(module.function_of(node), "range") is None
        case ast.Call(func=ast.Name(id="enumerate" | "reversed" | "list" | "tqdm" | "trange"), args=[first, *_]):
            return _counts(module, first)
    return False


def _gives_batches(value: Value) -> bool:
    """Whether iterating a value gives the batches of a loader."""
    if value.kind == "loader":
        return True
    if value.kind == "tensor_tree":
        return bool(value.ref == "batch")
    if value.kind in ("iterator", "list", "tuple"):
        items = value.items if isinstance(value.items, tuple) else ()
        return any(_gives_batches(item) for item in (*items[:4], *([value.elem] if value.elem is not None else [])))
    return False


def _is_moved(analysis: Analysis, module: Module, loop: ast.For | ast.AsyncFor) -> bool:
    """Whether the item of a loop is moved to a device in it; the weights of a model are no batches."""
    if any(
        (isinstance(each, ast.Call) and last_name(each.func) in _WEIGHTS) or isinstance(each, ast.Dict)
        for each in ast.walk(loop.iter)
    ):
        return False
    function = module.function_of(loop)
    targets = [name for name in ast.walk(loop.target) if isinstance(name, ast.Name)]
    casts = [cast for name in targets for cast in votes.of(function, name.id, name)]
    return any(
        vote == "moved" and transfers.changes_device(analysis, module, at) and not _leaves_gpu(module, at)
        for _, vote, at, _ in casts
    )


def _leaves_gpu(module: Module, at: ast.AST) -> bool:
    """Whether a move is one to the host, as of what is logged."""
    call = at if isinstance(at, ast.Call) else module.parents.get(at)
    if not isinstance(call, ast.Call):
        return False
    to_host = any(isinstance(each, ast.Constant) and each.value == "cpu" for each in call.args)
    return last_name(call.func) == "cpu" or to_host


def gives_item(loop: Loop, call: ast.Call) -> bool:
    """Whether a call is given what a loop goes through."""
    given, items = (*call.args, *(named.value for named in call.keywords)), _items(loop)
    return any(isinstance(part, ast.Name) and part.id in items for each in given for part in walk(each))


def _items(loop: Loop) -> set[str]:
    """The names of the items of a loop: each of some layers, or of some models, runs once in it."""
    if isinstance(loop, ast.While):
        return set()
    return {each.id for each in walk(loop.target) if isinstance(each, ast.Name)}


def _inference(analysis: Analysis, module: Module, loop: Loop) -> Fact[Frequency]:
    """A loop that runs a model, steps an environment, or carries a tensor of the GPU."""
    nodes, items = list(walk(loop, into_scopes=False)), _items(loop)
    if _runs_trainings(analysis, module, nodes):
        return COLD
    for node in nodes:
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            is_item = isinstance(node.func, ast.Name) and name in items
            if not is_item and _callee(analysis, module, node.func).kind == "module":
                return Fact(
                    Frequency.INFERENCE, Sure.LIKELY, (Evidence(loop, "a loop that runs a model", module.path),)
                )
            if isinstance(node.func, ast.Attribute) and name == "step" and len(node.args) == 1:
                receiver = analysis.value(node.func.value, module)
                if receiver.kind == "unknown":
                    message = "a loop that steps an environment"
                    return Fact(Frequency.INFERENCE, Sure.LIKELY, (Evidence(loop, message, module.path),))
            if function_names.generates(name) and not _picks(node):
                # `buffer.sample(64)` draws a batch of a replay buffer: a loop around it may well train.
                message = "a loop that draws samples" if name == "sample" else "a loop that generates"
                return Fact(Frequency.INFERENCE, Sure.LIKELY, (Evidence(loop, message, module.path),))
    kept = loop_state.by(analysis, module, loop, nodes)
    function = module.function_of(loop)
    if kept is not None and not module_setup.is_setup(analysis, function) and not _reads_results(function):
        message = "carried on the GPU from turn to turn of the loop"
        return Fact(Frequency.STEP, Sure.LIKELY, (Evidence(kept, message, module.path),))
    if isinstance(loop, ast.While) or _counts(module, loop.iter) or _goes_through_keys(loop):
        return COLD
    seems = by_name.goes_over_batches(analysis, module, loop)
    return Fact(Frequency.INFERENCE, Sure.LIKELY, (seems,)) if seems is not None else COLD


def _picks(call: ast.Call) -> bool:
    """Whether a call picks some of what it is given: `self.bbox_sampler.sample(assigned, boxes)`."""
    return isinstance(call.func, ast.Attribute) and value_names.is_sampler(last_name(call.func.value))


def _runs_trainings(analysis: Analysis, module: Module, nodes: list[ast.AST]) -> bool:
    """Whether a loop calls a function of its file that trains in a loop of its own: the search for its settings."""
    if not any(name in module.calls for name in lightning.BACKWARD):
        return False
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    own = _own_functions(module, module.tree)
    return any(
        step(analysis, module, each.node, within_loops=False) is None
        and step(analysis, module, each.node, within_loops=True) is not None
        for name in sorted(called & own.keys())
        for each in own[name]
    )


@once
def _own_functions(module: Module, _: ast.Module) -> dict[str, list[Function]]:
    """The functions at the top of a file, by their names."""
    found: dict[str, list[Function]] = {}
    for each in module.body.inner:
        found.setdefault(each.name, []).append(each)
    return found


def _callee(analysis: Analysis, module: Module, func: ast.expr) -> Value:
    """What is called; of what a function does not bind itself, no more than the name is looked up."""
    match func:
        case ast.Name(id=name) if name not in (function := module.function_of(func)).scope.stores:
            return analysis.free(function, name)
        case ast.Attribute(attr=attr) if attr in python_functions.CONTAINER_METHODS:  # no module is called so
            return ANY
    return analysis.value(func, module)


def _reads_results(function: Function) -> bool:
    """Whether a function, or one around it, makes what a user is shown of the outputs of a model: no step, but after it."""
    return any(function_names.reads_results(each.name) for each in function.around())
