"""Loops that run a model for its outputs alone, with gradients on: an evaluation that nobody told autograd of.

    model.eval()                    the model is put into evaluation mode, ...
    for x in loader:
        correct += count(model(x))  ... runs, and nothing in the loop wants a gradient

`eval()` changes dropout and batch norm and nothing else: every output carries a graph that holds the activations.
Anything that hints at gradients, or at a mode that comes from out of sight, is taken for a reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.context import gates, how_often, loops, modes
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import base_names, function_names
from torchperf_lint.facts.idioms import gradients_wanted, handed_models, losses, shown_models, unknown_contexts
from torchperf_lint.facts.index import blocks, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, walk
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import lightning

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_NETWORKS: Final = ("torch.nn.Sequential", "torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN", "torch.nn.Transformer",
                    "torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder", "torch.nn.parallel.DistributedDataParallel",
                    "torch.nn.DataParallel")  # fmt: skip
"""What `torch.nn` has of more than one layer."""
_PLAIN: Final = frozenset(("staticmethod", "classmethod"))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A loop that runs a model with gradients on and has no use for them."""

    forward: ast.Call
    whole_function: bool
    """Nothing in the function of the loop wants gradients."""
    is_shown: bool
    """The class of the model is seen, or the file trains: a model from out of sight may be frozen, or switch gradients off."""


def of_loop(analysis: Analysis, module: Module, loop: ast.For | ast.While) -> Fact[Evaluation]:
    """The evaluation that a loop is, if it is the outermost loop that is one."""
    function = module.function_of(loop)
    is_named = function_names.runs_evaluation(function.name)
    if not is_named and function not in _switched(module, module.tree):
        return Fact(UNKNOWN)
    if (
        is_elsewhere(analysis, function)
        or gradients_wanted.hints(module, loop)
        or _is_inner(module, loop)
        or _feeds_backward(module, loop)
    ):
        return Fact(UNKNOWN)
    whole = not function.is_module and not gradients_wanted.hints(module, function.node)
    first, switched = Fact[Evaluation](UNKNOWN), _with_modes(module, module.tree)
    for call in forwards(analysis, module, loop):
        mode = evaluating(module, function, call)
        if mode is None and not (is_named and whole and _is_turn(analysis, module, loop, call)):
            continue
        if has_gradients(analysis, module, call) and not reads_arrays(analysis, module, loop):
            shown = mode if mode is not None else function.node
            message = "evaluation mode; gradients stay on" if mode is not None else "an evaluation, by its name"
            evidence = Evidence(shown, message, module.path)
            is_seen = shown_models.is_one(analysis, module, loop, call, model_of(call), switched)
            found = Fact(Evaluation(call, whole, is_seen), Sure.LIKELY, (evidence,))
            if is_seen:
                return found
            first = first if first.known else found
    return first


def forwards(analysis: Analysis, module: Module, loop: ast.AST) -> Iterator[ast.Call]:
    """The calls of modules, other than losses, in a loop."""
    switched = _with_modes(module, module.tree)
    for node in walk(loop, into_scopes=False):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            model = analysis.value(model_of(node), module)
            if model.kind == "module" and not _is_loss(model.ref):
                runs = not gradients_wanted.are_taken_by(module, model) and not gradients_wanted.are_told_by(model)
            else:
                runs = _is_of_model(analysis, module, node, switched) or handed_models.hands_on(
                    analysis, module, node, switched
                )
            if runs:
                yield node


def is_of_model(analysis: Analysis, module: Module, call: ast.Call) -> bool:
    """Whether a call runs a model of more than one layer, with gradients on."""
    model = analysis.value(model_of(call), module)
    if model.kind != "module" or _is_loss(model.ref) or gradients_wanted.are_taken_by(module, model):
        return False
    is_layer = isinstance(model.ref, str) and model.ref.startswith("torch.nn.") and model.ref not in _NETWORKS
    return not is_layer and has_gradients(analysis, module, call) and not _sets_mode(module)


