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


def given(call: cst.Call, name: str, value: str) -> cst.Call:
    """A call with one more argument by name, laid out as the others are, or with another value of one that it has."""
    import libcst as cst

    expression = cst.parse_expression(value)
    old = keyword(call, name)
    if old is not None:
        return call.with_changes(
            args=[each.with_changes(value=expression) if each is old else each for each in call.args]
        )
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    added = cst.Arg(expression, cst.Name(name), equal=tight)
    if not call.args:
        return call.with_changes(args=[added])
    *before, last = call.args
    comma_before = before[-1].comma if before else None
    between = comma_before.whitespace_after if isinstance(comma_before, cst.Comma) else call.whitespace_before_args
    if isinstance(last.comma, cst.Comma):
        behind = last.comma.whitespace_after
        added = added.with_changes(comma=cst.Comma(whitespace_after=_without_comment(behind)))
    else:
        behind = last.whitespace_after_arg
        added = added.with_changes(whitespace_after_arg=_without_comment(behind))
    apart: cst.BaseParenthesizableWhitespace = cst.SimpleWhitespace(" ")
    if isinstance(between, cst.ParenthesizedWhitespace):
        ends = behind.first_line if isinstance(behind, cst.ParenthesizedWhitespace) else cst.TrailingWhitespace()
        apart = between.with_changes(first_line=ends, empty_lines=[])
    comma = cst.Comma(whitespace_after=apart)
    last = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*before, last, added])


def _without_comment(blanks: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    import libcst as cst

    return (
        blanks.with_changes(first_line=cst.TrailingWhitespace())
        if isinstance(blanks, cst.ParenthesizedWhitespace)
        else blanks
    )
