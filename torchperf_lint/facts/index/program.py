"""The modules of a program, loaded as they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torchperf_lint.facts.index.glance import Glance
    from torchperf_lint.facts.index.module import Module


class Program:
    """The modules that facts may look into: the linted one, and those that it imports as they are asked for."""

    def __init__(
        self,
        load: Callable[[str], Module | None] = lambda _: None,
        note: Callable[[str], None] = lambda _: None,
        glance: Callable[[str], Glance | None] = lambda _: None,
    ) -> None:
        self._load = load
        self._note = note
        self._glance = glance
        self._glances: dict[str, Glance | None] = {}
        self.modules: dict[str, Module | None] = {}
        self.answers: set[Any] = set()
        """What was found of a module that is read by what is about another, or by what is no answer."""
        self.looked: set[Any] = set()
        """The modules that were looked into for answers."""
        self._added: set[str] = set()
        self.own: set[Module] = set()
        """Those that were added."""

    def add(self, module: Module) -> Module:
        name = module.name or module.path
        self._added.add(name)
        self.own.add(module)
        self.modules[name] = module
        return module

    def module(self, name: str) -> Module | None:
        """The module of a dotted name."""
        if name not in self.modules:
            self.modules[name] = self._load(name)
        return self.modules[name]

    def has_outline(self, name: str) -> bool:
        """Whether the module of a dotted name was asked for before."""
        return name in self.modules

    def glance(self, name: str) -> Glance | None:
        """A look at the text of the module of a dotted name; None where there is no such text."""
        if name not in self._glances:
            self._glances[name] = self._glance(name)
        return self._glances[name]

    def note(self, name: str) -> None:
        """Say that what is found stands on what a name means."""
        if name not in self._added:
            self._note(name)
