"""The same program in another order: what a permutation of a program changes nothing about, no finding may change with.

A permutation is drawn by a `Random`, so that a test may draw it, and gives two texts: the program as it is written
anew, and the same with its parts in another order. Both come from one tree, so they differ in the order alone.

    arms          if a(): x = 1             if a(): x = y()        each test becomes a call of which nobody knows anything
                  else: x = y()             else: x = 1
    definitions   def f / def g             def g / def f          functions and methods in a row
    statements    a = 1; b = c.float()      b = c.float(); a = 1   assignments in a row, without effects, of different names
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from torchperf_lint.model.finding import Finding

Told = Counter[tuple[object, ...]]
Pair = tuple[str, str]
Permutation = Callable[[str, Random], Pair]

OPAQUE: Final = "elsewhere"
"""A module that no file is found for."""
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_PLAIN: Final = (
    ast.Attribute, ast.BinOp, ast.BoolOp, ast.Compare, ast.Constant, ast.Dict, ast.List, ast.Name, ast.Subscript, ast.Tuple, ast.UnaryOp,
    ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop, ast.Slice,
)  # fmt: skip
"""What an expression may be made of that has no effect, besides calls of `_PURE`."""
_PURE: Final = frozenset((
    "arange", "clone", "contiguous", "cuda", "detach", "double", "float", "flatten", "full", "len", "mean", "max", "ones", "relu", "size",
    "square", "stack", "sum", "tensor", "view", "where", "zeros", "zeros_like",
))  # fmt: skip
"""Names of functions and methods that change nothing and draw no random numbers."""


def told(findings: Sequence[Finding], text: str, *, evidence: bool = True) -> Told:
    """What findings say, without where they say it."""
    lines = text.splitlines()
    return Counter(
        (
            each.code, each.message, _underlined(each, lines), each.severity.name, each.confidence.name,
            tuple(sorted(note.message for note in each.because)) if evidence else (),
        )
        for each in findings
    )  # fmt: skip


def _underlined(finding: Finding, lines: list[str]) -> str:
    start, end = finding.span.start, finding.span.end
    rows = lines[start.line - 1 : end.line]
    if not rows:
        return ""
    rows[-1] = rows[-1][: end.column - 1]
    rows[0] = rows[0][start.column - 1 :]
    return " ".join(" ".join(rows).split())


# ---- arms


def arms(text: str, random: Random) -> Pair:
    """The branches of every `if`, `elif` and `else`, and both sides of every `a if c else b`, in another order."""
    written, permuted = _Arms(None), _Arms(random)
    return tuple(ast.unparse(each.opaque(ast.parse(text))) + "\n" for each in (written, permuted))  # type: ignore[return-value]


class _Arms(ast.NodeTransformer):
    """Gives each `if` opaque tests and, where there is somebody who says how, its arms another order."""

    def __init__(self, random: Random | None) -> None:
        self.random = random
        self.count = 0

    def opaque(self, tree: ast.Module) -> ast.Module:
        tree = self.visit(tree)
        at = next((i for i, each in enumerate(tree.body) if not _opens(each)), len(tree.body))
        tree.body.insert(at, ast.Import([ast.alias(OPAQUE)]))
        return ast.fix_missing_locations(tree)

    def visit_If(self, node: ast.If) -> ast.stmt:
        bodies: list[list[ast.stmt]] = [node.body]
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            bodies.append(node.body)
        bodies = [[self.visit(each) for each in body] for body in (*bodies, node.orelse or [ast.Pass()])]
        if self.random is not None:
            self.random.shuffle(bodies)
        chain = bodies.pop()
        for number, body in enumerate(reversed(bodies)):
            chain = [ast.If(self._test(number), body, [] if _is_nothing(chain) else chain)]
        return chain[0]

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        sides = [self.visit(node.body), self.visit(node.orelse)]
        if self.random is not None:
            self.random.shuffle(sides)
        return ast.IfExp(self._test(0), *sides)

    @staticmethod
    def _test(number: int) -> ast.expr:
        return ast.parse(f"{OPAQUE}.chosen({number})", mode="eval").body


def _is_nothing(body: list[ast.stmt]) -> bool:
    return len(body) == 1 and isinstance(body[0], ast.Pass)


def _opens(statement: ast.stmt) -> bool:
    """A docstring, or an import from `__future__`."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


