"""What an interpreter is made of: who works out what. `interpreter` puts it together."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.domain.value import Kind, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret.arguments import Args

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis
    from torchperf_lint.facts.interpret.run import Run


@dataclass
class Parts:
    """What an interpreter is made of: who works out what. `interpreter` puts it together."""

    expressions: dict[type[ast.AST], Callable[[Run, Any], Value]]
    run: Callable[[Run], Value]
    """Run the body of a function; what it returns."""
    run_class: Callable[[Run, Class], None]
    block: Callable[[Run, list[ast.stmt]], None]
    apply: Callable[[Run, ast.Call, Value, Args], Value]
    """What calling a value gives."""
    send: Callable[[Run, Value, str, Args], Value | None]
    plain: Callable[[Function, str], Value | None]
    free: Callable[[Analysis, Function, str], Value]
    resolve: Callable[[Analysis, str], Value | None]
    parameter: Callable[[Analysis, Function, str], Value]
    annotation: Callable[[Analysis, Function, ast.expr], Value]
    alias: Callable[[Analysis, Function, str], Value | None]
    attribute: Callable[[Analysis, Class, str], Value | None]
    bases: Callable[[Analysis, Class], tuple[Class, ...]]
    ancestry: Callable[[Analysis, Class], tuple[Class, ...]]
    kind: Callable[[Analysis, Class], Fact[Kind]]
    sites: Callable[[Analysis, Function], list[ast.Call]]
    heirs: Callable[[Analysis, Module], dict[Function, list[Class]]]
