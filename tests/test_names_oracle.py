"""Our names and spans against LibCST's metadata providers, over every form in the fixtures: the providers are right, and slow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import programs
import pytest
from fixture import fixtures
from forms import telling
from libcst.metadata import MetadataWrapper, PositionProvider, QualifiedNameSource, ScopeProvider

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.knowledge import canonical
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Place, Source, Span
from torchperf_lint.syntax.tree import Tree

pytestmark = pytest.mark.slow

FACTS = Path(__file__).parent / "facts"
FILES = [*sorted(FACTS.glob("*.py")), *(fixture.path for fixture in fixtures())]

At = tuple[str, Span]
"""A node as both sides can tell it: its kind in LibCST, and where it stands."""


class Oracle:
    """What LibCST's providers say of a text."""

    def __init__(self, text: str) -> None:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.positions = wrapper.resolve(PositionProvider)
        scopes = wrapper.resolve(ScopeProvider)  # which `QualifiedNameProvider` asks, of every blank and bracket
        found = {
            node: scope.get_qualified_names_for(node)
            for node, scope in scopes.items()
            if scope is not None and isinstance(node, (cst.Name, cst.Attribute)) and node in self.positions
        }
        self.imported = {
            self.at(node): {name.name for name in said if name.source is QualifiedNameSource.IMPORT}
            for node, said in found.items()
        }
        self.else_bound = {
            self.at(node)
            for node, said in found.items()
            if any(name.source is not QualifiedNameSource.IMPORT for name in said)
        }

    def at(self, node: cst.CSTNode) -> At:
        start, end = self.positions[node].start, self.positions[node].end
        span = Span(Place(start.line, start.column + 1), Place(end.line, end.column + 1))
        return type(node).__name__, span


class Told:
    """A program as we read it, with what the providers say of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.oracle = Oracle(text)
        self.tree = parse(Source(text))
        self.pairs = [(node, (type(its).__name__, self.tree.span(its))) for node, its in pairs(self.tree)]


@pytest.fixture(scope="module")
def programs_told() -> list[Told]:
    """For all tests, as both sides take long."""
    texts = [programs.TRAINING, programs.WINDOWS, *(path.read_text(encoding="utf-8") for path in FILES)]
    return [Told(text) for text in telling(texts)]


def pairs(tree: Tree) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
    """Every expression and statement that is read, with its LibCST node."""
    for node in ast.walk(tree.root):
        if isinstance(node, (ast.expr, ast.stmt)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            try:
                yield node, tree.cst(node)
            except LookupError:
                assert isinstance(node, (ast.Tuple, ast.Slice, ast.JoinedStr, ast.Constant, ast.FormattedValue)), node


def _is_dotted(node: ast.AST) -> bool:
    """Whether an expression is names and dots alone: the provider reads `zeros(n).cuda` as `zeros.cuda` too."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_dotted(node.value))


def where(node: ast.AST, at: At) -> str:
    return f"line {at[1].start.line}: {ast.unparse(node)}"


class TestProviders:
    """Told by what the providers say of a fixture, which one process asks them."""

    def test_places_are_those_of_the_provider(self, programs_told: list[Told]) -> None:
        for told in programs_told:
            theirs = {told.oracle.at(node) for node in told.oracle.positions}
            ours = {at for _, at in told.pairs}
            assert ours - theirs == set()
            assert ours

    def test_names_are_those_of_the_provider(self, programs_told: list[Told]) -> None:
        compared = 0
        for told in programs_told:
            module = Module(told.tree.root, "text.py", "text", told.text)
            for node, at in told.pairs:
                if not _is_dotted(node):
                    continue
                ours, theirs = names.dotted(module.function_of(node), node), told.oracle.imported.get(at, set())
                if ours is not None:
                    assert ours in {canonical(name) for name in theirs}, where(node, at)
                    compared += 1
                elif at not in told.oracle.else_bound:
                    assert not theirs, where(node, at)
        assert compared > 0
