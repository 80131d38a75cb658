"""Functions that run a model for numbers of Python, or for what they detach: nothing that leaves them has a gradient, whoever
calls them.

    def act(self, state):
        q = self.network(state)
        return q.argmax(1).item()
    def embed(self, images):
        return self.model(images).detach().cpu().numpy()

Knows syntax, and what is a model.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import class_names, file_words, function_names, model_names, value_names
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.interpret import context_managers
from torchperf_lint.rules.autograd.eval_without_no_grad import leaving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

READS: Final = ("item", "tolist", "numpy", "float", "int", "detach")
_MANY: Final = 300
"""A function of more calls is not followed: each would be held against all that the function says."""
_OFF: Final = ("no_grad", "inference_mode", "set_grad_enabled")
"""What a project says that switches gradients off: a method of a module may then be one of those that run so."""

_OTHERWISE: Final = (*file_words.FREEZING, gradients_wanted.OF_A_FORWARD)
"""What a project says where a model from out of sight may have no gradients, or take the forces of an energy in its `forward`."""


def forward(facts: Facts, read: ast.AST) -> Fact[ast.Call]:
    """The forward pass with gradients on, of which nothing leaves the function with a gradient, where one is read first."""
    module = facts.module
    function = module.function_of(read)
    if function.is_module or not isinstance(read, ast.Call) or read is not _first_read(module, function):
        return Fact(UNKNOWN)
    if function.is_generator or function.name in _handed_over(module, module.tree) or _is_elsewhere(facts, function):
        return Fact(UNKNOWN)
    calls = list(_forwards(facts, function)) if len(inside.calls(module, function.node)) <= _MANY else []
    if not calls or _wants_gradients(function) or evaluation.reads_arrays(facts.analysis, module, function.node):
        return Fact(UNKNOWN)
    if any(leaving.leaves(function, call) or not _is_read(module, call) for call in calls):
        return Fact(UNKNOWN)
    return Fact(calls[0], Sure.LIKELY, (_evidence(module, function, calls[0], read),))


def _forwards(facts: Facts, function: Function) -> Iterator[ast.Call]:
    """The calls of a model: one that is known, or of what is called like one, where what it gives is detached."""
    known = [
        each for each in evaluation.forwards(facts.analysis, facts.module, function.node) if _is_model(facts, each)
    ]
    yield from known
    if file_words.thinks_of_gradients(facts.module.names):
        return
    for call in inside.calls(facts.module, function.node):
        if call not in known and _is_named(facts, call) and leaving.is_detached(function, call):
            yield call


def _is_named(facts: Facts, call: ast.Call) -> bool:
    """Whether what nothing is known of is called like a model, or is a method that one has beside `forward`, on something."""
    model = evaluation.model_of(call)
    if isinstance(model, ast.Attribute) and function_names.runs_part(model.attr):
        model = model.value
    is_known = facts.analysis.value(model, facts.module).kind != "unknown"
    if is_known or not model_names.is_model(last_name(model)) or not (call.args or call.keywords):
        return False
    return evaluation.has_gradients(facts.analysis, facts.module, call) and not _says(facts, _OTHERWISE)


def _evidence(module: Module, function: Function, call: ast.Call, read: ast.Call) -> Evidence:
    """The first read of what a forward pass gave, of all in its function."""
    held = leaving.held(module, call).names
    for each in _reads(module, function):
        if any(part is call or (isinstance(part, ast.Name) and part.id in held) for part in ast.walk(each)):
            is_detached = last_name(each.func) in ("detach", "numpy")
            return Evidence(
                each, "without its graph" if is_detached else "a number, which has no gradient", module.path
            )
    return Evidence(read, "a number, which has no gradient", module.path)


def _first_read(module: Module, function: Function) -> ast.Call | None:
    """The first read of a number in a function, for which the finding stands."""
    return next(iter(_reads(module, function)), None)


@once
def _reads(module: Module, function: Function) -> list[ast.Call]:
    """The calls of a function after which no gradient comes back."""
    reads = (each for each in inside.calls(module, function.node) if last_name(each.func) in READS)
    return [each for each in reads if leaving.is_cut(each) or last_name(each.func) == "numpy"]


def _wants_gradients(function: Function) -> bool:
    """Whether a function wants gradients, or says a word of who learns: a helper may take the backward pass."""
    said = (each for each in walk(function.node) if isinstance(each, (ast.Name, ast.Attribute)))
    words = (each.id if isinstance(each, ast.Name) else each.attr for each in said)
    is_named = value_names.wants_gradients(function.name) or value_names.learns(function.name)
    return is_named or gradients_wanted.hints(function.module, function.node) or any(map(value_names.learns, words))


def _is_elsewhere(facts: Facts, function: Function) -> bool:
    """Whether the mode of a function comes from out of sight, as that of a module's method does, if no method of its class sets one."""
    if not _decides(facts, function):
        return evaluation.is_elsewhere(facts.analysis, function)
    return evaluation.is_of_framework(facts.analysis, function) or evaluation.is_off_around(facts.analysis, function)


@once
def _handed_over(module: Module, _: ast.Module) -> frozenset[str]:
    """The names that calls of a file are given: a function that goes to another may be called in any mode."""
    given = (each for calls in module.calls.values() for call in calls for each in call.args)
    return frozenset(last_name(each) for each in given if isinstance(each, (ast.Name, ast.Attribute)))


def _decides(facts: Facts, function: Function) -> bool:
    """Whether a method is one of a module of which another switches gradients off itself, or is called like an inference in a project
    where nobody switches them off."""
    owner = function.owner
    if owner is None or facts.analysis.kind(owner) != "module" or function.name == "forward":
        return False
    if any(each is not function for each in _switching(facts.module, owner)):
        return True
    return function_names.infers(function.name) and not _says(facts, _OFF)


def _says(facts: Facts, words: tuple[str, ...]) -> bool:
    """Whether any file of the project says one of some words."""
    return facts.mentions(*words) or facts.project_mentions(*words)


@once
def _switching(module: Module, owner: Class) -> list[Function]:
    """The methods of a class that switch gradients off: looked for once, of however many methods somebody asks."""
    return [each for each in owner.methods.values() if switches(module, each)]


@once
def switches(_: Module, function: Function) -> bool:
    """Whether a function says that gradients are off, for itself or a block: looked for once, of however many calls somebody asks."""
    held = [item.context_expr for node in walk(function.node) if isinstance(node, ast.With) for item in node.items]
    said = (each.func if isinstance(each, ast.Call) else each for each in (*function.decorators, *held))
    return any(names.dotted(function, each) in context_managers.NO_GRAD for each in said)


def _is_model(facts: Facts, call: ast.Call) -> bool:
    """Whether a model of more than one layer, or of which the file shows no more than its modes, runs with gradients on."""
    known = facts.analysis.value(evaluation.model_of(call), facts.module)
    if isinstance(known.ref, Class) and not class_names.may_have_weights(known.ref.name):
        return False
    if not isinstance(known.ref, Class) and _says(facts, (gradients_wanted.OF_A_FORWARD,)):
        return False
    if known.kind == "module":
        return evaluation.is_of_model(facts.analysis, facts.module, call)
    return evaluation.has_gradients(facts.analysis, facts.module, call) and not _says(facts, file_words.FREEZING)


def _is_read(module: Module, call: ast.Call) -> bool:
    return not isinstance(module.parents.get(call), ast.Expr)
