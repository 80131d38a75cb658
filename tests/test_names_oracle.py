"""Our names and spans against LibCST's metadata providers, over every fixture: the providers are right, and slow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import programs
import pytest
from fixture import fixtures
from libcst.metadata import MetadataWrapper, PositionProvider, QualifiedNameSource, ScopeProvider

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.knowledge import canonical
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Place, Source, Span
from torchperf_lint.syntax.tree import Tree

pytestmark = pytest.mark.slow

FACTS = Path(__file__).parent / "facts"
PROGRAMS = [fixture.path for fixture in fixtures()]
TEXTS = {
    **{path.stem: [path.read_text(encoding="utf-8")] for path in (*PROGRAMS, *sorted(FACTS.glob("*.py")))},
    "programs": [programs.TRAINING, programs.WINDOWS],
}
"""By fixture: all of it as one program, for the providers take a while to start."""

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


@pytest.fixture(scope="module", params=TEXTS.values(), ids=TEXTS)
def programs_told(request: pytest.FixtureRequest) -> list[tuple[str, Oracle]]:
    """The programs of a fixture, each with what the providers say of it: for all tests, as they take long."""
    return [(text, Oracle(text)) for text in request.param]


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


class TestProviders:
    """Told by what the providers say of a fixture, which one process asks them."""

    def test_places_are_those_of_the_provider(self, programs_told: list[tuple[str, Oracle]]) -> None:
        for text, oracle in programs_told:
            tree = parse(Source(text))
            theirs = {oracle.at(node) for node in oracle.positions}
            ours = {(type(node).__name__, tree.span(node)) for _, node in pairs(tree)}
            assert ours - theirs == set()
            assert ours

    def test_names_are_those_of_the_provider(self, programs_told: list[tuple[str, Oracle]]) -> None:
        compared = 0
        for text, oracle in programs_told:
            tree = parse(Source(text))
            module = Module(tree.root, "text.py", "text", text)
            for node, concrete in pairs(tree):
                if not _is_dotted(node):
                    continue
                at = type(concrete).__name__, tree.span(concrete)
                ours, theirs = names.dotted(module.function_of(node), node), oracle.imported.get(at, set())
                where = f"line {at[1].start.line}: {ast.unparse(node)}"
                if ours is not None:
                    assert ours in {canonical(name) for name in theirs}, where
                    compared += 1
                elif at not in oracle.else_bound:
                    assert not theirs, where
        assert compared > 0
