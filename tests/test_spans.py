"""Our spans against those of LibCST's own provider."""

from __future__ import annotations

import libcst as cst
import programs
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from torchperf_lint.syntax.source import Place, Source, Span
from torchperf_lint.syntax.spans import Spans

TEXTS = {"training": programs.TRAINING, "windows": programs.WINDOWS, **programs.PLACES}


def spans(text: str, module: cst.Module) -> dict[cst.CSTNode, Span]:
    """The spans of all nodes."""
    source, found = Source(text), Spans(module, text)
    every: dict[cst.CSTNode, Span] = {}
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        start, end = found.of(node)
        every[node] = Span(source.place(start), source.place(end))
        stack += node.children
    return every


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_they_are_those_of_the_provider(text: str) -> None:
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    theirs = {
        node: Span(Place(at.start.line, at.start.column + 1), Place(at.end.line, at.end.column + 1))
        for node, at in wrapper.resolve(PositionProvider).items()
    }
    ours = spans(text, wrapper.module)
    if not wrapper.module.has_trailing_newline:
        # The provider counts the newline that is not there.
        last = max(span.end for span in ours.values())
        theirs = {node: Span(min(span.start, last), min(span.end, last)) for node, span in theirs.items()}
    assert ours == theirs


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x = (a + b)", "a + b"),
        ("x = ( (a) + b )", "(a) + b"),
        ("x = (\n    a + b  # why\n)", "a + b"),
        ("f((a + b), c)", "a + b"),
    ],
)
def test_an_expression_leaves_its_own_parentheses_out(text: str, code: str) -> None:
    module = cst.parse_module(text)
    found = Spans(module, text)
    (operation,) = (node for node in spans(text, module) if isinstance(node, cst.BinaryOperation))
    start, end = found.of(operation)
    assert text[start:end] == code


def test_a_blank_that_libcst_loses() -> None:
    text = "try:\n    a\nexcept A  :\n    b\nexcept (B, C) :\n    c(d)\n"
    module = cst.parse_module(text)
    assert module.code != text
    found = Spans(module, text)
    for node in spans(text, module):
        start, end = found.of(node)
        if isinstance(node, cst.Name):
            assert text[start:end] == node.value
        elif isinstance(node, cst.Tuple):
            assert text[start:end] == "B, C"


def test_a_text_that_is_not_the_one_of_the_tree() -> None:
    with pytest.raises(ValueError, match="does not give this text back"):
        Spans(cst.parse_module("a = b"), "a = c")
