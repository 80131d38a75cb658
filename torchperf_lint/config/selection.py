"""Which rules run: codes, prefixes and names, in layers, into a set of codes.

The more exact selector wins, and `ignore` wins between equals; a later layer (the command line) goes over an earlier
one (the file), and where it says `select` it starts anew. Selecting a prefix means its rules that are on by default;
ignoring one means all of it. Knows nothing of where the layers come from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.model.catalogue import DOES_NOT_PARSE, RULE_RAISED, by_code, by_name, entries

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

ALL: Final = "ALL"
_PREFIX: Final = re.compile(r"TPL\d{0,2}")
_FAMILY: Final = re.compile(r"TPL\d")
_LOOK_ALIKE: Final = str.maketrans("OIL", "011")
_SEVERAL: Final = 3
"""So many names are told at the most."""
_EXACT: Final = 9
_ALWAYS: Final = frozenset({DOES_NOT_PARSE, RULE_RAISED})
"""What no selection leaves out: only ignoring it does."""


class UnknownRuleError(Exception):
    """A selector that means no rule."""

    def __init__(self, selector: str, known: Collection[str] | None = None) -> None:
        near = _near(selector, selectors() if known is None else known)
        super().__init__(f"unknown rule `{selector}`{near or '; `torchperf-lint rules` lists all'}")


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place (the file, the command line) says on rules."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def chosen(layers: Iterable[Layer] = ()) -> frozenset[str]:
    """The codes that layers choose, from the defaults on."""
    codes: frozenset[str] = frozenset()
    for layer in (Layer(select=("TPL",)), *layers):
        if layer.select is not None:
            codes = _ALWAYS
        wanted = (*(layer.select or ()), *layer.extend_select)
        for step in sorted({_exactness(selector) for selector in (*wanted, *layer.ignore)}):
            codes |= _union(_selected(each) for each in wanted if _exactness(each) == step)
            codes -= _union(meant(each) for each in layer.ignore if _exactness(each) == step)
    return codes


def meant(selector: str) -> frozenset[str]:
    """All codes that a selector covers, on by default or not."""
    if selector == ALL:
        return frozenset(by_code())
    if selector in by_code():
        return frozenset({selector})
    if selector in by_name():
        return frozenset({by_name()[selector].code})
    codes = frozenset(code for code in by_code() if _PREFIX.fullmatch(selector) and code.startswith(selector))
    if not codes:
        raise UnknownRuleError(selector)
    return codes


def _selected(selector: str) -> frozenset[str]:
    codes = meant(selector)
    if selector == ALL or _exactness(selector) == _EXACT:
        return codes
    return frozenset(code for code in codes if by_code()[code].default)


def _exactness(selector: str) -> int:
    if selector == ALL:
        return 0
    return len(selector) if _PREFIX.fullmatch(selector) else _EXACT


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)


def selectors() -> tuple[str, ...]:
    """All that selects rules."""
    prefixes = {entry.code[:length] for entry in entries() for length in (3, 4, 5)}
    return (ALL, *sorted(prefixes), *by_code(), *by_name())


def _near(selector: str, known: Collection[str]) -> str:
    """What a wrong selector can have meant: a code, with digits for letters, else one of its family; names it is part of."""
    code = "TPL" + selector.upper()[3:].translate(_LOOK_ALIKE)
    if code in known and selector.upper().startswith("TPL"):
        return f"; did you mean `{code}`?"
    holding = [f"`{each}`" for each in known if each in by_name() and selector.lower() in each]
    if 0 < len(holding) <= _SEVERAL:
        return f"; did you mean {' or '.join(holding)}?"
    family = _FAMILY.match(selector.upper())
    return suggestion(selector, [each for each in known if each.startswith(family[0] if family else "")])


def suggestion(word: str, known: Collection[str]) -> str:
    """`; did you mean ...?` where a known word is near, else nothing."""
    import difflib

    near = difflib.get_close_matches(word, known, n=1) or difflib.get_close_matches(word.upper(), known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""
