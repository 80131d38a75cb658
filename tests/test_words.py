"""What users call their things is judged in `facts/guesses/` alone: elsewhere code is compared with names of libraries only.

A word with which facts or rules compare, in a set or a tuple, in a pattern, beside `==` or `in`, as an ending, is a name of
Python's, one that a table of `facts/knowledge/` has, or `knowledge/names.txt`, or one of our own. A word that is nobody's guesses at
how users name things. What users and libraries both say, such as `loader`, is not seen by this: look for that when you review.
"""

from __future__ import annotations

import abc
import argparse
import ast
import builtins
import collections
import contextlib
import dataclasses
import functools
import itertools
import keyword
import math
import operator
import os
import re
import sys
import typing
from collections.abc import Container, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import libcst
import pytest
from for_each import for_each

import torchperf_lint

PACKAGE: Final = Path(torchperf_lint.__file__).parent
KNOWLEDGE: Final = PACKAGE / "facts/knowledge"
NAMES: Final = Path(__file__).parent / "knowledge/names.txt"
NO_TABLES: Final = ("generate.py", "stubs.py")
"""What makes the tables, and is none."""
PYTHON: Final = (
    abc, argparse, ast, builtins, collections, contextlib, dataclasses, functools, itertools, libcst, math, operator, os, sys, typing,
    str, list, dict, set, property, type, itertools.count, collections.deque, argparse.ArgumentParser, dataclasses.dataclass,
)  # fmt: skip
"""Modules and classes whose names are known."""
METHODS: Final = ("__post_init__", "__next__", "__dict__", "action")
HERE_ALONE: Final = {
    "facts/interpret/attributes.py": {"encoder", "decoder"},  # of `torch.nn.Transformer`
    "facts/project/packaged.py": {"pyproject", "toml", "cfg"},  # files of settings
    "rules/misuse/misuse_rider/match.py": {"gpu"},  # a device that torch does not have
}
"""Words that are known in one file, and elsewhere might be anybody's."""
WORD: Final = re.compile(r"[A-Za-z_]\w+")
ESCAPES: Final = re.compile(r"\\.|\[[^\]]*\]|\(\?P?[<:=!]+|\(\?[a-z]+[):]")
"""What of a pattern is no word."""
OF_DOCSTRINGS: Final = "facts/interpret/comment_types.py"
"""Reads how docstrings write types, and no names."""
FILES: Final = [
    path
    for room in ("facts", "rules")
    for path in sorted((PACKAGE / room).rglob("*.py"))
    if not {"guesses", "knowledge"} & set(path.relative_to(PACKAGE).parts) and path != PACKAGE / OF_DOCSTRINGS
]

Text = tuple[int, str]
"""A text with which something is compared, and its line."""


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def literal(node: ast.AST | None) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def compared(code: ast.AST) -> Iterator[Text]:
    """What code compares with; nothing is called what has a blank in it."""
    for node in ast.walk(code):
        found: list[str] = []
        match node:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.Dict(keys=parts):
                found = [each for part in parts for each in literal(part)]
            case ast.Compare(left=left, comparators=others):
                found = [each for part in (left, *others) for each in literal(part)]
            case ast.MatchValue(value=value):
                found = literal(value)
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(words)), attr="split" | "splitlines")):
                found = words.split()
            case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=[first, *_]):
                found = literal(first)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re")), args=[first, *_]):
                found = ESCAPES.sub(" ", " ".join(literal(first))).split()
        if isinstance(node, (ast.expr, ast.pattern)):
            yield from ((node.lineno, each) for each in found if " " not in each)


@cache
def texts(path: Path) -> list[Text]:
    return [(line, text) for line, text in compared(tree(path)) if text not in ours()]


def guessed(compared: Iterable[Text], here: Container[str] = ()) -> list[str]:
    """What of that is no name of anybody's: the line, and the words."""
    found: dict[int, list[str]] = {}
    for line, text in compared:
        for word in WORD.findall(text):
            if word not in known() and word not in here:
                found.setdefault(line, []).append(word)
    return [f"line {line}: {', '.join(dict.fromkeys(words))}" for line, words in sorted(found.items())]


