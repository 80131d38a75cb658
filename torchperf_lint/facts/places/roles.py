"""Where code runs: in a data loader's workers, in a branch for export that eager code never takes, on the CPU alone."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import names
from torchperf_lint.facts.interpreter import callers, classes
from torchperf_lint.facts.places import traits
from torchperf_lint.facts.program import Function, Module, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpreter.infer import Analysis

NEVER: Final = frozenset(
    [
        "torchvision._is_tracing",
        "torch.jit.is_scripting",
        "torch.jit.is_tracing",
        "torch.onnx.is_in_onnx_export",
        "torch.compiler.is_exporting",
        "torch.compiler.is_compiling",
        "torch.compiler.is_dynamo_compiling",
        "torch._dynamo.is_compiling",
    ]
)
"""Conditions that are false when code runs eagerly."""


def may_use_gpu(analysis: Analysis, module: Module) -> bool:
    """Whether anything of a file may run on a GPU."""
    known = analysis.gpu.get(module)
    if known is None:
        known = analysis.gpu[module] = not traits.is_cpu_program(module)
    return known


_TEST_TOOLS: Final = frozenset(("pytest", "unittest", "TestCase", "assert_close", "common_utils"))


def runs_on_host(analysis: Analysis, function: Function) -> bool:
    """Whether a function works on the host for a data loader: datasets, samplers, collate functions."""
    at: Function | None = function
    while at is not None and not at.is_module:
        if at.owner is not None and classes.kind(analysis, at.owner) in ("dataset", "sampler"):
            return True
        if _is_collate(at):
            return True
        at = at.within
    return False


_SETUP: Final = re.compile(
    r"^(__init__|__post_init__|_?reset_parameters|_?init_weights?|_?initiali[sz]e_weights|_init_.*|init_.*_weights|init_non_persistent_buffers)$"
)


def is_setup(analysis: Analysis, function: Function, depth: int = 3) -> bool:
    """Whether a function makes a module: its parameters and buffers are on the host still."""
    at: Function | None = function
    while at is not None and at.owner is None and not at.is_module:
        at = at.within
    if at is None or at.owner is None:
        return False
    if _SETUP.match(at.name):
        return True
    sites = callers.sites(analysis, at) if depth else []
    return bool(sites) and all(is_setup(analysis, at.module.function_of(site), depth - 1) for site in sites)


def is_made_once(analysis: Analysis, function: Function) -> bool:
    """Whether a function belongs to what a program makes once and keeps: a module, an optimizer."""
    at: Function | None = function
    while at is not None and at.owner is None:
        at = at.within
    return at is not None and at.owner is not None and classes.kind(analysis, at.owner) in ("module", "optimizer")


_EXPORT: Final = re.compile(r"(^|[._])(exports?|exporters?|onnx)([._]|$)")


def is_aside(function: Function) -> bool:
    """Whether the `forward` of a module is no part of a step: what a file for export holds is traced once."""
    return bool(_EXPORT.search(function.module.name))


def edits_arrays(function: Function) -> bool:
    """Whether a function puts arrays of NumPy into what it is given: its results are for the host, whose data they change."""
    return any(
        isinstance(node, ast.Assign)
        and isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id in function.parameters
        and isinstance(node.value, ast.Call)
        and (names.dotted(function, node.value.func) or "").startswith("numpy.")
        for node in walk(function.node, into_scopes=False)
        for target in (node.targets if isinstance(node, ast.Assign) else ())
    )


def takes_samples(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether each turn of a loop takes a step of a sampler: `x = scheduler.step(noise, t, x)`, whose result goes on."""
    for node in walk(loop, into_scopes=False):
        if isinstance(node, ast.Assign):
            value = node.value
            while isinstance(value, (ast.Attribute, ast.Subscript)):
                value = value.value
            match value:
                case ast.Call(func=ast.Attribute(attr="step"), args=[_, _, *_]):
                    return True
    return False


def _is_collate(function: Function) -> bool:
    """Whether a function is given to a loader as its `collate_fn` or `worker_init_fn`, or named for it."""
    if function.name in ("collate_fn", "collate", "worker_init_fn", "custom_collate_fn"):
        return True
    for call in function.module.calls.get("DataLoader", ()):
        for keyword in call.keywords:
            if (
                keyword.arg in ("collate_fn", "worker_init_fn")
                and isinstance(keyword.value, ast.Name)
                and keyword.value.id == function.name
            ):
                return True
    return False


def is_test(function: Function) -> bool:
    """Whether a function is a test, by what it does: it is named for one, and asserts; or its file imports a test tool."""
    if function.module.names & _TEST_TOOLS:
        return True
    at: Function | None = function
    while at is not None and not at.is_module:
        if at.name.startswith("test") and any(isinstance(node, ast.Assert) for node in walk(at.node)):
            return True
        at = at.within
    return False


_SCRIPTED: Final = frozenset(
    ("torch.jit.script", "torch.jit.script_method", "torch.jit.script_if_tracing", "torch.jit.export")
)


def is_scripted(function: Function) -> bool:
    """Whether TorchScript compiles a function: its authors have no eager code in mind."""
    at: Function | None = function
    while at is not None and not at.is_module:
        if any(names.dotted(at.within or at, decorator) in _SCRIPTED for decorator in at.decorators):
            return True
        at = at.within
    return False


def is_never_run(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in a branch that eager code never takes: scripting, tracing, export."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ast.If):
            negated = isinstance(above.test, ast.UnaryOp) and isinstance(above.test.op, ast.Not)
            asks = above.test.operand if isinstance(above.test, ast.UnaryOp) and negated else above.test
            branch = above.orelse if negated else above.body
            if any(below is statement for statement in branch) and _asks_never(module, asks):
                return True
        below = above
    return False


def _asks_never(module: Module, test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        checks = [_asks_never(module, value) for value in test.values]
        return any(checks) if isinstance(test.op, ast.And) else all(checks)
    if isinstance(test, ast.Call):
        return names.dotted(module.body, test.func) in NEVER
    return False
