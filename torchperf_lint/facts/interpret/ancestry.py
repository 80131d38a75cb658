"""What a class derives from in the program, in the order in which Python looks an attribute up, each class once.

    class A: ...            class B(A): ...         class C(A): ...         class D(B, C): ...         D, B, C, A

Ways up that meet again are as many as two to the number of meetings: no way is walked twice here.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

LONGEST: Final = 100
"""So many classes are looked at for one: no class that somebody wrote derives from more."""


def bases(analysis: Analysis, owner: Class) -> tuple[Class, ...]:
    """The bases of a class that the program defines."""
    values = [_value(analysis, owner, base) for base in owner.bases]
    found = [each.ref for each in values if each.kind == "class" and isinstance(each.ref, Class)]
    return tuple(each for each in dict.fromkeys(found) if each is not owner)


def _value(analysis: Analysis, owner: Class, base: ast.expr) -> Value:
    value = (
        analysis.free(owner.within, base.id)
        if isinstance(base, ast.Name)
        else analysis.scratch(owner.within).expr(base)
    )
    return (analysis.resolve(value.ref) or value) if value.kind == "symbol" else value


def unseen(analysis: Analysis, owner: Class) -> Iterator[str]:
    """The names of the bases of a class that the program does not define; dotted where they are imported, and without what
    they are given in brackets: `Generic` of `Generic[T]`."""
    for base in owner.bases:
        value = _value(analysis, owner, base)
        if value.kind != "class" or value.ref is owner:
            named = base.value if isinstance(base, ast.Subscript) else base
            yield dotted(owner.within, named) or last_name(named)


def ancestry(analysis: Analysis, owner: Class) -> tuple[Class, ...]:
    """A class and all that it derives from in the program, in the order in which Python asks them."""
    found: list[Class] = []
    at = owner
    while at not in found and len(found) < LONGEST:
        found.append(at)
        above = analysis.bases(at)
        if len(above) > 1:
            return tuple(dict.fromkeys((*found, *_line(analysis, at)[1:])))[:LONGEST]
        if not above:
            break
        at = above[0]
    return tuple(found)


def _line(analysis: Analysis, owner: Class) -> tuple[Class, ...]:
    """The same for a class with several bases; found for the classes above it first, without a call for each."""
    lines: dict[Class, tuple[Class, ...]] = {}
    under_way, todo = set[Class](), [owner]
    while todo:
        at = todo[-1]
        above = analysis.bases(at)
        missing = [base for base in above if base not in lines and base not in under_way]
        if at not in lines and at not in under_way and missing:
            under_way.add(at)
            todo += reversed(missing)
            continue
        todo.pop()
        if at not in lines:
            lines[at] = _merged(at, above, [lines.get(base, (base,)) for base in above])
    return lines[owner]


def _merged(owner: Class, above: tuple[Class, ...], lines: list[tuple[Class, ...]]) -> tuple[Class, ...]:
    """The lines of the bases in one, as Python merges them (C3); one after the other where they contradict each other."""
    left = [list(reversed(line)) for line in (*lines, above) if line]
    behind = Counter(each for line in left for each in line[:-1])
    found = [owner]
    while left and len(found) < LONGEST:
        first = next((line[-1] for line in left if not behind[line[-1]]), None)
        if first is None:
            return tuple(dict.fromkeys([owner, *(each for line in lines for each in line)]))[:LONGEST]
        found.append(first)
        for line in left:
            if line[-1] is first:
                line.pop()
                if line:
                    behind[line[-1]] -= 1
        left = [line for line in left if line]
    return tuple(found)
