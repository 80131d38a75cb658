"""The modes code runs in: without gradients, under autocast, compiled, inside `forward`.

A mode comes from a `with` around the code, a decorator of its function, or, for gradients, from all callers in sight.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere, eager_code, gates
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import CUDA, MAYBE, NO, Value
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import in_body
from torchperf_lint.facts.interpret import context_managers, devices

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_NO: Final[Fact[bool]] = Fact(False, Sure.LIKELY)
_COMPILERS: Final = frozenset(("torch.compile", "torch.jit.script", "torch.jit.trace"))

_NO_CONTEXTS: Final = frozenset(
    ("is_autocast_enabled", "get_autocast_dtype", "get_autocast_gpu_dtype", "is_autocast_available")
)
"""Functions of torch about autocast that are no autocast."""


@dataclass(frozen=True, slots=True)
class Autocast:
    """The autocast that code runs under."""

    enabled: bool | None
    """None where it depends on a setting."""
    dtype: str | None
    """None where it is not known; without the argument, CUDA's default is float16."""
    node: ast.AST


def _around(analysis: Analysis, module: Module, node: ast.AST) -> Iterator[tuple[Value, ast.AST]]:
    """The context managers around a node within its function, the innermost first, then the function's decorators."""
    below = node
    function = module.function_of(node)
    for above in module.ancestors(node):
        if isinstance(above, (ast.With, ast.AsyncWith)) and in_body(below, above):
            for item in reversed(above.items):
                yield analysis.value(item.context_expr, module), item.context_expr
        if above is function.node:
            break
        below = above
    outside = analysis.scratch(function.within or function)
    for decorator in function.decorators:
        yield outside.expr(decorator), decorator


def no_grad(analysis: Analysis, module: Module, node: ast.AST, depth: int = 3) -> Fact[bool]:
    """Whether gradients are off where a node runs."""
    for manager, shown in _around(analysis, module, node):
        name = str(manager.ref or "")
        if name in context_managers.NO_GRAD or context_managers.disables(name, manager):
            return Fact(True, Sure.PROVEN, (Evidence(shown, "gradients are off here", module.path),))
        if name in context_managers.GRAD:
            return Fact(False, Sure.PROVEN, (Evidence(shown, "gradients are on here", module.path),))
    function = module.function_of(node)
    sites = analysis.sites(function) if depth and not function.is_module else []
    found = [no_grad(analysis, module, site, depth - 1) for site in sites]
    if found and all(each.value is True for each in found):
        return Fact(True, Sure.LIKELY, found[0].because)
    return _NO


def autocast(analysis: Analysis, module: Module, node: ast.AST, depth: int = 3) -> Fact[Autocast]:
    """The autocast around a node, also around the calls of its function."""
    for manager, shown in _around(analysis, module, node):
        if manager.ref in context_managers.AUTOCAST:
            return Fact(_read(manager, shown), Sure.PROVEN, (Evidence(shown, "autocast is on here", module.path),))
    function = module.function_of(node)
    sites = analysis.sites(function) if depth and not function.is_module else []
    for site in sites:
        found = autocast(analysis, module, site, depth - 1)
        if found.known:
            return Fact(found.value, Sure.LIKELY, found.because)
    return Fact(UNKNOWN)


def autocasts(analysis: Analysis, module: Module) -> list[Fact[Autocast]]:
    """Every autocast of a file, one by one; not known where something is called so and may be one or not."""
    found = []
    for name, sites in module.calls.items():
        if "autocast" not in module.renamed.get(name, name):
            continue
        for call in sites:
            manager = analysis.value(call, module)
            if manager.ref in context_managers.AUTOCAST:
                evidence = Evidence(call, "autocast is switched on here", module.path)
                found.append(Fact(_read(manager, call), Sure.PROVEN, (evidence,)))
            elif name not in _NO_CONTEXTS:
                found.append(Fact(UNKNOWN))
    return found


def _read(manager: Value, shown: ast.AST) -> Autocast:
    settings = manager.items if isinstance(manager.items, dict) else {}
    on_cuda_alone = manager.ref in ("torch.cuda.amp.autocast",)
    enabled = settings.get("enabled") or (settings.get("0") if on_cuda_alone else settings.get("2"))
    dtype = settings.get("dtype") or settings.get("1")
    device = settings.get("0") or settings.get("device_type")
    default = "float16" if on_cuda_alone or devices.of(device)[0] in (CUDA, MAYBE) else None
    if dtype is not None and dtype.kind != "none":
        chosen = dtype.const if dtype.kind == "dtype" and isinstance(dtype.const, str) else None
    else:
        chosen = default
    state = True if enabled is None else bool(enabled.const) if enabled.const is not NO else None
    return Autocast(state, chosen, shown)


def in_forward(analysis: Analysis, module: Module, node: ast.AST) -> Function | None:
    """The `forward` of a module that a node stands in."""
    for at in module.function_of(node).around():
        if at.owner is not None and at.name == "forward" and analysis.kind(at.owner) == "module":
            return at
    return None


def _is_loss(analysis: Analysis, function: Function) -> bool:
    owner = function.owner
    return owner is not None and function_names.is_loss_method(function.name) and analysis.kind(owner) == "module"


def serves_forward(analysis: Analysis, module: Module, node: ast.AST, depth: int = 3) -> bool:
    """Whether a node runs as part of a `forward`, or of a module's loss: in one, or in what one calls, not behind a gate, also
    from another file."""
    return in_forward(analysis, module, node) is not None or _serves(analysis, (module.function_of(node), depth))


@once
def _serves(analysis: Analysis, asked: tuple[Function, int]) -> bool:
    """The same of all that is in a function, so many calls away."""
    function, depth = asked
    if _is_loss(analysis, function):
        return True
    here = [(analysis, site) for site in analysis.sites(function)] if depth and not function.is_module else []
    elsewhere = callers_elsewhere.candidates(analysis, function) if depth else []
    return any(
        caller.module.function_of(site) is not function
        and gates.of(caller.module, site) is None
        and not eager_code.is_never_run(caller.module, site)
        and serves_forward(caller, caller.module, site, depth - 1)
        and (caller.module is function.module or callers_elsewhere.is_one(analysis, (caller, site), function))
        for caller, site in (*here, *elsewhere)
    )


def compiled(module: Module, node: ast.AST) -> ast.AST | None:
    """What compiles the code of a node: a decorator, or a call of `torch.compile` with its function's name."""
    function = module.function_of(node)
    for at in function.around():
        for decorator in at.decorators:
            if names.of_decorator(at, decorator) in _COMPILERS:
                return decorator
    return None
