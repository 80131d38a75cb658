"""How often a function runs by its role: what it is called, what it is a method of, and what it is handed to.

    class Net(nn.Module):
        def forward(self, x): ...                     for every batch
    class Watch(lightning.Callback):
        def on_train_batch_end(self, *given): ...     `knowledge.entries` says who calls it, and how often
    layer.register_forward_hook(note)                 so `note` runs whenever `layer` does

Looks at the function, its class and its file; who calls it is for `how_often`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import forward_methods, loops
from torchperf_lint.facts.context.frequency import COLD, SEEMS, Frequency
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.guesses import class_names, function_names, trainers
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import entries

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_OFTEN: Final = {
    "ONCE": "once an epoch",
    "INFERENCE": "for every batch or turn of an evaluation",
    "STEP": "at every step",
    "INNER": "at every step",
}
Role = tuple[Frequency, Sure, str]
"""How often, how sure that is, and in words."""


def of(analysis: Analysis, function: Function, hot: frozenset[str]) -> Fact[Frequency]:
    """How often a function runs by its role."""
    path, node = function.module.path, function.node
    dotted = f"{function.module.name}.{function.qualname}" if function.module.name else function.qualname
    if function.qualname in hot or dotted in hot or function.name in hot:
        return Fact(Frequency.INNER, Sure.PROVEN, (Evidence(node, "named in `hot-functions`", path),))
    role = _of_method(analysis, function) or _of_hook(function)
    if role is not None:
        frequency, sure, message = role
        return Fact(frequency, sure, (Evidence(node, message, path),))
    if function_names.clips_gradients(function.name) and _reads_gradients(function):
        message = f"`{function.name}` looks at the gradients of every step by its name{SEEMS}"
        return Fact(Frequency.STEP, Sure.LIKELY, (Evidence(node, message, path),))
    back = loops.step(analysis, function.module, node, within_loops=False)
    is_apart = back is not None and (
        _makes_optimizer(analysis, function) or _is_called_once(analysis, function) or _measures(function)
    )
    if back is not None and not is_apart:
        done = "the optimizer's step" if last_name(back.func) == "step" else "the backward pass"
        message = f"a training step: the function does {done}"
        return Fact(Frequency.STEP, Sure.LIKELY, (Evidence(back, message, path),))
    if function_names.is_for_tokens(function.positional):
        message = f"generation calls `{function.name}` for each token{SEEMS}"
        return Fact(Frequency.INFERENCE, Sure.LIKELY, (Evidence(node, message, path),))
    if function_names.seems_step(function.name):
        message = f"`{function.name}` is one step of a training{SEEMS}"
        return Fact(Frequency.STEP, Sure.LIKELY, (Evidence(node, message, path),))
    return COLD


def _reads_gradients(function: Function) -> bool:
    """Whether a function reads the `.grad` of something, which is there behind a backward pass alone."""
    module = function.module
    return any(
        isinstance(each.ctx, ast.Load) and any(around is function for around in module.function_of(each).around())
        for each in module.attributes.get("grad", ())
    )


def _makes_optimizer(analysis: Analysis, function: Function) -> bool:
    """Whether a function makes an optimizer for itself: it is a whole training, of however few steps, and no step of one."""
    made = (node for node in walk(function.node, into_scopes=False) if isinstance(node, ast.Assign))
    return any(analysis.value(node.value, function.module).kind == "optimizer" for node in made)


def _measures(function: Function) -> bool:
    """Whether a function takes the time of a backward pass, and no step: of what it measures, whoever asks."""
    called = {last_name(node.func) for node in walk(function.node) if isinstance(node, ast.Call)}
    return "elapsed_time" in called and "step" not in called


def _is_called_once(analysis: Analysis, function: Function) -> bool:
    """Whether all that calls a function is the top of its file, and in no loop, as a script calls one example after the other."""
    module, sites = function.module, analysis.sites(function)
    if not sites or function.owner is not None or module is not analysis.module:
        return False
    loops_around = (above for site in sites for above in module.ancestors(site) if isinstance(above, LOOPS))
    if any(not module.function_of(site).is_module for site in sites) or any(loops_around):
        return False
    neighbours = analysis.around()
    return neighbours is not None and not neighbours.is_used(analysis, function.name, None)


def _of_method(analysis: Analysis, function: Function) -> Role | None:
    """How often a method runs by what its class is and what it is called."""
    owner, name = function.owner, function.name
    if owner is None:
        return None
    known = analysis.kind_of(owner)
    is_module = known.value == "module"
    if is_module and name == "forward" and not forward_methods.is_aside(function):
        return Frequency.INNER, known.sure, f"`{owner.name}.forward` runs for every batch"
    if function_names.is_loss_method(name) and (is_module or trainers.is_one(analysis, owner)):
        return Frequency.INNER, Sure.LIKELY, f"`{owner.name}.{name}` is a part of every training step"
    if not is_module and name == "__call__" and function_names.is_loss_class(owner.name):
        return Frequency.INNER, Sure.LIKELY, f"`{owner.name}` is a part of every training step"
    if entries.is_known(name) and (role := _of_entry(analysis, owner, name)) is not None and role[0]:
        return role
    if function_names.is_step(name):
        return Frequency.INNER, Sure.LIKELY, f"`{name}` runs at every step, by its name"
    if known.value == "optimizer" and name == "step":
        return Frequency.STEP, known.sure, "the `step` of an optimizer"
    if name == "step" and function_names.steps_optimizer(_methods(analysis, owner)):
        return Frequency.STEP, Sure.LIKELY, f"`{owner.name}` has a `zero_grad` too: an optimizer{SEEMS}"
    if function_names.updates_average(owner.name, name):
        return Frequency.STEP, Sure.LIKELY, f"`{owner.name}.{name}` is called for each step of a training{SEEMS}"
    return None


def _methods(analysis: Analysis, owner: Class) -> frozenset[str]:
    """The names of the methods of a class, and of those above it."""
    return frozenset(name for each in analysis.ancestry(owner) for name in each.methods)


def _of_entry(analysis: Analysis, owner: Class, name: str) -> Role | None:
    """How often a framework calls a method of a class, by any class above it; shown or not, its name is what counts."""
    shown = [f"{each.module.name}.{each.qualname}" for each in analysis.ancestry(owner)[1:]]
    for base in (*classes.unseen_bases(analysis, owner), *shown):
        found = entries.frequency(base, name)
        if found is not None:
            return Frequency[found], Sure.PROVEN, f"`{name}` of `{base.rpartition('.')[2]}` runs {_OFTEN[found]}"
    return None


def is_seldom(analysis: Analysis, function: Function) -> bool:
    """Whether a framework calls a method once an epoch, whoever else may call it."""
    owner, name = function.owner, function.name
    role = _of_entry(analysis, owner, name) if owner is not None and entries.is_known(name) else None
    return role is not None and role[0] is Frequency.ONCE


def _of_hook(function: Function) -> Role | None:
    """How often a function runs that its file hands to torch as a hook; those of a debugger run while somebody looks for an error."""
    if function.owner is not None and class_names.is_debugger(function.owner.name):
        return None
    calls = function.module.calls
    for method, often in entries.HOOKS.items():
        for call in calls.get(method, ()):
            if call.args and _is(function, call.args[0]):
                return Frequency[often], Sure.LIKELY, f"a hook: `{method}` has it called each time"
    return None


def _is(function: Function, handed: ast.expr) -> bool:
    """Whether an expression stands for a function of its file: by its name, or as a method of `self`."""
    if last_name(handed) != function.name:
        return False
    around = function.module.function_of(handed)
    match handed:
        case ast.Name(id=name):
            home = names.scope_of(around, name)
            return home is not None and function.node in home.scope.stores[name]
        case ast.Attribute(value=ast.Name(id=receiver)) if (method := around.method) is not None:
            return method.owner is function.owner and method.positional[:1] == (receiver,)
    return False
