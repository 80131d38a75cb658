"""Where the host has to wait for the GPU because something else than the next operation needs its results.

A copy to the host that does not block, streams of one's own, other libraries and processes that read the GPU's memory,
the end of the program. Knows names and moves, nothing of how often code runs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere
from torchperf_lint.facts.domain.value import CPU
from torchperf_lint.facts.guesses import call_names, function_names
from torchperf_lint.facts.idioms import environment_variables
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.interpret import transfers
from torchperf_lint.facts.sync.host_wait import Scene

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_FOREIGN: Final = frozenset(
    (
        "ctypes", "cupy", "pycuda", "cudart", "tensorrt", "onnxruntime", "io_binding", "run_with_iobinding", "execute_async_v2",
        "execute_async_v3", "ExternalStream", "CUDAGraph", "make_graphed_callables",
    )
)  # fmt: skip
"""Names that bring other libraries, or recorded work, into a file."""

_COLLECTIVE: Final = frozenset(
    (
        "barrier",
        "all_reduce",
        "all_gather",
        "broadcast",
        "reduce_scatter",
        "all_to_all",
        "reduce",
        "isend",
        "irecv",
        "wait",
    )
)
_LEAVING: Final = frozenset(("destroy_process_group", "kill"))


def needs_gpu_done(facts: Facts, node: ast.AST) -> bool:
    """Whether something around a synchronisation needs the GPU to be done, or measures how long it takes."""
    module, function = facts.module, facts.module.function_of(node)
    target = facts.settings.target
    if module.names & _FOREIGN or _needed_in(facts.analysis, (function, target)):
        return True
    if _only_waits(function) and any(_needed_in(facts.analysis, (each, target)) for each in _callers(facts, function)):
        return True
    place = inside.block_of(module, module.statement(node))
    return place is not None and _last_handing_over(module, place[0]) >= place[1] - 1


def _only_waits(function: Function) -> bool:
    """Whether a function is there to wait, and does nothing else: `def sync(device): if device.type == "cuda": ...`."""
    done = [each for each in function.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    return not function.is_module and len(done) == 1


def _callers(facts: Facts, function: Function) -> list[Function]:
    return callers_elsewhere.callers_in_file(facts.analysis, function)


@once
def _needed_in(analysis: Analysis, place: tuple[Function, tuple[int, ...]]) -> bool:
    """Whether a function as a whole needs the GPU to be done, or measures how long it takes."""
    function, target = place
    parts = [each for statement in function.body for each in walk(statement)]
    if any(call_names.works_apart(_name(each)) for each in parts):
        return True
    if any(
        function_names.measures_time(name)
        for each in function.around()
        for name in (each.name, each.owner.name if each.owner else "")
    ):
        return True
    scene = Scene(analysis, function.module, target)
    calls = (each for each in parts if isinstance(each, ast.Call))
    return any(_asks_time(call) or _copies_behind(scene, call) for call in calls)


def may_wait_or_block(_: Facts, node: ast.AST) -> bool:
    """Whether a node sets a variable of the environment, or is a call that has nothing to do with dicts."""
    return environment_variables.is_set_by(node) or environment_variables.is_other_call(node)


def _name(node: ast.AST) -> str:
    return last_name(node) if isinstance(node, ast.expr) else ""


def _asks_time(call: ast.Call) -> bool:
    """`time.perf_counter()`, `timer.start()`, `timers("forward")`."""
    return function_names.measures_time(last_name(call.func)) or (
        isinstance(call.func, ast.Attribute) and function_names.measures_time(last_name(call.func.value))
    )


def _copies_behind(scene: Scene, call: ast.Call) -> bool:
    """Whether a call copies to the host and does not wait until the copy is there."""
    args = scene.args(call)
    name = last_name(call.func)
    flag = args.named.get("non_blocking")
    if name not in ("to", "copy_", "cpu", "send_to_device") or flag is None or flag.const is False:
        return False
    if name != "to":
        return True
    device = transfers.request(name, args).device
    return device == CPU or (device is None and bool(call.args) and not transfers.is_own_device(call.args[0]))


@once
def _last_handing_over(module: Module, block: inside.Block) -> int:
    """The number of the last statement of a block that hands over to who does not wait; before the first where none does."""
    for number in range(len(block.statements) - 1, -1, -1):
        if any(_hands_over(module, each) for each in walk(block.statements[number], into_scopes=False)):
            return number
    return -2


def _hands_over(module: Module, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node.func)
    dotted = names.dotted(module.function_of(node), node.func) or ""
    return (
        function_names.ends_program(name)
        or name in _LEAVING
        or (name in _COLLECTIVE and (dotted.startswith("torch.distributed") or name != "reduce"))
    )
