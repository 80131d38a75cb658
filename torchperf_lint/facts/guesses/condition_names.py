"""What a condition is about by what stands in it is called: how often, how loud, or on which process code runs."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = re.compile(
    r"(^|_)(verbose|verbosity|debug|debugging|log|logging|logger|print|display|plot|vis|visuali[sz]e|show|profile|profiling|sanity|validate|"
    r"validation|check_nan|detect|save|saving|checkpoint|dump|dry_run|wandb|tensorboard|rank|is_main|is_master|is_rank|main_process|master_process|"
    r"master|world_master|is_chief|is_first(?!_stage)|first_step|first_iter|first_batch|is_last(?!_stage)|last_step|last_iter|last_batch|final_step|warmup|every|interval|freq|frequency|period)(_|$|\d)",
    re.IGNORECASE,
)

_HALF: Final = re.compile(r"(^|_)(fp16|float16|half)(_|$)", re.IGNORECASE)
_ROOM: Final = re.compile(
    r"offload|(^|_)cpu_cache|low_?v?(ram|mem)|(save|free|clear|empty)_(memory|cache|vram)|memory_saving", re.IGNORECASE
)
_TURN: Final = re.compile(
    r"(^|_)(i|idx|step|steps|iter|iteration|it|batch_idx|batch_id|batch_i|global_step|n_iter|itr|iter_num|epoch)(_|$)"
)
_PERIOD: Final = re.compile(r"(^|_)(every|interval|freq|frequency|period)$", re.IGNORECASE)
_RANK: Final = re.compile(r"(^|_)rank$", re.IGNORECASE)
_STEPPING: Final = frozenset(("update_grad", "need_update"))
_SINGLE: Final = re.compile(r"(^|_)(first|last|final)(_|$)", re.IGNORECASE)


def is_gate(name: str) -> bool:
    """`verbose`, `save_every`, `is_main_process`: keeps rules quiet in what is printed, saved or checked now and then; not
    `is_last_stage`, which holds at every step on who has that stage of a pipeline."""
    return _WORDS.search(name) is not None


def is_turn(name: str) -> bool:
    """`step`, `batch_idx`, `i`: tells `if step == 0`, which holds once, from `if mode == 0`."""
    return _TURN.search(name) is not None


def is_period(name: str) -> bool:
    """`save_every`, `log_freq`: tells that `due(step, save_every)` holds each so many turns."""
    return _PERIOD.search(name) is not None


def is_single(name: str) -> bool:
    """`is_last`, `first_batch`: tells that `if not is_last` holds at all turns but one."""
    return _SINGLE.search(name) is not None


def tells_to_step(name: str) -> bool:
    """`scaler(loss, optimizer, update_grad=(i + 1) % k == 0)`: the scaler of timm, and its many copies, step where it holds."""
    return name in _STEPPING


def is_half(name: str) -> bool:
    """`is_fp16_enabled`: what such a condition lets through repairs what overflows in float16, in which few compute today."""
    return _HALF.search(name) is not None


def makes_room(name: str) -> bool:
    """`offload_inference`, `low_vram`: whoever sets it wants memory, whatever the time."""
    return _ROOM.search(name) is not None


def is_rank(name: str) -> bool:
    """`args.local_rank`, `get_rank()`, `os.environ["RANK"]`: the number of a process of several."""
    return _RANK.search(name) is not None
