from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torchperf_lint.rule import Draft, Fact, Facts, Faster, Findings, Fix, Frequency, Remove, Safety, Value, rule
from torchperf_lint.rules.sync.explicit_synchronize_in_loop import match

SETTING = "CUDA_LAUNCH_BLOCKING"

MEASURING = ("reset_peak_memory_stats", "reset_max_memory_allocated", "memory_snapshot")
"""Signs of a program that measures memory turn by turn, from a clean slate."""


@rule(
    "TPL117",
    names=("synchronize", "environ", "setdefault"),
    screen=match.may_wait_or_block,
    fix=Safety.UNSAFE,
    impact=Faster(host_work=(5, 10), many=True),
)
def check(node: cst.Call | cst.Assign, facts: Facts) -> Findings:
    """The code tells the host to wait for the GPU at every step, and nothing there needs it.

    `torch.cuda.synchronize()` returns when the GPU is idle. PyTorch keeps the order of what it queues without it: the
    next operation sees the results of the last, and reading a value waits for that value by itself.

    Why
    ---
    The host queues work ahead of the GPU, so that the GPU never waits for Python. After a synchronisation the queue is
    empty: what the host does next, such as loading a batch and launching kernels, is time in which the GPU idles.
    `CUDA_LAUNCH_BLOCKING=1` does the same after every single kernel.

    Instead
    -------
    Take it out. To measure time, record `torch.cuda.Event`s and read them later. To see which kernel fails, set
    `CUDA_LAUNCH_BLOCKING` in the shell for that one run. Memory counters of the allocator need no synchronisation.

    When it is fine
    ---------------
    Between two reads of a clock; before the host reads what `non_blocking=True` copied to it; where a stream of one's
    own, another library or another process takes over; before the program leaves; where the peak of memory is measured.
    None of these is reported.

    Fix safety
    ----------
    The line is removed. Results stay the same; an error of an earlier kernel then shows up at a later line, and the
    host may run further ahead of the GPU. What relies on the wait in a way that the code does not show would break.
    """
    statement = facts.parent(node) if isinstance(node, cst.Call) else node
    if facts.mentions(*MEASURING):
        return
    if isinstance(node, cst.Call) and isinstance(statement, cst.Expr) and _only_waits(node, facts):
        gone = facts.whole(statement)
        if _is_wrapper(gone, facts):
            return
        message = "the host waits at every step until the GPU runs dry, and nothing here needs it to"
        yield Draft(
            node,
            message,
            because=(facts.host_wait(node), facts.frequency(node)),
            fix=Fix("Take it out", (Remove(gone),), Safety.UNSAFE),
        )
    elif _blocks_launches(node, facts) and isinstance(statement, cst.Expr | cst.Assign):
        if facts.conditional(node) or facts.mentions("use_deterministic_algorithms"):
            return  # PyTorch's notes once named it among what makes results repeatable
        fix = Fix("Take it out, and set it in the shell to debug", (Remove(statement),), Safety.UNSAFE)
        yield Draft(node, f"`{SETTING}=1` makes the host wait for every single kernel", fix=fix)


def _only_waits(call: cst.Call, facts: Facts) -> bool:
    """Whether a call in hot code waits, and nothing there needs it."""
    wait, receiver = facts.host_wait(call), facts.value(_receiver(call))
    if not wait.known or wait.value.form != "sync" or _is_own(call, receiver):
        return False
    return facts.frequency(call).value >= Frequency.STEP and not facts.ask(match.needs_gpu_done, call)


def _receiver(call: cst.Call) -> cst.BaseExpression:
    return call.func.value if isinstance(call.func, cst.Attribute) else call.func


def _is_own(call: cst.Call, receiver: Fact[Value]) -> bool:
    """Whether what is waited for is an event or a stream that the program made, not the stream it works on."""
    is_current = isinstance(_receiver(call), cst.Call)
    return receiver.known and receiver.value.kind in ("event", "stream") and not is_current


def _is_wrapper(statement: cst.CSTNode, facts: Facts) -> bool:
    """Whether a function does nothing but synchronise: who calls it means it."""
    function = facts.function(statement)
    if not isinstance(function, cst.FunctionDef):
        return False
    block = function.body
    lines = block.body if isinstance(block, cst.IndentedBlock) else [block]
    return all(part is statement or _is_text(part) for line in lines for part in _parts(line))


def _parts(line: cst.CSTNode) -> Sequence[cst.CSTNode]:
    return line.body if isinstance(line, cst.SimpleStatementLine | cst.SimpleStatementSuite) else [line]


def _is_text(part: cst.CSTNode) -> bool:
    match part:
        case cst.Expr(value=cst.SimpleString()) | cst.Return(value=None):
            return True
    return False


def _blocks_launches(node: cst.CSTNode, facts: Facts) -> bool:
    """`os.environ["CUDA_LAUNCH_BLOCKING"] = "1"`."""
    match node:
        case cst.Assign(
            targets=[
                cst.AssignTarget(
                    target=cst.Subscript(
                        value=environ, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
                    )
                )
            ],
            value=value,
        ):
            name = facts.name(environ)
        case cst.Call(
            func=cst.Attribute(value=environ, attr=cst.Name("setdefault")),
            args=[cst.Arg(value=cst.SimpleString() as key), cst.Arg(value=value)],
        ):
            name = facts.name(environ)
        case _:
            return False
    return name == "os.environ" and key.evaluated_value == SETTING and facts.constant(value) == "1"