# ---- definitions and statements


def definitions(text: str, random: Random) -> Pair:
    """Functions that follow one another, at the top of the file and in classes."""
    return _shuffled_runs(text, random, _moves_as_a_definition)


def statements(text: str, random: Random) -> Pair:
    """Assignments that follow one another and have nothing to do with each other."""
    return _shuffled_runs(text, random, _moves_as_an_assignment)


def _shuffled_runs(text: str, random: Random, moves: Callable[[ast.stmt], bool]) -> Pair:
    tree = ast.parse(text)
    other = copy.deepcopy(tree)
    for body in _bodies(other):
        for start, end in _runs(body, moves):
            shuffled = body[start:end]
            random.shuffle(shuffled)
            body[start:end] = shuffled
    return ast.unparse(tree) + "\n", ast.unparse(other) + "\n"


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield body


def _runs(body: list[ast.stmt], moves: Callable[[ast.stmt], bool]) -> Iterator[tuple[int, int]]:
    """Stretches of statements of which each may stand before each other."""
    start = 0
    for at in range(len(body) + 1):
        if at < len(body) and moves(body[at]) and all(_are_independent(body[at], each) for each in body[start:at]):
            continue
        if at - start > 1:
            yield start, at
        start = at if at < len(body) and moves(body[at]) else at + 1


def _moves_as_a_definition(statement: ast.stmt) -> bool:
    return isinstance(statement, _DEFINITIONS)


def _moves_as_an_assignment(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Assign) or not all(isinstance(each, ast.Name) for each in statement.targets):
        return False
    return all(isinstance(each, _PLAIN) or _is_pure(each) for each in ast.walk(statement.value))


def _is_pure(node: ast.AST) -> bool:
    """Whether a part of an expression is a call without effect, or a setting in it."""
    if isinstance(node, ast.keyword):
        return True
    return isinstance(node, ast.Call) and (getattr(node.func, "attr", None) or getattr(node.func, "id", None)) in _PURE


def _are_independent(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether neither binds what the other binds, or reads while it runs."""
    (bound, read), (also_bound, also_read) = _bound_and_read(one), _bound_and_read(other)
    return not (bound & also_bound or bound & also_read or read & also_bound)


def _bound_and_read(statement: ast.stmt) -> tuple[set[str], set[str]]:
    if isinstance(statement, _DEFINITIONS):
        parts: list[ast.AST] = [
            *statement.decorator_list,
            statement.args,
            *([statement.returns] if statement.returns else []),
        ]
        return {statement.name}, {node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name)}
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return bound, {node.id for node in names} - bound


PERMUTATIONS: Final[dict[str, Permutation]] = {"arms": arms, "definitions": definitions, "statements": statements}


# ---- files


def files(text: str) -> dict[str, str]:
    """A program as two files that import each other: every second definition stands in the other one."""
    body = ast.parse(text).body
    opening = [each for each in body if isinstance(each, (ast.Import, ast.ImportFrom))]
    named = [each for each in body if isinstance(each, (*_DEFINITIONS, ast.ClassDef))]
    rest = [each for each in body if each not in opening and each not in named]
    halves = {"first": [*named[0::2], *rest], "second": named[1::2]}
    made = {}
    for (name, half), (other, missing) in zip(halves.items(), reversed(halves.items()), strict=True):
        names = [each.name for each in missing if isinstance(each, (*_DEFINITIONS, ast.ClassDef))]
        imported = [ast.ImportFrom(other, [ast.alias(each) for each in names], 0)] if names else []
        made[f"{name}.py"] = ast.unparse(ast.fix_missing_locations(ast.Module([*opening, *imported, *half], []))) + "\n"
    return made
