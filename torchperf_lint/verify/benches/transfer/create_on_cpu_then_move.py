"""A tensor is made where it is needed: the time of one creation, its copy and the wait for it included."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import libcst as cst

from torchperf_lint.verify.bench import Bench, Choice, Size, sizes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

FACTORIES = ("zeros", "ones", "rand", "randn")
DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "uint8", "bool")

BEFORE = """
import torch


def run(rows: int, columns: int, device: torch.device):
    return torch.$factory(rows, columns, dtype=torch.$dtype).to(device)
"""


def arrange(stage: Stage, *, factory: str, rows: int, columns: int, dtype: str) -> tuple[Any, ...]:
    del factory, dtype
    return rows, columns, stage.device


def at(node: cst.Call, facts: Facts) -> Mapping[str, object]:
    """The factory, its dtype and, where they are literals, its sizes; more than two dimensions count as rows of the last."""
    factory = node.func.value if isinstance(node.func, cst.Attribute) else None
    if not isinstance(factory, cst.Call):
        return {}
    made = facts.tensor(factory)
    told: dict[str, object] = {"factory": (facts.name(factory.func) or "").removeprefix("torch.")}
    if made.known and made.value.dtype is not None:
        told["dtype"] = made.value.dtype
    *others, last = sizes_of(facts, factory) or (None,)
    known = [size for size in others if size is not None]
    if last is not None:
        told["columns"] = last
    if last is not None and len(known) == len(others):
        told["rows"] = prod(known)
    return told


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "factory": Choice("zeros", FACTORIES),
        "rows": Size(1024, least=0, most=1 << 24, shrinks=True),
        "columns": Size(1024, least=0, most=1 << 24),
        "dtype": Choice("float32", DTYPES),
    },
    at=at,
    sweep=(
        {"rows": 64, "columns": 64},
        {"rows": 4096, "columns": 4096},
        {"factory": "randn", "rows": 4096, "columns": 4096},
    ),
)
