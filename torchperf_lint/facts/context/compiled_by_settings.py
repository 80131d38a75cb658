"""What a file compiles without a call of `torch.compile`: by settings of what trains its model.

    Trainer(model, TrainingArguments("out", torch_compile=True))                  the model's `forward`
    accelerator = Accelerator(dynamo_backend="inductor")
    model, optimizer = accelerator.prepare(model, optimizer)                      the same
    trainer.fit(torch.compile(LitModel()))                                        its steps too: Lightning calls them

A setting counts where it is written down; one that comes from elsewhere is mostly off.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import base_names, class_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.context.compiled_calls import Target
    from torchperf_lint.facts.interpret.analysis import Analysis

_SETTINGS: Final = frozenset(
    ("torch_compile", "torch_compile_mode", "torch_compile_backend", "dynamo_backend", "dynamo_plugin")
)
_STEPS: Final = ("training_step", "validation_step", "test_step", "predict_step")
"""What Lightning compiles of a module beside its `forward`."""
_FITTING: Final = frozenset(("fit", "validate", "predict"))


@dataclass(frozen=True, slots=True)
class Setting:
    """A model that is compiled, and what says so."""

    model: ast.expr
    shown: ast.Call
    options: dict[str | None, ast.expr]
    """As `torch.compile` would be given them."""


def may_be(module: Module) -> bool:
    """Whether a file may set anything to be compiled, by its words."""
    return not _SETTINGS.isdisjoint(module.keywords)


def given(module: Module) -> Iterator[Setting]:
    """What a file sets to be compiled."""
    if not may_be(module):
        return
    for call in (call for calls in module.calls.values() for call in calls):
        if base_names.is_trainer([last_name(call.func)]):
            yield from _by_trainer(module, call)
        elif last_name(call.func) == "prepare" and isinstance(call.func, ast.Attribute):
            yield from _by_accelerator(module, call, call.func.value)


def _by_trainer(module: Module, call: ast.Call) -> Iterator[Setting]:
    """`Trainer(model, arguments)` of Transformers, and of what derives from it."""
    named = _named(call)
    model = named.get("model", call.args[0] if call.args else None)
    arguments = named.get("args", call.args[1] if len(call.args) > 1 else None)
    made = _made(module, arguments) if arguments is not None else None
    if model is None or made is None or not class_names.is_settings(last_name(made.func)):
        return
    said = _named(made)
    wanted = said.get("torch_compile")
    asked = [each for name in ("torch_compile_mode", "torch_compile_backend") if (each := said.get(name)) is not None]
    if _is(wanted, True) or (wanted is None and any(_is_text(each) for each in asked)):
        mode = said.get("torch_compile_mode")
        yield Setting(model, made, {"mode": mode} if mode is not None else {})


def _by_accelerator(module: Module, call: ast.Call, held: ast.expr) -> Iterator[Setting]:
    """What an `Accelerator` prepares that has a compiler."""
    made = _made(module, held)
    if made is None or names.dotted(module.function_of(made), made.func) != "accelerate.Accelerator":
        return
    said = _named(made)
    plugin = _made(module, said["dynamo_plugin"]) if "dynamo_plugin" in said else None
    options = _named(plugin) if plugin is not None else {}
    backend = options.get("backend") if plugin is not None else said.get("dynamo_backend")
    if backend is not None and _is_backend(backend):
        yield from (Setting(each, made, options) for each in call.args)


def _is_backend(node: ast.expr) -> bool:
    """Whether something names a compiler: a text, or `DynamoBackend.INDUCTOR`."""
    if isinstance(node, ast.Attribute):
        return last_name(node.value) == "DynamoBackend" and node.attr != "NO"
    return _is_text(node) and not _is(node, "no") and not _is(node, "NO")


def _is(node: ast.expr | None, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _named(call: ast.Call) -> dict[str | None, ast.expr]:
    return {each.arg: each.value for each in call.keywords}


def _made(module: Module, node: ast.expr) -> ast.Call | None:
    """The call that makes something: itself, or the one that a name or an attribute is bound to, and to nothing else."""
    match node:
        case ast.Call():
            return node
        case ast.Name(id=name):
            home = names.scope_of(module.function_of(node), name)
            stores: list[ast.AST] = list(home.scope.stores.get(name, ())) if home is not None else []
        case ast.Attribute(attr=name):
            stores = [each for each in module.attributes.get(name, ()) if not isinstance(each.ctx, ast.Load)]
        case _:
            return None
    match [module.parents.get(each) for each in stores]:
        case [ast.Assign(targets=[_], value=ast.Call() as made)]:
            return made
    return None


def steps(analysis: Analysis, module: Module, made: ast.expr) -> Iterator[Target]:
    """What Lightning calls of a module that is compiled, beside its `forward`."""
    if _FITTING.isdisjoint(module.names):
        return
    owner = analysis.value(made, module).ref
    if not isinstance(owner, Class):
        return
    if base_names.is_of_lightning(classes.unseen_bases(analysis, owner)):
        found = (classes.find_method(analysis, owner, name) for name in _STEPS)
        yield from ((method, owner) for method in found if method is not None)
