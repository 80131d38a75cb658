"""Who imports a file, by what the summaries of all files say: looked up for the files that somebody asks about.

    model.py     from .layers.norm import RMSNorm      says .layers.norm and .layers.norm.RMSNorm
    norm.py      whose importers are asked: of all names those count that end in `norm`, if they mean this file

A name means a file that is called as its last part is, so no other names are looked up: most files of a project are never asked about.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from torchperf_lint.facts.project.imports import INIT, Imports, absolute
from torchperf_lint.facts.project.summary import Summary

_ENDING: Final = ".py"


class Importers:
    """By file, who imports it; and who imports each name."""

    def __init__(self, summaries: Mapping[str, Summary], imports: Imports) -> None:
        self._imports = imports
        self._said: dict[str, dict[str, list[str]]] = {}
        """By the last part of a name, the files that import such names, and these; names of dots alone have none."""
        for path, summary in summaries.items():
            for name in summary.imports:
                self._said.setdefault(name.rpartition(".")[2], {}).setdefault(path, []).append(name)
        self._meant: dict[str, dict[str, set[str]]] = {}
        """By the last part of names that somebody has asked about, the files that they mean, each with who imports it."""
        self._of: dict[str, frozenset[str]] = {}

    def of(self, path: str) -> frozenset[str]:
        """The files that import a file: each is asked about for many others that it imports."""
        known = self._of.get(path)
        if known is None:
            folder, name = os.path.split(path)
            called = {"", name.removesuffix(_ENDING), *([os.path.basename(folder)] if name == INIT else [])}  # noqa: PTH119
            known = self._of[path] = frozenset().union(*(self._importing(last).get(path, ()) for last in called))
        return known

    def handing_on(self, name: str) -> frozenset[str]:
        """The files that import something of a name, and so hand it on."""
        return frozenset(self._said.get(name, ()))

    def _importing(self, last: str) -> dict[str, set[str]]:
        """By file that a name with a last part means, who imports it: each name is looked up once."""
        if last not in self._meant:
            found = self._meant[last] = {}
            for taker, names in self._said.get(last, {}).items():
                for _, place in resolved(self._imports, taker, names):
                    found.setdefault(place, set()).add(taker)
        return self._meant[last]


def resolved(imports: Imports, path: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The files that a file imports by some names, each with the name that it says."""
    home = imports.home_of(path)
    for name in names:
        full = absolute(name, home.parts, is_package=home.is_package)
        if full and (place := home.view.find(full, path)):
            yield name, place