def model_of(call: ast.Call) -> ast.expr:
    """What is called as a model: `model` of `model(x)`, and of `model.forward(x)`."""
    match call.func:
        case ast.Attribute(value=model, attr="forward"):
            return model
    return call.func


def _is_of_model(analysis: Analysis, module: Module, call: ast.Call, switched: frozenset[str]) -> bool:
    """Whether a call is of a model of which the file shows no more than its modes, or of a method that it has beside
    `forward`, on tensors: `model.encode_image(images)`."""
    is_model = ast.unparse(call.func) in switched
    if not is_model and (not isinstance(call.func, ast.Attribute) or ast.unparse(call.func.value) not in switched):
        return False
    method = last_name(call.func)
    if (
        method in handed_models.NO_FORWARD
        or method in knowledge.module_only()
        or analysis.value(call, module).kind not in ("unknown", "dict")
    ):
        return False
    return any(_holds_tensors(analysis.value(given, module)) for given in call.args)


def _holds_tensors(value: Value) -> bool:
    """Whether a value is a tensor, or a dictionary of them."""
    is_of_tensors = value.kind == "dict" and value.elem is not None and value.elem.kind == "tensor"
    return value.kind in ("tensor", "tensor_tree") or is_of_tensors


def _feeds_backward(module: Module, loop: ast.AST) -> bool:
    """Whether a backward pass behind a loop starts from what the loop computes or gathers."""
    function, end = module.function_of(loop), end_of(loop)
    below = {id(node): node for node in walk(loop)}
    gathered = {
        node.func.value.id
        for node in below.values()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.attr == "append"
    }
    for call in inside.calls(module, function.node):
        if last_name(call.func) not in lightning.BACKWARD or place_of(call) < end:
            continue
        if not isinstance(call.func, ast.Attribute):
            continue
        for part in (each for start in losses.starts(call) for each in losses.origins(module, start)):
            if id(part) in below or any(isinstance(each, ast.Name) and each.id in gathered for each in ast.walk(part)):
                return True
    return False


def _is_inner(module: Module, loop: ast.AST) -> bool:
    """Whether a loop around is the evaluation: then that one speaks."""
    around = blocks.loop(module, loop)
    return around is not None and not gradients_wanted.hints(module, around)


def is_elsewhere(analysis: Analysis, function: Function) -> bool:
    """Whether the mode of a function may come from out of sight: a framework, a decorator, a caller, the file."""
    return _is_framed(analysis, function) or is_off_around(analysis, function)


def is_off_around(analysis: Analysis, function: Function) -> bool:
    """Whether the file, a decorator or a caller in it may switch gradients off."""
    module = function.module
    if _sets_mode(module):
        return True
    if module.names & gradients_wanted.REQUIRES and "backward" not in module.names:
        return True  # a model of which every parameter is frozen makes no graph
    if any(names.dotted(function, each) is None and last_name(each) not in _PLAIN for each in function.decorators):
        return True
    sites = analysis.sites(function)
    return any(
        modes.no_grad(analysis, module, site).value is True or unknown_contexts.is_around(analysis, module, site)
        for site in sites
    )


def _sets_mode(module: Module) -> bool:
    """Whether a file switches gradients for all that follows; `with torch.set_grad_enabled(...)` does it for its block."""
    calls = module.calls.get("set_grad_enabled", ())
    return any(not isinstance(module.parents.get(call), ast.withitem) for call in calls)


def _is_framed(analysis: Analysis, function: Function) -> bool:
    """Whether a framework, or whoever calls the method of a module, decides on gradients."""
    methods = (each for each in function.around() if each.owner is not None)
    return (
        any(is_of_framework(analysis, each) or _is_of_others(analysis, each) for each in methods)
        or function.is_generator
    )


