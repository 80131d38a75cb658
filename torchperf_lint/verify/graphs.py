"""What `torch.compile` makes of a program: how many graphs, whether later calls compile anew, and the time that takes.

Dynamo counts graphs, on any device. The time is what the first calls take beyond what a call takes at last, with nothing
in the compiler's caches, as in the first run of a program.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, NamedTuple

import torch

CALLS: Final = 5
"""So many calls: a guard that changes each time compiles in each of them."""
STEADY: Final = 3
"""So many more show what a call takes when all is compiled."""


class Compiled(NamedTuple):
    """What was counted of a program."""

    graphs: int
    """Those that the first call makes."""
    recompiles: int
    """Those that the other calls make."""
    compile_s: float
    """Seconds."""


def counted(ready: Callable[[], Callable[[], object]], synchronize: Callable[[], object] = lambda: None) -> Compiled:
    """What the first calls of a program compile; `synchronize` waits for the device."""

    def timed() -> float:
        start = time.perf_counter()
        call()
        synchronize()
        return time.perf_counter() - start

    dynamo: Any = torch._dynamo
    dynamo.reset()
    made = dynamo.utils.counters["stats"]
    made.clear()
    call = ready()
    with _empty_caches():
        taken = timed()
        first = int(made["unique_graphs"])
        taken += sum(timed() for _ in range(CALLS - 1))
        later = int(made["unique_graphs"]) - first
        steady = min(timed() for _ in range(STEADY))
    return Compiled(first, later, round(max(0.0, taken - CALLS * steady), 3))


def obstacle(device: torch.device) -> str | None:
    """Why nothing can be compiled here, and what would help; None where it can."""
    try:
        torch.compile(lambda x: x.sin() + 1)(torch.zeros(2, device=device))
    except Exception as error:
        said = str(error).strip().partition("\n")[0].rstrip(".")
        needs = "a C++ compiler, as g++" if device.type == "cpu" else "Triton and a C compiler"
        return f"torch.compile fails here, which needs {needs} ({type(error).__name__}: {said})"[:200]
    return None


def _empty_caches() -> AbstractContextManager[Any]:
    """While it lasts, the compiler finds nothing that was compiled before."""
    import torch._inductor.utils as inductor

    fresh = getattr(inductor, "fresh_cache", None) or getattr(inductor, "fresh_inductor_cache", None)
    return fresh() if fresh is not None else nullcontext()
