"""What a bench is, and all that the author of one imports.

A bench is one file, `benches/<family>/<rule>.py`, with the name of the rule whose fix it measures. It holds a program as
text, `before`; what the rule's own fixer makes of that text is `after`, so that what is compared is the fix that users
get. Dropping the file into the folder is all it takes.

    before      a text that defines `run(...)`; `$name` in it stands for a parameter
    arrange     makes the arguments of `run`, the same at every call: parity and time stand on it
    parameters  the sizes and choices that matter, each with a default and what it may be
    at          what the place of a finding tells of them, or None where nothing here is like it; the node is the one the rule
                was called with
    sweep       the parameters at which the bench is measured by itself, beside the defaults

Knows nothing of torch: a bench imports torch inside `arrange`, which runs in the process that measures.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from string import Template
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.model.catalogue import by_name
from torchperf_lint.verify import benches

if TYPE_CHECKING:
    import libcst as cst

    from torchperf_lint.facts.facade import Facts

Setting = int | float | str | bool
"""What a parameter can be: plain data that travels to another process."""
Settings = Mapping[str, Setting]

PROGRAMS: Final = "programs"
"""The folder of benches that are whole programs and belong to no single rule."""


class UnfitError(ValueError):
    """A value that a parameter cannot take; says what it must be."""


@dataclass(frozen=True, slots=True)
class Size:
    """A whole number: an extent or a count."""

    default: int
    small: int = 4
    """What is large enough to compare results on inputs that are meant to break things."""
    least: int = 1
    """0 where empty is legal."""
    most: int = 1 << 16
    shrinks: bool = False
    """Whether it may be made smaller where memory runs out."""

    def fit(self, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        raise UnfitError(f"a whole number from {self.least} to {self.most}")

    def read(self, text: str) -> int:
        return self.fit(int(text) if re.fullmatch(r"\d{1,9}", text) else text)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words."""

    default: str
    options: tuple[str, ...]

    def fit(self, value: object) -> str:
        if isinstance(value, str) and value in self.options:
            return value
        raise UnfitError("one of " + ", ".join(self.options))

    def read(self, text: str) -> str:
        return self.fit(text)


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    default: bool

    def fit(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise UnfitError("true or false")

    def read(self, text: str) -> bool:
        return self.fit({"true": True, "false": False}.get(text.lower()))


@dataclass(frozen=True, slots=True)
class Number:
    """A number between two others."""

    default: float
    least: float
    most: float

    def fit(self, value: object) -> float:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and self.least <= value <= self.most:
            return float(value)
        raise UnfitError(f"a number from {self.least} to {self.most}")

    def read(self, text: str) -> float:
        try:
            return self.fit(float(text))
        except ValueError:
            return self.fit(text)


Parameter = Size | Choice | Flag | Number


@dataclass(frozen=True, slots=True)
class Bench:
    """What one bench says; see the module's first lines."""

    before: str
    arrange: Callable[..., tuple[Any, ...]]
    """Called with a `Stage` and the parameters by name."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    at: Callable[[Any, Facts], Mapping[str, object] | None] | None = None
    by_hand: str | None = None
    """`after`, written out, where the rule shows a cure and applies none."""
    steps: int = 1
    """How many steps one call of `run` takes; times and waits are told per step."""
    waits: bool = False
    """Whether the claim is a wait, whose cost is the host's work that it serialises: measured with host work too."""
    compiles: bool = False
    """Whether the claim is about `torch.compile`: then it is counted how many graphs are made."""
    needs_cuda: bool = True
    adverse: bool = True
    """Whether results are compared on inputs that are meant to break things; not where starting takes long."""
    unlike: Mapping[str, str] = field(default_factory=dict)
    """Inputs on which results differ by intention, by the name that parity gives them, and why that is meant."""
    sweep: tuple[Settings, ...] = ()
    ranks: int = 1
    """How many processes run the program together, each with a GPU of its own."""

    def defaults(self) -> dict[str, Setting]:
        return {name: parameter.default for name, parameter in self.parameters.items()}

    def literals(self) -> frozenset[str]:
        """The parameters that stand in the text itself, and so cannot differ from one run of it to the next."""
        return frozenset(re.findall(r"\$(\w+)", self.before + (self.by_hand or "")))

    def program(self, settings: Settings, text: str | None = None) -> str:
        """The text of `before`, or of another, at some settings."""
        return Template(self.before if text is None else text).substitute(settings)


@dataclass(frozen=True, slots=True)
class Found:
    """A bench with what its place says of it."""

    bench: Bench
    name: str
    """As the rule is called."""
    code: str | None
    """The rule that it measures; None: a program of several."""
    module: str


@cache
def all_benches() -> tuple[Found, ...]:
    """Every bench there is, by code; found by looking into the folders."""
    found = []
    for module in pkgutil.walk_packages(benches.__path__, benches.__name__ + "."):
        loaded = None if module.ispkg else importlib.import_module(module.name)
        bench = getattr(loaded, "BENCH", None)
        if isinstance(bench, Bench):
            found.append(_found(bench, module.name))
    found = [each for each in found if each.code is not None or f".{PROGRAMS}." in each.module]
    return tuple(sorted(found, key=lambda each: (each.code or "~", each.name)))


def _found(bench: Bench, module: str) -> Found:
    _, family, stem = module.rsplit(".", 2)
    name = stem.replace("_", "-")
    rule = by_name().get(name)
    return Found(bench, name, rule.code if rule is not None and family != PROGRAMS else None, module)


def bench_of(module: str) -> Bench:
    """The bench of a module, by its name."""
    if not module.startswith(benches.__name__ + "."):
        raise ValueError(f"{module} is no bench")
    bench = importlib.import_module(module).BENCH
    assert isinstance(bench, Bench)
    return bench


def sizes_of(facts: Facts, call: cst.Call) -> tuple[int | None, ...]:
    """The sizes in the arguments of a factory, `zeros(4, 5)` or `zeros((4, n))`; None where one is not known."""
    import libcst as cst

    given = [arg.value for arg in call.args if arg.keyword is None or arg.keyword.value == "size"]
    if len(given) == 1 and isinstance(given[0], (cst.Tuple, cst.List)):
        given = [element.value for element in given[0].elements]
    sizes = [facts.constant(each) for each in given]
    return tuple(size if type(size) is int else None for size in sizes)