def _is_of_others(analysis: Analysis, function: Function) -> bool:
    """Whether a method is one of a module, and does not put that into evaluation mode itself."""
    assert function.owner is not None
    if analysis.kind(function.owner) != "module" or not function.positional:
        return analysis.kind(function.owner) == "module"
    own, itself = _switched(function.module, function.module.tree).get(function, ()), function.positional[0]
    is_named = function_names.runs_evaluation(function.name) or function_names.generates_all(function.name)
    return not any(
        _is_off(switch) and (name == itself or (is_named and name.startswith(f"{itself}."))) for switch, name in own
    )


def is_of_framework(analysis: Analysis, function: Function) -> bool:
    """Whether a method is one of a class of a framework, whose hooks call it as they please."""
    owner = function.owner
    return owner is not None and base_names.is_framework(classes.unseen_bases(analysis, owner))


def _is_loss(ref: object) -> bool:
    return isinstance(ref, str) and ref.startswith("torch.nn.") and ref.endswith("Loss")


def evaluating(module: Module, function: Function, call: ast.Call) -> ast.AST | None:
    """The call that put a model into evaluation mode, if that is the last thing said of its mode before a call of it."""
    models, start = {ast.unparse(each) for each in (model_of(call), *call.args)}, place_of(call)
    before = [
        switch
        for switch, name in _switched(module, module.tree).get(function, ())
        if place_of(switch) < start and any(_holds(name, model) for model in models)
    ]
    last = max(before, key=place_of, default=None)
    gate = gates.of(module, last) if last is not None else None  # behind one that is around both it is no gate
    is_sure = gate is None or gate is gates.of(module, call)
    return last if last is not None and is_sure and _is_off(last) else None


def _holds(switched: str, called: str) -> bool:
    """Whether what is called is what was switched, a part of it, or a method of it."""
    return called == switched or called.startswith(f"{switched}.")


@once
def _switched(module: Module, _: ast.Module) -> dict[Function, list[tuple[ast.Call, str]]]:
    """By function, the calls in it that put something into one mode or the other, and what that is called."""
    found: dict[Function, list[tuple[ast.Call, str]]] = {}
    for switch in (*module.calls.get("eval", ()), *module.calls.get("train", ())):
        found.setdefault(module.function_of(switch), []).append((switch, _receiver(module, switch)))
    return found


@once
def _with_modes(module: Module, tree: ast.Module) -> frozenset[str]:
    """What a file puts into one mode or the other."""
    return frozenset(name for switches in _switched(module, tree).values() for _, name in switches)


def _is_off(switch: ast.Call) -> bool:
    """`model.eval()`, or `model.train(False)`."""
    match switch:
        case ast.Call(func=ast.Attribute(attr="eval"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="train"), args=[ast.Constant(value=False)]):
            return True
    return False


def _receiver(module: Module, switch: ast.Call) -> str:
    """Whose mode is switched: `model` of `model.eval()`, and of `model = make().eval()`."""
    statement = module.parents.get(switch)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return ast.unparse(statement.targets[0])
    return ast.unparse(switch.func.value) if isinstance(switch.func, ast.Attribute) else ""


def _is_turn(analysis: Analysis, module: Module, loop: ast.For | ast.While, call: ast.Call) -> bool:
    """Whether a model is given what a loop goes through, whatever that comes from, or runs with every batch."""
    found = how_often.of(analysis, module, call, frozenset())
    return loops.gives_item(loop, call) or (found.value is not None and found.value >= Frequency.INFERENCE)


def has_gradients(analysis: Analysis, module: Module, call: ast.Call) -> bool:
    """Whether gradients are on where a model is called, and its output has one."""
    if analysis.value(call, module).grad is False or unknown_contexts.is_around(analysis, module, call):
        return False
    return modes.no_grad(analysis, module, call).value is not True


def reads_arrays(analysis: Analysis, module: Module, loop: ast.AST) -> bool:
    """Whether an output becomes an array without `detach()`, which raises where gradients are on."""
    return any(
        isinstance(call.func, ast.Attribute) and analysis.value(call.func.value, module).grad is True
        for call in walk(loop)
        if isinstance(call, ast.Call) and last_name(call.func) == "numpy"
    )
