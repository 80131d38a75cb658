"""What the objects are that torch and its libraries construct, what they give when called, and what their members give.

The data stands in `modules` (the classes of `torch.nn`), `members` (what names construct, and what objects have) and
`libraries` (functions outside of torch); here is what reads it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from torchperf_lint.facts.knowledge import libraries, members, torch_modules

Returns = str | tuple["Returns", ...]


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """A class of `torch.nn`: what calling an instance gives, and the parameters that it owns."""

    returns: Returns
    """A return kind, or a tuple of them, nested as the result is."""
    dtype: str | None
    rank: str | int | None
    """In the words of `effects`, of the (first) result. The call's first argument is the first tensor; words that speak
    of an argument (`reduction`, `keepdim`) mean the settings of the constructor."""
    owns: tuple[tuple[str, int | None], ...] = ()
    """The parameters that are attributes of an instance, each with its rank."""
    unless: str | None = None
    """A setting of the constructor that, where it is true, makes the call return something else."""


@cache
def _modules() -> dict[str, ModuleRow]:
    rows: dict[str, ModuleRow] = {}
    for line in torch_modules.TABLE.strip().splitlines():
        name, returns, dtype, rank, owns = line.split()
        kind, _, unless = returns.partition(":")
        rows[f"torch.nn.{name}"] = ModuleRow(
            _returns(kind), None if dtype == "-" else dtype, _rank(rank), _owned(owns), unless or None
        )
    return rows


def _returns(text: str) -> Returns:
    """`(T,(T,T))` as nested tuples."""
    if not text.startswith("("):
        return text
    parts, depth, part = [], 0, ""
    for sign in text[1:-1]:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append(part)
            part = ""
        else:
            part += sign
    return tuple(_returns(each) for each in [*parts, part])


def _rank(word: str) -> str | int | None:
    return None if word == "-" else int(word) if word.isdigit() else word


def _owned(text: str) -> tuple[tuple[str, int | None], ...]:
    pairs = (each.split(":") for each in text.split(",") if text != "-")
    return tuple((name, None if rank == "-" else int(rank)) for name, rank in pairs)


def module(name: str) -> ModuleRow | None:
    return _modules().get(name)


@cache
def _constructs() -> dict[str, str]:
    rows: dict[str, str] = {}
    for line in members.CONSTRUCTS.strip().splitlines():
        if not line.startswith("#"):
            kind, place, names = line.split(None, 2)
            rows |= {f"{place}.{name}": kind for name in names.split()}
    return rows | dict.fromkeys(_modules(), "module")


@cache
def _patterns() -> list[tuple[re.Pattern[str], str, str]]:
    """What a name may look like, the kind, and the family."""
    rows = (line.split() for line in members.PATTERNS.strip().splitlines() if not line.startswith("#"))
    return [(re.compile(pattern), kind.partition(":")[0], kind.partition(":")[2]) for kind, pattern in rows]


@cache
def _matched(name: str) -> tuple[str, str] | None:
    """The kind and the family of the first pattern that fits the whole name."""
    return next(((kind, family) for pattern, kind, family in _patterns() if pattern.fullmatch(name)), None)


def constructs(name: str) -> str | None:
    """The row of the name itself, else the first pattern that fits it."""
    known = _constructs().get(name)
    if known is None and (matched := _matched(name)) is not None:
        return matched[0]
    return known


@cache
def _instances() -> dict[str, str]:
    rows: dict[str, str] = {}
    for line in members.INSTANCES.strip().splitlines():
        if not line.startswith("#"):
            kind, place, names = line.split(None, 2)
            rows |= {f"{place}.{name}": kind for name in names.split()}
    return rows


def instance(name: str) -> str | None:
    """The kind of an instance of a class: what calling it gives, but for what other tables know how to call."""
    known = _instances().get(name)
    if known is None and name.rpartition(".")[2][:1].isupper():
        known = constructs(name)
    return known


@cache
def _members() -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for line in members.MEMBERS.strip().splitlines():
        if not line.startswith("#"):
            owners, returns, names = line.split(None, 2)
            for owner in owners.split(","):
                rows.setdefault(owner, {}).update(dict.fromkeys(names.split(), returns))
    return rows


def members_of(owner: str) -> dict[str, str]:
    """All members that the rows of a class, family or kind give."""
    return _members().get(owner, {})


def member(kind: str, name: str) -> str | None:
    """The row of the class; else that of its family; else that of the kind which it constructs."""
    owners = [kind]
    if "." in kind:
        matched = _matched(kind)
        owners += [matched[1] if matched is not None else "", constructs(kind) or ""]
    return next((found for owner in owners if (found := members_of(owner).get(name)) is not None), None)


def function(name: str) -> str | None:
    """The overloads of a function outside of torch, in the notation of `schema`."""
    return _functions().get(name)


@cache
def _functions() -> dict[str, str]:
    rows: dict[str, str] = {}
    for line in libraries.FUNCTIONS.strip().splitlines():
        if not line.startswith("#"):
            place, _, rest = line.partition(" ")
            names, _, signature = rest.partition(" | ")
            rows |= {f"{place}.{name}": signature for name in names.split()}
    return rows
