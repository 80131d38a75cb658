"""The modules of a program, loaded as they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module


class Program:
    """The modules that facts may look into: the linted one, and those that it imports as they are asked for."""

    def __init__(self, load: Callable[[str], Module | None] = lambda _: None) -> None:
        self._load = load
        self.modules: dict[str, Module | None] = {}

    def add(self, module: Module) -> Module:
        self.modules[module.name or module.path] = module
        return module

    def find(self, name: str) -> tuple[Module, str] | None:
        """The module of the program that a dotted name lies in, and the rest of the name."""
        head, _, rest = name.rpartition(".")
        while head:
            module = self._module(head)
            if module is not None:
                return module, rest
            head, _, last = head.rpartition(".")
            rest = f"{last}.{rest}"
        return None

    def _module(self, name: str) -> Module | None:
        if name not in self.modules:
            self.modules[name] = self._load(name)
        return self.modules[name]
