"""What a class is by the names of the bases that the program does not show.

    from encoders import EncoderModule
    class Net(EncoderModule): ...              likely a module
    from frame import Engine
    class Own(Engine):
        def forward(self, x): ...              likely one too: nobody but a module has a `forward`

A base that the program shows, or that a table knows, is not asked about here. Knows names alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from torchperf_lint.facts.domain.value import Kind

_SUFFIXES: Final[dict[str, Kind]] = {"Module": "module", "Dataset": "dataset"}
_ROOTS: Final = frozenset(("object", "ABC", "Generic", "Protocol"))
"""Bases that make nothing of a class."""
_TEST_CASE: Final = re.compile("TestCase|Test$|TestBase$|^BaseTest")
_FRAMEWORK: Final = re.compile(r"Trainer|Callback|\wModule|Pipeline|Hook")


def kind(bases: Iterable[str], *, has_forward: bool) -> Kind | None:
    """What an instance of a class likely is."""
    named = list(bases)
    imported = [base for base in named if "." in base]
    for base in imported:
        for suffix, known in _SUFFIXES.items():
            if base.endswith(suffix):
                return known
    return "module" if has_forward and any(base.rpartition(".")[2] not in _ROOTS for base in named) else None


def is_trainer(bases: Iterable[str]) -> bool:
    """Whether a class likely derives from a trainer, which calls `compute_loss(self, model, inputs)` at every step."""
    return any(base.endswith("Trainer") for base in bases)


def is_test_case(bases: Iterable[str]) -> bool:
    """Whether a class derives from what is called a test: whoever runs it imports the tool."""
    return any(_TEST_CASE.search(base) for base in bases)


def is_framework(bases: Iterable[str]) -> bool:
    """Whether whoever calls the methods of a class is likely a framework, which decides on modes and gradients itself."""
    return any(_FRAMEWORK.search(base.rpartition(".")[2]) for base in bases if not base.startswith("torch."))


def is_of_lightning(bases: Iterable[str]) -> bool:
    """Whether a class derives from what is called a module of Lightning, which calls its steps itself."""
    return any(base.endswith("LightningModule") for base in bases)


def is_trained(bases: Iterable[str]) -> bool:
    """Whether one of some names is that of a model of Transformers, as others trained it: its shapes are given."""
    return any(base.endswith("PreTrainedModel") for base in bases)