@cache
def ours() -> frozenset[str]:
    """What we call our own kinds, forms and fields: the members of every `Literal`, and names in `__all__` and `__slots__`."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if not re.search(r"Literal\[|__all__|__slots__", path.read_text(encoding="utf-8")):
            continue
        for node in ast.walk(tree(path)):
            match node:
                case ast.Subscript(value=ast.Name(id="Literal"), slice=members):
                    found |= {each for part in ast.walk(members) for each in literal(part)}
                case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")], value=members):
                    found |= {each for part in ast.walk(members) for each in literal(part)}
    return frozenset(found)


@cache
def in_tables() -> frozenset[str]:
    """The names of Python, of `ast` and LibCST, and of the tables of `facts/knowledge/`."""
    found = {*keyword.kwlist, *sys.stdlib_module_names, *METHODS, *(name for thing in PYTHON for name in dir(thing))}
    for kind in (*vars(ast).values(), *vars(libcst).values()):
        if isinstance(kind, type):
            found |= {*getattr(kind, "_fields", ()), *getattr(kind, "__dataclass_fields__", ())}
    found |= set(WORD.findall((KNOWLEDGE / "schemas.json").read_text(encoding="utf-8")))
    for path in (each for each in KNOWLEDGE.glob("*.py") if each.name not in NO_TABLES):
        documented = {node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Expr)}
        held = (each for node in ast.walk(tree(path)) if node not in documented for each in literal(node))
        found |= {word for text in held for word in WORD.findall(text)}
    return frozenset(found)


@cache
def listed() -> list[list[str]]:
    """The names of `names.txt`, by its lines."""
    lines = NAMES.read_text(encoding="utf-8").splitlines()
    return [line.partition("|")[2].split() for line in lines if line and not line.startswith("#")]


@cache
def known() -> frozenset[str]:
    return in_tables().union(*listed())


def inside(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


CURE: Final = (
    "is that how users name things? Then it belongs into facts/guesses/, as a function that says what it is good for. "
    "A name of a library belongs into a table of facts/knowledge/, or into tests/knowledge/names.txt if none is about such things"
)


@for_each(FILES, inside)
def test_names_of_users_are_judged_in_one_room(path: Path) -> None:
    found = guessed(texts(path), HERE_ALONE.get(inside(path), ()))
    assert not found, f"{'; '.join(found)}: {CURE}"


@pytest.mark.parametrize(
    "planted",
    [
        '_LOW_RANK = ("lora", "bottleneck")',
        '_KEPT = frozenset("quantize bottleneck".split())',
        'found = re.compile(r"(^|_)(teacher|student)(_|$)")',
        'found = name.endswith(("_criterion", "Loss"))',
        'found = "criterion" in name.lower()',
        'found = name == "student"',
        'match node:\n    case ast.Name(id="student" | "model"):\n        found = True',
        'found = {"n_classes": 1}.get(name)',
    ],
)
def test_a_guess_that_is_planted_elsewhere_is_found(planted: str) -> None:
    assert guessed(compared(ast.parse(planted))) != []


def test_names_of_libraries_and_sentences_are_no_guesses() -> None:
    code = 'found = name in ("backward", "torch.linalg.norm") or message.startswith("criterion of a step")'
    assert guessed(compared(ast.parse(code))) == []


def test_every_exception_is_needed() -> None:
    words = {inside(path): {word for _, text in texts(path) for word in WORD.findall(text)} for path in FILES}
    of_libraries = {
        word for line in listed()[1:] for word in line
    }  # the first line is Python's: its names differ by version
    spare = of_libraries - (set().union(*words.values()) - in_tables())
    assert not spare, f"nothing asks for these, or a table of facts/knowledge/ has them: {sorted(spare)}"
    assert [name for name, each in HERE_ALONE.items() if each - words[name] or each & known()] == []
