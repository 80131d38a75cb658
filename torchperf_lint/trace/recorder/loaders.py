"""Loaders: the beginning of an epoch as a stretch of the host's time with a name, and how much of the processor their workers take.

torch names the time in which a batch is asked for, and not that in which workers start, which of a short epoch is the larger part.
Steps that become shorter need their batches sooner: no step takes less than the workers need for its batch, though nobody waits
for them now.
"""

from __future__ import annotations

import functools
import os
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet

import torch
from torch.utils.data import DataLoader

from torchperf_lint.disk.read import read_file
from torchperf_lint.trace.recorder.patches import Patches

BEGINS: Final = "enumerate(DataLoader)#DataLoader.__iter__"
"""Named as torch names the rest of a loader's time."""


class Loaders:
    """Those of which an epoch goes on."""

    def __init__(self) -> None:
        self._running: WeakSet[Any] = WeakSet()
        self._before: WeakKeyDictionary[Any, tuple[float, float]] = WeakKeyDictionary()
        self.took: dict[str, list[float]] = {}
        """For each stretch of timed steps, and each loader with workers, the seconds that it cannot do without: workers share the
        batches, a thread pins all of them."""

    def watch(self, patches: Patches) -> None:
        begin: Any = DataLoader.__iter__

        @functools.wraps(begin)
        def named(loader: Any) -> Any:
            with torch.profiler.record_function(BEGINS):
                begun = begin(loader)
            if getattr(begun, "_workers", None):
                self._running.add(begun)
            return begun

        patches.put(DataLoader, "__iter__", named)

    def begin(self) -> None:
        """Steps are timed from now on."""
        self._before = WeakKeyDictionary({each: took for each in list(self._running) if (took := _took(each))})

    def end(self, stretch: str) -> None:
        """The steps of a stretch have been timed."""
        found = []
        for each, (workers, pinning) in list(self._before.items()):
            if now := _took(each):
                found.append(max((now[0] - workers) / len(each._workers), now[1] - pinning))
        self.took[stretch] = found


def _took(running: Any) -> tuple[float, float] | None:
    """Seconds of the processor that the workers of a loader took, and the thread that pins what they hand over; None where the
    system does not say, or they have ended."""
    thread = getattr(running, "_pin_memory_thread", None)
    try:
        workers = sum(_processor(f"/proc/{each.pid}/stat") for each in running._workers)
        return workers, _processor(f"/proc/self/task/{thread.native_id}/stat") if thread else 0.0
    except (OSError, ValueError, AttributeError, IndexError):
        return None


def _processor(stat: str) -> float:
    user, system = read_file(stat).decode(errors="replace").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
