"""Attributes of a module that are tensors and nothing more: set once by `__init__`, and left behind when the module moves.

    self.grid = torch.arange(8)                  plain: `module.cuda()` does not know of it
    self.register_buffer("grid", ...)            a buffer: it goes where the module goes

Knows syntax and classes; what an attribute holds is for `objects`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.guesses import comment_words
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import end_of, place_of, receiver, walk
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis


def may_be_plain(facts: Facts, node: ast.AST) -> bool:
    """Whether a method is called on an attribute of a module, or on a part of one, that is no buffer."""
    held = receiver(node)
    while isinstance(held, ast.Subscript):
        held = held.value
    return held is not None and plain(facts, held) is not None


def plain(facts: Facts, node: ast.AST) -> ast.Assign | None:
    """The one assignment, in the `__init__` of an object, that binds an attribute of it; of a module behind `super().__init__()`."""
    if not isinstance(node, ast.Attribute):
        return None
    analysis, module, method = facts.analysis, facts.module, facts.module.function_of(node).method
    made = _constructor(method) if method is not None and _is_own(node, method) else None
    if made is None or made.owner is None:
        return None
    sites = classes.sites(made.owner).get(node.attr, [])
    if len(sites) != 1 or sites[0][0] is not made or not isinstance(sites[0][1], ast.Attribute):
        return None
    if any(analysis.class_attribute(base, node.attr) is not None for base in analysis.bases(made.owner)):
        return None
    statement = module.parents[sites[0][1]]
    is_alone = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    is_ready = analysis.kind(made.owner) != "module" or _is_initialised(made, statement)  # type: ignore[arg-type]
    return statement if is_alone and is_ready else None  # type: ignore[return-value]


def _constructor(method: Function) -> Function | None:
    """The `__init__` that the class of another method has itself."""
    made = method.owner.methods.get("__init__") if method.owner is not None else None
    return made if made is not method else None


def is_of_module(facts: Facts, node: ast.AST) -> bool:
    """Whether a node stands in a method of a module, which has buffers."""
    method = facts.module.function_of(node).method
    return method is not None and classes.constructor(facts.analysis, method) is not None


def is_in_step(facts: Facts, node: ast.AST) -> bool:
    """Whether a node runs at every step of a training, and not of a generation or an evaluation alone."""
    return bool(facts.frequency_in_project_at(node).value >= Frequency.STEP)


def _is_own(node: ast.Attribute, method: Function) -> bool:
    return isinstance(node.value, ast.Name) and method.positional[:1] == (node.value.id,)


def _is_initialised(made: Function, statement: ast.stmt) -> bool:
    """Whether `super().__init__()` stands above a statement."""
    first = _initialised_at(made.module, made)
    return first is not None and first < place_of(statement)


@once
def _initialised_at(_: Module, made: Function) -> tuple[int, int] | None:
    """Where an `__init__` first calls another."""
    calls = (node for node in walk(made.node) if isinstance(node, ast.Attribute) and node.attr == "__init__")
    return min((place_of(each) for each in calls), default=None)


def reads(facts: Facts, node: ast.AST) -> list[ast.Attribute]:
    """Every read of an attribute in the methods of its class."""
    assert isinstance(node, ast.Attribute)
    method = facts.module.function_of(node).method
    assert method is not None
    assert method.owner is not None
    return _reads(facts.module, method.owner).get(node.attr, [])


@once
def _reads(module: Module, owner: Class) -> dict[str, list[ast.Attribute]]:
    """What the methods of a class read of their object, by attribute."""
    found: dict[str, list[ast.Attribute]] = {}
    for node in walk(owner.node):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            within = module.function_of(node).method
            if within is not None and _is_own(node, within):
                found.setdefault(node.attr, []).append(node)
    return found


def is_meant(facts: Facts, node: ast.AST) -> bool:
    """Whether a comment in `__init__` says why something is no buffer."""
    method = facts.module.function_of(node).method
    made = _constructor(method) if method is not None else None
    if made is None:
        return False
    meant = facts.analysis.answers.get((is_meant, made))
    if meant is None:
        lines = map(facts.tree.source.line, range(place_of(made.node)[0], end_of(made.node)[0] + 1))
        meant = any(comment_words.tells_of_buffer(line.partition("#")[2].lower()) for line in lines)
        facts.analysis.answers[is_meant, made] = meant
    return bool(meant)


def is_moved(facts: Facts, node: ast.AST) -> bool:
    """Whether a node stands in a class of modules that have parameters, so that whoever uses one moves it."""
    method = facts.module.function_of(node).method
    return method is not None and method.owner is not None and _holds_parameters(facts.analysis, method.owner)


@once
def _holds_parameters(analysis: Analysis, owner: Class) -> bool:
    """Whether a module has parameters or other modules in sight, and does not move these itself, so that somebody moves it."""
    ancestry = analysis.ancestry(owner)
    return any(_holds_own(analysis, each) for each in ancestry) and not any(map(_moves_parts, ancestry))


def _moves_parts(owner: Class) -> bool:
    """Whether the constructor of a module moves what it has made: `self.model.to(device)`."""
    constructor = owner.methods.get("__init__")
    calls = (each for each in walk(constructor.node) if isinstance(each, ast.Call)) if constructor is not None else ()
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr in ("to", "cuda")
        and isinstance(call.func.value, ast.Attribute)
        and isinstance(owner.module.parents.get(call), ast.Expr)
        for call in calls
    )


def _holds_own(analysis: Analysis, owner: Class) -> bool:
    for name, sites in classes.sites(owner).items():
        held = analysis.class_attribute(owner, name)
        if held is not None and (held.kind == "module" or (held.kind == "tensor" and held.grad is True)):
            return True
        if any(
            isinstance(site, ast.Call) and getattr(site.func, "attr", "") == "register_parameter" for _, site in sites
        ):
            return True
    return False
