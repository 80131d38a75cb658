"""The insides of a file: what stands anywhere in it, by what people look for. Who reads them says so by that (`looks`)."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any, Final

from torchperf_lint.facts.index.looks import look, tell
from torchperf_lint.facts.index.scopes import Class, Function

REGISTERING: Final = ("register_buffer", "register_parameter")
"""Methods that bind an attribute whose name they are given."""


class Insides:
    """The tables of an outline that are filled from all of a file."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self._tree = tree
        self._lines = text.splitlines() if "# type: (" in text else []
        self._functions: dict[ast.AST, Function] = {}
        self._classes: dict[ast.AST, Class] = {}
        self._by_type: dict[type[ast.AST], list[ast.AST]] = {}
        self._calls: dict[str, list[ast.Call]] = {}
        self._attributes: dict[str, list[ast.Attribute]] = {}
        self._names: set[str] = set()
        self._renamed: dict[str, str] = {}
        self._answers: dict[tuple[object, ...], Any] = {}
        self._places: dict[Function | Class, str] | None = None

    @property
    def tree(self) -> ast.Module:
        look(self)
        return self._tree

    @property
    def lines(self) -> list[str]:
        """The text, where it holds signatures in comments."""
        look(self)
        return self._lines

    @property
    def functions(self) -> dict[ast.AST, Function]:
        look(self)
        return self._functions

    @property
    def classes(self) -> dict[ast.AST, Class]:
        look(self)
        return self._classes

    @property
    def by_type(self) -> dict[type[ast.AST], list[ast.AST]]:
        look(self)
        return self._by_type

    @property
    def calls(self) -> dict[str, list[ast.Call]]:
        """Calls by the last name of what is called."""
        look(self)
        return self._calls

    @property
    def attributes(self) -> dict[str, list[ast.Attribute]]:
        """All attributes of the file, by their names."""
        look(self)
        return self._attributes

    @property
    def names(self) -> set[str]:
        """Every identifier of the file."""
        look(self)
        return self._names

    def says(self, name: str) -> bool:
        """Whether an identifier of the file is a name."""
        return self._has(f"says {name}")

    def calls_one(self, name: str) -> bool:
        """Whether the file calls something that has a name."""
        return self._has(f"calls {name}")

    def sets(self, name: str) -> bool:
        """Whether the file may bind an attribute other than in the body of a class."""
        return self._has(f"sets {name}")

    def _has(self, question: str) -> bool:
        told = self.told(question)
        tell(self, question, str(told))
        return told

    def told(self, question: str) -> bool:
        """What one of these questions is answered."""
        asked, _, name = question.partition(" ")
        if asked == "sets":
            stores = (each for each in self._attributes.get(name, ()) if not isinstance(each.ctx, ast.Load))
            return any(True for _ in stores) or any(each in self._calls for each in REGISTERING)
        return name in (self._calls if asked == "calls" else self._names)

    @property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Those at the top of the file."""
        return [each for each in self._tree.body if isinstance(each, (ast.Import, ast.ImportFrom))]

    @property
    def renamed(self) -> dict[str, str]:
        """What an import binds under another name, by that name."""
        look(self)
        return self._renamed

    @property
    def answers(self) -> dict[tuple[object, ...], Any]:
        """What was asked once, by the question and what it was asked of."""
        look(self)
        return self._answers

    @property
    def body(self) -> Function:
        """What runs where the file is imported."""
        return self._functions[self._tree]

    @property
    def places(self) -> dict[Function | Class, str]:
        """The functions and classes, each by a name that it has in another text with the same face; those that stand in functions are
        no part of that, so a function there is named with its head, and a class and what stands in it have no name."""
        if self._places is None:
            self._places, count = {}, Counter[str]()
            records: list[Function | Class] = [*self._functions.values()]
            records += [each for each in self._classes.values() if each.within.is_module]
            for each in records:
                count[each.qualname] += 1
                head = ""
                if isinstance(each, Function) and each.is_inner:
                    if each.owner is not None or each.within not in self._places:
                        continue
                    head = f"@{each.head}"
                self._places[each] = f"{each.qualname}#{count[each.qualname]}{head}"
        return self._places

    def opened(self, node: ast.AST) -> Function:
        """The function of a node that opens one."""
        return self._functions[node]

    def made(self, node: ast.AST) -> Class:
        """The class of a node that makes one."""
        return self._classes[node]
