"""Whether a program switches off, for all distributions, the checks of their arguments.

    Distribution.set_default_validate_args(False)
    Distribution._validate_args = False

That counts where importing a file runs it: at the top of the file itself, of a package around it, or of what these import.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.once import once

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.interpret.analysis import Analysis

_SWITCH: Final = "set_default_validate_args"
_FLAG: Final = "_validate_args"


@once
def are_off(analysis: Analysis, module: Module) -> bool:
    """Whether the checks are off for whatever a file makes."""
    around = [each for name in _packages(module) if (each := _load(analysis, name)) is not None]
    return any(
        _switches_off(each) or any(_switches_off(inner) for inner in _imported(analysis, each))
        for each in (module, *around)
    )


def _packages(module: Module) -> Iterator[str]:
    """The names of the packages that a file is in, which are run before it."""
    parts = module.name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts)))


def _imported(analysis: Analysis, module: Module) -> Iterator[Module]:
    """The files of the program that the top of a file imports."""
    for node in module.imports:
        found: list[str] = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        else:
            base = names.absolute(module, node)
            found = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        yield from (each for name in found if (each := _load(analysis, name)) is not None)


def _load(analysis: Analysis, name: str) -> Module | None:
    """The file of the program that has a name; the answer stands on what it says."""
    found = analysis.program.module(name) if name else None
    if found is not None:
        analysis.program.note(name)
    return found


def _switches_off(module: Module) -> bool:
    if not module.says(_SWITCH) and not module.says(_FLAG):
        return False
    return any(_is_switch(node) for node in module.tree.body)


def _is_switch(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Constant(value=False)):
            return name == _FLAG
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=False)])):
            return name == _SWITCH
    return False
