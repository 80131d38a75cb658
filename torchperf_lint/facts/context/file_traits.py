"""What a file is as a whole: a script or a library, a program that never leaves the CPU."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.value import CPU, Value
from torchperf_lint.facts.guesses import call_names, file_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def is_script(module: Module) -> bool:
    """Whether a file is run by itself: it has a `__main__` guard, or trains at its top level."""
    return _is_run(module, module.tree)


@once
def _is_run(module: Module, _: ast.AST) -> bool:
    for node in module.by_type.get(ast.If, ()):
        if module.parents.get(node) is module.tree and _is_guard(node.test):  # type: ignore[attr-defined]
            return not _does_nothing(module, node) and not _checks_examples(node)  # type: ignore[arg-type]
    return any(
        isinstance(node, ast.Attribute) and call_names.trains(node.attr)
        for statement in module.tree.body
        if isinstance(statement, (*LOOPS, ast.With))
        for node in walk(statement, into_scopes=False)
    )


def is_trial(module: Module, calls: Iterable[ast.AST]) -> bool:
    """Whether calls only show that a file runs: they stand behind its `__main__` guard, and nothing in it trains."""
    return not _trains(module, module.tree) and are_guarded(module, calls)


def are_guarded(module: Module, calls: Iterable[ast.AST]) -> bool:
    """Whether calls stand behind the `__main__` guard of a file."""
    return all(
        any(isinstance(each, ast.If) and _is_guard(each.test) for each in module.ancestors(call)) for call in calls
    )


@once
def _trains(module: Module, _: ast.AST) -> bool:
    return any(map(call_names.trains, module.calls))


def trial(analysis: Analysis, module: Module, node: ast.AST, *, is_training: bool = False) -> Evidence | None:
    """The `__main__` guard behind which a node only shows that the file works: another file imports it, and nothing in it trains, or
    all that does so is known to be a trial."""
    if not module.function_of(node).is_module or (_trains(module, module.tree) and not is_training):
        return None
    guard = next((each for each in module.ancestors(node) if isinstance(each, ast.If) and _is_guard(each.test)), None)
    neighbours = analysis.around()
    if guard is None or neighbours is None or not neighbours.is_said(analysis, module.name.rpartition(".")[2]):
        return None
    return Evidence(guard, "a trial: other files import this one, and never come here", module.path)


def _does_nothing(module: Module, guard: ast.If) -> bool:
    """Whether all that a guard does is to call a function of the file that is empty, as templates of editors leave them."""
    empty = {
        each.name
        for each in module.tree.body
        if isinstance(each, ast.FunctionDef) and all(isinstance(part, ast.Pass) or _is_text(part) for part in each.body)
    }
    return all(
        isinstance(each, ast.Pass)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and last_name(each.value.func) in empty)
        for each in guard.body
    )


def _checks_examples(guard: ast.If) -> bool:
    """Whether a guard runs the examples in the docstrings of its file: `doctest.testmod()`."""
    return any(isinstance(each, ast.Name) and each.id == "doctest" for each in walk(guard))


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in (test.left, *test.comparators)
    )


def may_use_gpu(analysis: Analysis, module: Module) -> bool:
    """Whether anything of a file may run on a GPU."""
    known = analysis.gpu.get(module)
    if known is None:
        known = analysis.gpu[module] = not is_cpu_program(module)
    return known


def is_cpu_program(module: Module) -> bool:
    """Whether a file is a whole program and nothing in it names a device."""
    return is_script(module) and not file_names.names_device(module.names) and not _names_device(module)


def _names_device(module: Module) -> bool:
    return any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("cuda")
        for node in walk(module.tree)
    )


def default_device(module: Module) -> str | None:
    """Where a tensor is made for which nothing names a device; not known if the file changes the default."""
    return None if module.names & {"set_default_device", "set_default_tensor_type"} else CPU


def mentions(module: Module, names: Iterable[str]) -> bool:
    """Whether a file uses one of some names: as an identifier, or as a keyword of a call."""
    wanted = set(names)
    return bool(wanted & module.names or wanted & module.keywords)


def suggests(module: Module, guess: Callable[[AbstractSet[str]], bool]) -> bool:
    """What a guess says of the identifiers of a file, and of the keywords of its calls: `guesses/file_words.py` has them."""
    return guess(module.names) or guess(module.keywords)


def definition_mentions(made: Value, names: Iterable[str]) -> bool:
    """Whether the class or function of the program that a value is, or is an instance of, uses one of some names."""
    wanted = set(names)
    defined = made.ref.node if isinstance(made.ref, (Class, Function)) else None
    return defined is not None and any(
        (node.attr if isinstance(node, ast.Attribute) else node.id) in wanted
        for node in walk(defined)
        if isinstance(node, (ast.Attribute, ast.Name))
    )


def imports(module: Module, packages: Iterable[str]) -> bool:
    """Whether a file imports one of some packages, or something out of it."""
    return not _imported(module, module.tree).isdisjoint(packages)


@once
def _imported(module: Module, _: ast.Module) -> frozenset[str]:
    """The packages out of which a file imports."""
    found = []
    for node in (*module.by_type.get(ast.Import, ()), *module.by_type.get(ast.ImportFrom, ())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append(node.module or "")
    return frozenset(name.partition(".")[0] for name in found)
