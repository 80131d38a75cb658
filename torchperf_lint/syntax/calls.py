"""Small questions on the arguments of a LibCST call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst


def has_star(call: cst.Call) -> bool:
    """Whether `*args` or `**kwargs` hide which arguments there are."""
    return any(arg.star for arg in call.args)


def keyword(call: cst.Call, name: str) -> cst.Arg | None:
    """The argument that is given by name."""
    return next((arg for arg in call.args if arg.keyword is not None and arg.keyword.value == name), None)


def argument(call: cst.Call, name: str, index: int | None) -> cst.Arg | None:
    """The argument of a parameter: by name, or at its place (from 0) if it has one and no `*` comes before it."""
    named = keyword(call, name)
    if named is not None or index is None:
        return named
    before = call.args[: index + 1]
    if len(before) <= index or any(arg.star or arg.keyword is not None for arg in before):
        return None
    return before[index]
