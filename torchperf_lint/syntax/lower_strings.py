"""Strings, f-strings and t-strings, from LibCST's to those of `ast`. See `lower`.

Python joins neighbouring strings, and the stretches of text between two replacement fields, into one constant;
LibCST keeps them apart, as they are written.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from torchperf_lint.syntax.lowering import Lowering, lowers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TEMPLATE: Final = getattr(ast, "TemplateStr", None)
_INTERPOLATION: Final = getattr(ast, "Interpolation", None)

_Formatted = cst.FormattedString | cst.TemplatedString
_Field = cst.FormattedStringExpression | cst.TemplatedStringExpression
_Text = cst.FormattedStringText | cst.TemplatedStringText
_Part = cst.SimpleString | _Field | _Text


@lowers(cst.SimpleString)
def _string(_: Lowering, node: cst.SimpleString) -> ast.expr:
    return ast.Constant(_value(node.value), "u" if node.value[0] == "u" else None)


@lowers(cst.FormattedString, cst.TemplatedString)
def _formatted(to: Lowering, node: _Formatted) -> ast.expr:
    return _joined(to, [node])


@lowers(cst.ConcatenatedString)
def _concatenated(to: Lowering, node: cst.ConcatenatedString) -> ast.expr:
    strings: list[cst.BaseString] = []
    rest: cst.BaseString = node
    while isinstance(rest, cst.ConcatenatedString):
        strings.append(rest.left)
        rest = rest.right
    strings.append(rest)
    plain = [each.value for each in strings if isinstance(each, cst.SimpleString)]
    if len(plain) < len(strings):
        return _joined(to, strings)
    values: list[Any] = [_value(text) for text in plain]
    return ast.Constant(values[0][:0].join(values), "u" if plain[0][0] == "u" else None)


def _joined(to: Lowering, strings: Sequence[cst.BaseString]) -> ast.expr:
    values = _values(to, list(_parts(strings)))
    if not any(isinstance(each, cst.TemplatedString) for each in strings):
        return ast.JoinedStr(values)
    to.require(3, 14)
    return ast.JoinedStr(values) if _TEMPLATE is None else _TEMPLATE(values)


def _parts(strings: Sequence[cst.BaseString]) -> Iterator[tuple[_Part, str]]:
    """All that the strings are made of, with the opening quote of the string that each part is in."""
    for string in strings:
        if isinstance(string, (cst.FormattedString, cst.TemplatedString)):
            for part in string.parts:
                assert isinstance(part, _Part)
                yield part, string.start
        else:
            assert isinstance(string, cst.SimpleString)
            yield string, ""


def _values(to: Lowering, parts: Sequence[tuple[_Part, str]], *, in_format: bool = False) -> list[ast.expr]:
    """What a formatted string holds: its fields, and the texts between them, each in one piece."""
    values: list[ast.expr] = []
    texts: list[str] = []
    first: cst.CSTNode | None = None

    def end_of_text() -> None:
        nonlocal first
        if text := "".join(texts):
            made = ast.Constant(text, "u" if isinstance(first, cst.SimpleString) and first.value[0] == "u" else None)
            if first is not None:
                to.pairs[made] = first
            values.append(made)
        texts.clear()
        first = None

    for part, start in parts:
        if isinstance(part, cst.SimpleString):
            texts.append(_value(part.value))
        elif isinstance(part, _Text):
            texts.append(_text(part.value, start))
        else:
            if part.equal is not None:
                texts.append(_source(part, debug=True))
            end_of_text()
            values.append(_field(to, part, start, in_format=in_format))
            continue
        first = first or part
    end_of_text()
    return values


def _field(to: Lowering, node: _Field, start: str, *, in_format: bool) -> ast.expr:
    specification: ast.expr | None = None
    if node.format_spec is not None:
        inner = [(part, start) for part in node.format_spec]
        specification = ast.JoinedStr(_values(to, inner, in_format=True))  # type: ignore[arg-type]
    conversion = ord(node.conversion) if node.conversion else -1
    if node.equal is not None and conversion == -1 and specification is None:
        conversion = ord("r")
    value = to.node(node.expression)
    is_template = (
        isinstance(node, cst.TemplatedStringExpression) and not in_format
    )  # a format is text in a template too
    if is_template and _INTERPOLATION is not None:
        made: ast.expr = _INTERPOLATION(value, _source(node, debug=False), conversion, specification)
    else:
        made = ast.FormattedValue(value, conversion, specification)
    to.pairs[made] = node
    if specification is not None:
        to.pairs[specification] = node  # after the field, which is what the node is taken for
    return made


def _source(node: _Field, *, debug: bool) -> str:
    """The code of a replacement field; with `debug` all up to the `=` and the blanks around it."""
    nodes: list[cst.CSTNode] = [node.whitespace_before_expression, node.expression]
    if debug and node.equal is not None:
        nodes.append(node.equal)
    code = cst.Module([]).code_for_node
    return _newlines("".join(code(each) for each in nodes)) if debug else code(node.expression).strip()


def _value(token: str) -> Any:
    """What a string stands for."""
    quote = token[-1]
    if token[0] == quote and "\\" not in token and "\r" not in token:
        return token[3:-3] if token[:3] == quote * 3 and len(token) > 5 else token[1:-1]
    return ast.literal_eval(token)


def _text(text: str, start: str) -> str:
    """What a stretch of the text of an f-string stands for; `start` is its opening quote, with the prefix."""
    text = text.replace("{{", "{").replace("}}", "}")
    if "\\" not in text or "r" in start[:2].lower():
        return _newlines(text)
    quote = start.lstrip("fFtTrR")
    # The blank keeps a quote or a backslash that the text ends with apart from the closing quote.
    return ast.literal_eval(f"{quote}{text} {quote}")[:-1]  # type: ignore[no-any-return]


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
