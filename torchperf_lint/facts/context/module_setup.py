"""Code that makes a module or an optimizer, and whose method a piece of code stands in."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def is_setup(analysis: Analysis, function: Function, depth: int = 3) -> bool:
    """Whether a function makes a module: its parameters and buffers are on the host still. So does a function of the file that
    only such methods call."""
    method = function.method or function
    if method.is_module or isinstance(method.node, ast.Lambda):
        return False
    if method.owner is not None and function_names.sets_up(method.name):
        # What is no module, a distribution for one, is made wherever it is used.
        is_used_at_once = analysis.kind(method.owner) in ("instance", "distribution")
        return not is_used_at_once and not _serves_forward(analysis, method)
    if method.owner is not None and method.name == "forward":
        return False  # others call it as well, though not by name
    sites = analysis.sites(method) if depth else []
    return bool(sites) and all(is_setup(analysis, method.module.function_of(site), depth - 1) for site in sites)


def _serves_forward(analysis: Analysis, method: Function, depth: int = 2) -> bool:
    """Whether `forward` calls a method itself, or by another: `_init_centers(x)` starts a search in each batch."""
    if method.name == "__init__":
        return False
    callers = [method.module.function_of(site) for site in analysis.sites(method)]
    callers = [caller.method or caller for caller in callers]
    return any(
        caller.owner is not None
        and (caller.name == "forward" or (depth > 0 and _serves_forward(analysis, caller, depth - 1)))
        for caller in callers
    )


def is_made_once(analysis: Analysis, function: Function) -> bool:
    """Whether a function belongs to what a program makes once and keeps: a module, an optimizer."""
    return holder(analysis, function) == "module"


def holder(analysis: Analysis, function: Function) -> str:
    """Whose method a function is, or stands in: "module" (or an optimizer), another "object", or "" nobody's."""
    method = function.method
    if method is None or method.owner is None:
        return ""
    return "module" if analysis.kind(method.owner) in ("module", "optimizer") else "object"
