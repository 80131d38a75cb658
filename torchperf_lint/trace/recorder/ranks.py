"""Which of several processes this is, where the program starts them itself and no launcher has said so in the environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from torchperf_lint.trace.settings import rank_of


def rank_here() -> tuple[int, int, int]:
    """The rank of this process, its rank on this machine, and how many there are."""
    rank, local, size = rank_of()
    home = torch.distributed
    if size > 1 or not home.is_available() or not home.is_initialized():
        return rank, local, size
    return home.get_rank(), home.get_rank() % max(1, torch.cuda.device_count()), home.get_world_size()


def await_group(wanted: int | None, joined: Callable[[], None]) -> None:
    """Tell when this process joins a process group, unless only another rank is `wanted`."""
    home: Any = torch.distributed
    if not home.is_available():
        return
    init = home.init_process_group

    def told(*args: Any, **kwargs: Any) -> Any:
        home.init_process_group = init
        done = init(*args, **kwargs)
        if wanted is None or home.get_rank() == wanted:
            joined()
        return done

    home.init_process_group = told
