"""What a traced process is: versions, its GPU, and counters of torch that say what went wrong besides."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

import torch


def machine() -> dict[str, Any]:
    has_gpu = torch.cuda.is_available() and torch.cuda.is_initialized()
    return {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "gpu": torch.cuda.get_device_name() if has_gpu else None,
        "capability": list(torch.cuda.get_device_capability()) if has_gpu else None,
        "memory": torch.cuda.get_device_properties(torch.cuda.current_device()).total_memory if has_gpu else None,
        "cuda": torch.cuda.is_available(),
    }


def counters() -> dict[str, int]:
    """Counts whose difference says what happened between two moments."""
    found = {}
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        memory = torch.cuda.memory_stats()
        found["allocator_retries"] = int(memory.get("num_alloc_retries", 0))
        found["peak_memory"] = int(memory.get("allocated_bytes.all.peak", 0))
    dynamo: Any = sys.modules.get("torch._dynamo.utils")
    if dynamo is not None:
        found["graph_breaks"] = sum(dynamo.counters["graph_break"].values())
        found["compiled_graphs"] = int(dynamo.counters["stats"].get("unique_graphs", 0))
    return found


def forget_peak() -> None:
    """From now on the peak of memory is that of what follows."""
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.reset_peak_memory_stats()


def strays(moved: tuple[str, str] | None) -> list[str]:
    """Modules that were imported from a folder though there is a copy of it."""
    if moved is None:
        return []
    inside = os.path.join(moved[0], "")  # noqa: PTH118
    files = [str(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())]
    return sorted(file for file in files if file.startswith(inside) and not _is_installed(file))


def _is_installed(file: str) -> bool:
    return "site-packages" in file or "dist-packages" in file
