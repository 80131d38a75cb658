from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Fact, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, Value, rule
from torchperf_lint.rules.transfer.dataloader_without_pin_memory import match

PINNING = ("pin_memory", "pin_memory_device")
ON_GPU = ("cuda", "to", "device", "pin_memory")
"""What a dataset or a collate function mentions that gives tensors of the GPU, or page-locked ones."""
PIN_PLACE = 7
"""The place of `pin_memory` among the arguments of a `DataLoader`."""


@rule(
    "TPL204",
    names=("DataLoader",),
    fix=Safety.UNSAFE,
    impact=Faster("for an epoch of batches that are read by workers"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A loader gives batches in pageable memory, and each of them is copied to the GPU.

    The GPU fetches data by itself only from page-locked memory. From any other memory the driver copies a batch piece by
    piece through a buffer of its own, and the host stands by. With `pin_memory=True` a thread of the loader does that
    work ahead of time, beside the training step.

    Why
    ---
    The copy is several times slower from pageable memory, it stops the host, and `non_blocking=True` does not help it.
    All of that stands between two steps.

    Instead
    -------
    `DataLoader(..., pin_memory=True)`, or `pin_memory=torch.cuda.is_available()` in code that also runs without a GPU.
    Then say `non_blocking=True` where the batch is moved.

    When it is fine
    ---------------
    With `num_workers=0` the main thread itself would do the page-locking, which gains little and can lose: such loaders
    are not reported. Nor are those whose dataset or `collate_fn` deals with devices itself, those whose batches are
    objects of one's own, and those that say `pin_memory=False`. Where memory of the host is scarce, leave it pageable.

    Fix safety
    ----------
    Values stay as they are. The process holds page-locked memory for the batches that wait, which the system cannot
    swap out; a dataset that gives tensors of the GPU raises an error.
    """
    if facts.name(call.func) != "torch.utils.data.DataLoader" or not facts.may_use_gpu():
        return
    named = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    if any(arg.star for arg in call.args) or named & {*PINNING} or len(call.args) - len(named) > PIN_PLACE:
        return
    workers = _argument(call, "num_workers", 5)
    if workers is None or facts.constant(workers) in (0, None) or _deals_with_devices(call, facts):
        return
    collates = _argument(call, "collate_fn", 6) is not None
    every = map(facts.node, facts.ask(match.moves, call))
    moves = [move for move in every if facts.frequency(move).value >= Frequency.INFERENCE]
    if facts.ask(match.becomes_array, call) or any(_is_of_object(move, facts, collates) for move in moves):
        return
    is_always = not any(facts.conditional(move) for move in moves)
    placed = [facts.value(move) for move in moves if _places(move, facts)]
    if placed:
        message = "batches are copied to the GPU from pageable memory, and the host waits: say `pin_memory=True`"
        yield Draft(call.func, message, because=(placed[0],), fix=_fix(call, placed, is_always, facts), about=call)


def _places(call: cst.Call, facts: Facts) -> bool:
    """Whether a move is to a GPU, or to the device of the program: `self.device`, `args.device`."""
    move = facts.move(call)
    if move.device is not None or not move.has_device:
        return move.device in ("cuda", "maybe")
    is_hazy = move.vague or move.to_tensor or move.optional or not move.sure
    return not is_hazy and isinstance(facts.moved_to(call)[0], cst.Attribute)


def _argument(call: cst.Call, name: str, place: int) -> cst.BaseExpression | None:
    """An argument by its name or place."""
    for index, arg in enumerate(call.args):
        if (arg.keyword.value if arg.keyword is not None else index) in (name, place):
            return arg.value
    return None


def _deals_with_devices(call: cst.Call, facts: Facts) -> bool:
    """Whether the dataset, or what collates its items, may give tensors that are not in pageable memory."""
    for argument in (_argument(call, "dataset", 0), _argument(call, "collate_fn", 6)):
        if argument is None:
            continue
        made = facts.value(argument)
        held = made.value.items if made.known and isinstance(made.value.items, dict) else {}
        if any(item.kind == "tensor" and item.device is not None and item.device != "cpu" for item in held.values()):
            return True
        if facts.ask(match.definition_mentions, argument, ON_GPU):
            return True
    return False


def _is_of_object(move: cst.Call, facts: Facts, collates: bool) -> bool:
    """Whether what is moved may be an object that no loader knows how to page-lock: `batch.x`, or a collated `batch`."""
    assert isinstance(move.func, cst.Attribute)
    moved = move.func.value
    if isinstance(moved, cst.Attribute):
        return True
    return collates and isinstance(moved, cst.Name) and facts.ask(match.is_loop_item, moved)


def _fix(call: cst.Call, placed: list[Fact[Value]], is_always: bool, facts: Facts) -> Fix[Edit] | None:
    """`True` where the batches go to CUDA for certain, else whether there is one."""
    available = facts.spelling("torch.cuda.is_available")
    is_cuda = is_always and all(fact.known and fact.value.device == "cuda" for fact in placed)
    if not is_cuda and available is None:
        return None
    pin = "True" if is_cuda else f"{available}()"
    text = facts.with_arguments(call, call, pin_memory=pin)
    return Fix(f"Page-lock the batches: `pin_memory={pin}`", (Replace(call, text),), Safety.UNSAFE)
