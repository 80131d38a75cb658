"""What a callable of torch takes and returns, and how `schemas.json` writes it in one line.

    input:T dim:i= keepdim:b= *out:T?= -> TT.values.indices ; input:T *out:T?= -> T

Overloads are separated by " ; ", parameters by blanks. A parameter is its name and its type code; `=` says that it has
a default, `~` that it takes None all the same, a leading `*` that it is given by keyword only, a trailing `+` that it
takes all further positions (`x.view(2, 3)`). After the arrow stands the return kind, and after that the names that a
named tuple has for its items.

Codes of parameters: T tensor, T? tensor or None, N tensor or number, L list or tuple of tensors, i int, I int or ints
(None among them where torch takes it), f number, b bool, `True` and `False` a bool that must be this one for the
overload to hold, s string, d dtype, D device, g generator, `?` anything else.

Return kinds: T tensor, T? tensor or None, TT, TTT, ... a tuple of so many tensors, L a tuple or list of tensors whose
number the schema does not tell, bool, int, float, number, str, none, self (the receiver), size, dtype, device, list,
ndarray, object (anything that is no tensor), any (not known); a mixed tuple is written `(T,T?,L)`.

NumPy's names are taken everywhere: `axis` for `dim`, `keepdims` for `keepdim`, `x`, `a` and `x1` for `input`, `x2` for
`other`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an overload."""

    name: str
    type: str
    default: bool = False
    keyword: bool = False
    """Given by keyword only."""
    none: bool = False
    """Takes None, though it has no default; one that has takes None too, as good as always."""
    many: bool = False
    """Takes all positional arguments that are left, as `*size` does."""


@dataclass(frozen=True, slots=True)
class Overload:
    """One way to call a function; methods do not list the tensor they are called on."""

    parameters: tuple[Parameter, ...]
    returns: str | tuple[str, ...]
    fields: tuple[str, ...] = ()
    """The names of the items of a named tuple: `values` and `indices` of `torch.max(x, 0)`."""


def read(text: str) -> tuple[Overload, ...]:
    """The overloads that a line of `schemas.json` stands for."""
    return tuple(_overload(part) for part in text.split(" ; "))


def _overload(text: str) -> Overload:
    parameters, _, result = text.rpartition("-> ")
    kind, *fields = result.split(".")
    returns = tuple(kind[1:-1].split(",")) if kind.startswith("(") else kind
    return Overload(tuple(_parameter(word) for word in parameters.split()), returns, tuple(fields))


def _parameter(word: str) -> Parameter:
    name, _, code = word.lstrip("*").partition(":")
    return Parameter(name, code.rstrip("=~+"), "=" in code, word.startswith("*"), "~" in code, "+" in code)


def write(overloads: tuple[Overload, ...]) -> str:
    """The line for some overloads; `read` takes it back."""
    return " ; ".join(_write(overload) for overload in overloads)


def _write(overload: Overload) -> str:
    words = [
        f"{'*' * each.keyword}{each.name}:{each.type}{'=' * each.default}{'~' * each.none}{'+' * each.many}"
        for each in overload.parameters
    ]
    returns = overload.returns if isinstance(overload.returns, str) else f"({','.join(overload.returns)})"
    return " ".join([*words, "->", ".".join([returns, *overload.fields])])
