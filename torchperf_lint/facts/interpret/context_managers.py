"""Context managers and decorators that change what code under them does: gradients, the default device, autocast."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import ANY, OBJECT, Value

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

NO_GRAD: Final = frozenset(("torch.no_grad", "torch.inference_mode"))
GRAD: Final = frozenset(("torch.enable_grad",))
AUTOCAST: Final = frozenset(
    ("torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast")
)
NAMES: Final = NO_GRAD | GRAD | AUTOCAST | {"torch.set_grad_enabled", "torch.autograd.set_grad_enabled"}
"""What, when it is called, gives a context manager that is known here by its name."""


def _nothing() -> None:
    pass


def enter(run: Run, manager: Value, node: ast.expr) -> Callable[[], None]:
    """Let a context manager, or a decorator, take effect; what is returned undoes it."""
    del node
    name = manager.ref if isinstance(manager.ref, str) else ""
    if manager.kind == "device":
        before, run.device = run.device, manager.device

        def restore() -> None:
            run.device = before

        return restore
    if name in NO_GRAD or disables(name, manager):
        return _count(run, 1)
    if name in GRAD and run.no_grad:
        return _count(run, -run.no_grad)
    return _nothing


def _count(run: Run, change: int) -> Callable[[], None]:
    run.no_grad += change

    def undo() -> None:
        run.no_grad -= change

    return undo


def disables(name: str, manager: Value) -> bool:
    if not name.endswith("set_grad_enabled") or not isinstance(manager.items, dict):
        return False
    mode = manager.items.get("0") or manager.items.get("mode")
    return mode is not None and mode.const is False


def entered(run: Run, manager: Value) -> Value:
    """What `with manager as name` binds."""
    if manager.kind == "iterator":  # a generator of the program under `contextmanager`
        return any_item(manager)
    if manager.kind == "instance":
        return run.send(manager, "__enter__") or ANY
    return OBJECT if manager.kind == "object" else ANY
