"""Makes the sample calls of `calls.txt` and tells what is wrong with the rows of what they call. Imports torch."""

from __future__ import annotations

import operator
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from knowledge.binding import Call, agrees, bind, kind_of
from knowledge.compare import check

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.knowledge import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

CALLS = Path(__file__).with_name("calls.txt")
SIZES = {0: (), 1: (3,), 2: (3, 3), 3: (2, 3, 3), 4: (2, 2, 4, 4)}
DTYPES = {
    "f": "float32",
    "d": "float64",
    "h": "float16",
    "g": "bfloat16",
    "i": "int64",
    "k": "int32",
    "u": "uint8",
    "b": "bool",
    "c": "complex64",
}


@cache
def originals() -> dict[str, Any]:
    """The tensors that the sample calls name."""
    torch.manual_seed(0)
    found: dict[str, Any] = {}
    for letter, name in DTYPES.items():
        for rank, size in SIZES.items():
            base = torch.rand(size) * (3 if letter in "iku" else 1) + (0 if letter in "ikub" else 0.1)
            found[f"{letter}{rank}"] = (base > 0.5) if letter == "b" else base.to(getattr(torch, name))
    half = torch.rand(3, 3)
    definite = half @ half.T + 3 * torch.eye(3)
    return found | {
        "x0": torch.tensor(1), "x1": torch.tensor([0, 2, 1]), "x2": torch.tensor([[0, 1, 2], [2, 0, 1], [1, 2, 0]]),
        "t3": torch.zeros(2, 4, 4, dtype=torch.int64), "p2": definite, "p3": torch.stack([definite, 2 * definite]),
        "q1": torch.tensor([0.2, 0.8]), "s1": torch.tensor([0.1, 0.3, 0.9]), "s2": torch.tensor([[0.1, 0.3, 0.9]] * 3),
        "z2": torch.rand(3, 2), "w1": torch.rand(64), "e1": torch.empty(0), "r1": torch.rand(2), "o2": torch.rand(3, 3),
    }  # fmt: skip


NEVER_GRAD = ("s1", "s2", "e1")
"""Bounds of buckets, and the empty tensor that `cat` ignores."""


def values(arguments: str, device: str, grad: bool) -> dict[str, Any]:
    """Fresh tensors for the names in some arguments."""
    found: dict[str, Any] = {"torch": torch, "np": np}
    for name in set(re.findall(r"\b[a-z]\d\b", arguments)) & originals().keys():
        value = originals()[name].to(device).clone()
        if grad and (value.is_floating_point() or value.is_complex()) and name not in NEVER_GRAD:
            value = value.requires_grad_().clone()  # no leaf, so that it can be changed in place
        found[name] = value
    if "leaf" in arguments:
        found["leaf"] = torch.nn.Parameter(torch.rand(3))
        found["leaf"].grad = torch.rand(3)
    return found


def samples() -> Iterator[tuple[str, bool, str]]:
    """Each sample call: the name, whether as a method, and the arguments with their brackets."""
    for line in CALLS.read_text().splitlines():
        if line and not line.startswith("#"):
            names, _, calls = line.partition(" | ")
            for name in names.split():
                for call in calls.split(" ; "):
                    yield from forms(name, call.strip()[1:])


def forms(name: str, arguments: str) -> Iterator[tuple[str, bool, str]]:
    if "." in name:
        yield name.lstrip("."), name.startswith("."), arguments
        return
    if knowledge.function(f"torch.{name}") is not None:
        yield knowledge.canonical(f"torch.{name}"), False, arguments
    if knowledge.method(name) is not None and re.match(r"\([a-z]\d", arguments):
        yield name, True, arguments


def made(name: str, method: bool, arguments: str, device: str, grad: bool) -> tuple[Call | None, Any, list[Any]] | None:
    """Make a call; give it as bound to its overload, what came back, and the receiver; None where torch refuses it."""
    try:
        args, kwargs = eval(f"(lambda *a, **k: (a, k)){arguments}", values(arguments, device, grad))
        receiver = [args[0]] if method else []
        args = args[len(receiver) :]
        if knowledge.attribute(name) is not None and method:
            kind = knowledge.attribute(name) or ""
            return Call(name, schema.Overload((), kind), {"": receiver[0]}), getattr(receiver[0], name), receiver
        before = [
            each.detach().clone().requires_grad_(each.requires_grad) if name.endswith("_") else each
            for each in receiver
        ]
        result = target(name, receiver)(*args, **kwargs)
    except Exception:
        return None
    overloads = (
        knowledge.method(name) if method else either() if name.startswith("operator.") else knowledge.function(name)
    )
    call = bind(name, overloads or (), before, args, kwargs)
    if call is not None and receiver:
        call.actual = receiver[0]
    return call, result, receiver


def target(name: str, receiver: list[Any]) -> Any:
    """What is called."""
    found: Any = receiver[0] if receiver else operator if name.startswith("operator.") else torch
    for part in name.split(".") if receiver else name.split(".")[1:]:
        found = getattr(found, part)
    return found


@cache
def either() -> tuple[schema.Overload, ...]:
    """How operators are called."""
    return schema.read("input:N other:N -> any ; input:N -> any")


def wrong(name: str, method: bool, arguments: str, device: str, grad: bool) -> list[str] | None:
    """What a call shows to be wrong; None where torch itself refuses the call."""
    outcome = made(name, method, arguments, device, grad)
    if outcome is None:
        return None
    call, result, receiver = outcome
    if call is None:
        return ["no overload takes these arguments"]
    found = (
        []
        if agrees(call.overload.returns, result, receiver)
        else [f"returns {call.overload.returns}, not {kind_of(result)}"]
    )
    row = knowledge.effect(name, method=method)
    if row is None:
        return [*found, "has no row"]
    left_out = ("dtype", "rank", "grad", "view") if device == "meta" else ("device",)
    return found + check(row, call, result, forget=left_out)


def resolve(name: str) -> Any:
    """What a dotted name stands for; None where it cannot be imported."""
    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found
