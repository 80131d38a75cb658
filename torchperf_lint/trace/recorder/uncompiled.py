"""Keeps torch.compile away from what is ours: within what it compiles, it compiles each function that it sees called."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import torch

_DYNAMO: Any = getattr(getattr(torch._C, "_dynamo", None), "eval_frame", None)
"""There from the import of torch on; `torch._dynamo` itself takes a second to import."""

P = ParamSpec("P")
R = TypeVar("R")


def leave_alone(function: Callable[P, R]) -> Callable[P, R]:
    """A function of ours is never compiled by itself; what it calls is, as ever."""
    code = getattr(function, "__code__", None)
    if hasattr(_DYNAMO, "skip_code"):
        _DYNAMO.skip_code(code)
    elif hasattr(_DYNAMO, "set_code_exec_strategy"):  # newer versions of torch
        action = _DYNAMO._FrameAction
        _DYNAMO.set_code_exec_strategy(code, _DYNAMO._FrameExecStrategy(action.SKIP, action.DEFAULT))
    return function


def uncompiled(function: Callable[P, R]) -> Callable[P, R]:
    """A function of ours in which nothing is compiled, from wherever it is called."""
    change: Callable[[Any], Any] | None = getattr(_DYNAMO, "set_eval_frame", None)
    if change is None:
        return function

    @leave_alone
    @functools.wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        before = change(None)
        try:
            return function(*args, **kwargs)
        finally:
            change(before)

    return alone
