"""The beginning of an epoch, when a loader starts its workers, as a stretch of the host's time with a name.

torch names the time in which a batch is asked for, and not this one, which of a short epoch is the larger part.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import torch
from torch.utils.data import DataLoader

from torchperf_lint.trace.recorder.patches import Patches

BEGINS: Final = "enumerate(DataLoader)#DataLoader.__iter__"
"""Named as torch names the rest of a loader's time."""


def name_beginnings(patches: Patches) -> None:
    begin: Any = DataLoader.__iter__

    @functools.wraps(begin)
    def named(loader: Any) -> Any:
        with torch.profiler.record_function(BEGINS):
            return begin(loader)

    patches.put(DataLoader, "__iter__", named)
